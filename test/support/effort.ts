import assert from 'node:assert/strict';

/**
 * How much of a test runs: a short seed in `npm test`, all of it in `npm run test:soak`, whose options
 * arrive as these variables (`tools/test.ts`). Files that import this are part of both.
 */
export const IS_SOAK: boolean = process.env['RIALTO_SOAK'] === '1';

/** Of random values and mutations, soak tries so many times as many. */
const SOAK_TIMES = Number(process.env['RIALTO_SOAK_TIMES'] ?? 10);

/** What random choices start from: in the gate always the same. Tests print it. */
export const SEED: string =
  process.env['RIALTO_SOAK_SEED'] ?? (IS_SOAK ? String(Date.now()) : 'rialto');

/** @param inTheGate how often the gate tries a property, with seeds of its own each time. */
export function runs(inTheGate: number): number {
  return IS_SOAK ? inTheGate * SOAK_TIMES : inTheGate;
}

/** A count: the first in the gate, the second in soak. */
export function effort(gate: number, soak: number): number {
  return IS_SOAK ? soak : gate;
}

/** How long a test goes on, in milliseconds; in soak as long as the run was told, if it was. */
export function effortMs(gateSeconds: number, soakSeconds: number): number {
  const told = process.env['RIALTO_SOAK_SECONDS'];
  return 1_000 * (IS_SOAK ? Number(told ?? soakSeconds) : gateSeconds);
}

/** Holds how long something took, in milliseconds; in soak alone, where nothing else runs. */
export function assertWithin(tookMs: number, limitMs: number): void {
  if (IS_SOAK) assert.ok(tookMs < limitMs, `took ${Math.round(tookMs)} of ${limitMs} ms`);
}
