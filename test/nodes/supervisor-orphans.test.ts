import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createRandom } from '../../sim/random.ts';
import { ROLE_NAMES } from '../../src/settings/settings.ts';
import { effort, SEED } from '../support/effort.ts';
import { startNode } from '../support/node.ts';
import { stillRunning } from '../support/processes.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');
const WITH_PORTS = ['control', 'exchange', 'tracker'] as const;

for (let round = 1; round <= effort(1, 10); round += 1) {
  test(`a supervisor that follows one that was killed ends what that has left, also what is stopped (${round})`, async (t) => {
    const tookMs = await replaceKilledSupervisor(t, `${SEED} ${round}`);
    t.diagnostic(`serves again after ${Math.round(tookMs)} ms`);
  });
}

/**
 * Kills a supervisor some of whose processes are stopped, as the seed says, and starts another in its
 * place, on the same directory and ports: it serves, and nothing of the first is left.
 *
 * @returns how long the second start took, in milliseconds.
 */
async function replaceKilledSupervisor(t: TestContext, seed: string): Promise<number> {
  const random = createRandom(seed).fork('stopped');
  const node = await startNode({ t, file: EXAMPLE });
  const stopped = new Set([random.pick(ROLE_NAMES)]);
  for (const role of ROLE_NAMES) if (random.chance(0.3)) stopped.add(role);
  const orphans = ROLE_NAMES.flatMap((role) => node.pids(role));
  for (const role of stopped) node.kill(role, 'SIGSTOP');
  node.kill('supervisor');
  await node.exited;
  t.diagnostic(`seed ${seed}: stopped ${[...stopped].join(', ')}`);

  const startMs = performance.now();
  const again = await startNode({
    t,
    dataDirectory: node.dataDirectory,
    args: WITH_PORTS.map((role) => `--${role}-port=${new URL(node.urls[role]).port}`),
  });
  const tookMs = performance.now() - startMs;
  assert.deepEqual(stillRunning(orphans), []);
  for (const role of WITH_PORTS) {
    assert.equal(again.urls[role], node.urls[role]);
    assert.equal((await fetch(`${again.urls[role]}/readyz`)).status, 200);
  }
  assert.deepEqual(await again.stop(), { code: 0, signal: null });
  assert.equal(existsSync(join(node.dataDirectory, 'processes.json')), false);
  return tookMs;
}
