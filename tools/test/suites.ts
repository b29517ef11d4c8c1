import { globSync, readFileSync } from 'node:fs';

/** The suites of tests by name, each with the files that it has. */
export const SUITES: ReadonlyMap<string, readonly string[]> = new Map([
  // Beside their modules.
  ['units', ['{src,sim,tools}/**/*.test.ts', 'console/src/**/*.test.ts']],
  // Stores, and the exchange without its processes.
  ['stores', ['test/stores/*.test.ts']],
  // Running nodes.
  ['nodes', ['test/nodes/*.test.ts']],
  // Pages in a real Chromium.
  ['browser', ['test/browser/*.test.ts']],
  ['console', ['test/console/*.test.ts']],
]);

/**
 * What takes long or measures time, each file for itself: files of its own, and all of the suites that
 * do more in soak, which import `test/support/effort.ts`.
 */
export function soakFiles(): readonly string[] {
  const shared = globSync([...SUITES.values()].flat()).filter((path) =>
    readFileSync(path, 'utf8').includes('support/effort.ts'),
  );
  return [...globSync('test/soak/*.soak.ts'), ...shared].toSorted();
}
