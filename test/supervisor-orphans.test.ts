import { test } from 'node:test';
import { replaceKilledSupervisor } from './support/orphans.ts';

const SEED = process.env['RIALTO_SOAK_SEED'] ?? 'orphans';

test('a supervisor that follows one that was killed ends what that has left, also what is stopped', async (t) => {
  const tookMs = await replaceKilledSupervisor(t, SEED);
  t.diagnostic(`serves again after ${Math.round(tookMs)} ms`);
});
