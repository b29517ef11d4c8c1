import { setTimeout as delay } from 'node:timers/promises';
import { processTree, usedUs } from './cpu.ts';
import { withNode } from './with-node.ts';

/** After its start a node is busy for a while: stores are opened, and made smaller. */
const SETTLE_MS = 30_000;
const MEASURE_MS = 60_000;
const BIDDERS = 3;

/** How much of a core all processes of a node use while nothing is asked of it. */
export function measureIdle(): Promise<number> {
  return withNode(BIDDERS, async ({ node }) => {
    await delay(SETTLE_MS);
    const pids = processTree(node.pid);
    const [before, startMs] = [usedUs(pids), performance.now()];
    await delay(MEASURE_MS);
    const share = (usedUs(pids) - before) / 1_000 / (performance.now() - startMs);
    console.log(`idle: ${(share * 100).toFixed(2)} % of a core`);
    return share;
  });
}
