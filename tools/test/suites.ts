/** The suites of tests by name, each with the files that it has. */
export const SUITES: ReadonlyMap<string, readonly string[]> = new Map([
  // Beside their modules.
  ['units', ['{src,sim,tools}/**/*.test.ts', 'console/src/**/*.test.ts']],
  ['whole', ['test/*.test.ts']],
  // Pages in a real Chromium.
  ['browser', ['test/browser/*.test.ts']],
  ['console', ['test/console/*.test.ts']],
  ['soak', ['test/soak/*.soak.ts']],
]);

/** What takes long or measures time. */
export const SOAK = 'soak';

/** What `npm test` runs: everything else. */
export const GATE: readonly string[] = [...SUITES.keys()].filter((suite) => suite !== SOAK);
