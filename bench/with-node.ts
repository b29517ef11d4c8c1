import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode, type StartedNode } from '../test/support/node.ts';
import { benchConfiguration } from './fixture.ts';
import { startHelper, startStubBidders } from './processes.ts';

/** A node with one exchange process, and the floor, before the same bidders. */
export interface BenchNode {
  readonly node: StartedNode;
  readonly floorPid: number;
  readonly floorUrl: string;
}

/** Starts so many stub bidders, the floor and a node, for as long as the work takes. */
export async function withNode<T>(
  bidderCount: number,
  work: (parts: BenchNode) => Promise<T>,
): Promise<T> {
  const prices = Array.from({ length: bidderCount }, (_, index) => 1.1 + index * 1.1);
  const bidders = await startStubBidders(prices);
  const { ports } = bidders;
  const floor = await startHelper(
    'floor.ts',
    ports.map((port) => `http://127.0.0.1:${port}/bid`),
  );
  const directory = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  const file = join(directory, 'exchange.yaml');
  writeFileSync(file, benchConfiguration(ports));
  const node = await startNode({ file, args: ['--workers', '1'] });
  try {
    const floorUrl = `http://127.0.0.1:${portOf(floor.ready)}/`;
    return await work({ node, floorPid: floor.pid, floorUrl });
  } finally {
    await node.stop();
    floor.child.kill();
    bidders.helper.child.kill();
    rmSync(directory, { recursive: true });
  }
}

/** The port that a helper has said. */
export function portOf(ready: unknown): number {
  if (typeof ready !== 'object' || ready === null || !('port' in ready)) throw new Error('no port');
  return Number(ready.port);
}
