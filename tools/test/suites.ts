import { globSync, readFileSync } from 'node:fs';
import type { Batch } from './batches.ts';

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

/** So many files share a process: loading takes longer than most tests of units do. */
const FILES_IN_BATCH: Readonly<Record<string, number>> = { units: 24, stores: 4 };
/** What takes longest begins first, so that no core waits for it in the end. */
const ORDER = ['console', 'nodes', 'browser', 'stores', 'units'];

/** All files, as the gate runs them. */
export function gateBatches(suites: readonly string[] = ORDER): readonly Batch[] {
  return ORDER.filter((suite) => suites.includes(suite)).flatMap((suite) => {
    const files = globSync([...(SUITES.get(suite) ?? [])]).toSorted();
    const size = FILES_IN_BATCH[suite] ?? 1;
    const count = Math.ceil(files.length / size);
    return Array.from({ length: count }, (_, index) =>
      files.slice(index * size, (index + 1) * size),
    );
  });
}

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
