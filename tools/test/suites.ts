/** The suites of tests by name, each with the files that it has. */
export const SUITES: ReadonlyMap<string, readonly string[]> = new Map([
  // Beside their modules.
  ['units', ['{src,sim,tools}/**/*.test.ts', 'console/src/**/*.test.ts']],
  ['whole', ['test/*.test.ts']],
  // Pages in a real Chromium.
  ['browser', ['test/browser/*.test.ts']],
  ['console', ['test/console/*.test.ts']],
]);

/**
 * What takes long or measures time, each file for itself: files of its own, and those of the suites
 * that do more in soak (`test/support/effort.ts`).
 */
export const SOAK: readonly string[] = [
  'test/soak/*.soak.ts',
  'test/bidder-health.test.ts',
  'test/restart.test.ts',
  'test/shipping.test.ts',
  'test/tracker.test.ts',
];
