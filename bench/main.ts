import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runClosedLoop } from '../sim/load.ts';
import { startNode } from '../test/support/node.ts';
import { benchConfiguration, PUBLISHER_REQUEST } from './fixture.ts';
import { cpuNanoseconds, processTree } from './cpu.ts';
import { onlyPid, startHelper, startStubBidders } from './processes.ts';
import { median, spread } from './statistics.ts';

/**
 * CPU time per auction of the exchange process, beside that of a bare relay on the same libraries,
 * measured in alternating pairs within one run, because machines are noisy and ratios are not.
 * Linux only: it reads the scheduler's counters. The last line is `exchange/floor RATIO`.
 *
 * Usage: npm run bench -- [BIDDERS]; three by default.
 */
const [BIDDERS = 3] = process.argv.slice(2).map(Number);
const PAIRS = 12;
const AUCTIONS_PER_SAMPLE = 3_000;
/** Enough for the compiler to be done with both: what it still compiles would be measured as work. */
const WARM_UP_AUCTIONS = 30_000;
const WORKERS = 16;
const BIDDER_PRICES = Array.from({ length: BIDDERS }, (_, index) => (11 * (index + 1)) / 10);

interface Pair {
  readonly floorUs: number;
  readonly exchangeUs: number;
  /** All processes of the node together, so that moved work is not mistaken for saved work. */
  readonly nodeUs: number;
}

const bidders = await startStubBidders(BIDDER_PRICES);
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
  const floorUrl = `http://127.0.0.1:${readPort(floor.ready)}/`;
  const exchangeUrl = `${node.urls.exchange}/openrtb2/auction`;
  const pids = {
    floor: floor.pid,
    exchange: onlyPid(node.pids('exchange')),
    node: processTree(node.pid),
  };
  await send(floorUrl, WARM_UP_AUCTIONS);
  await send(exchangeUrl, WARM_UP_AUCTIONS);

  const pairs: Pair[] = [];
  for (let index = 0; index < PAIRS; index += 1) {
    const floorUs = await measure([pids.floor], () => send(floorUrl, AUCTIONS_PER_SAMPLE));
    const before = cpuOf(pids.node);
    const exchangeUs = await measure([pids.exchange], () => send(exchangeUrl, AUCTIONS_PER_SAMPLE));
    const nodeUs = (cpuOf(pids.node) - before) / 1_000 / AUCTIONS_PER_SAMPLE;
    pairs.push({ floorUs, exchangeUs, nodeUs });
    console.log(
      `pair ${index + 1}: floor ${floorUs.toFixed(0)} µs, exchange ${exchangeUs.toFixed(0)} µs (${(exchangeUs / floorUs).toFixed(2)} ×), all processes ${nodeUs.toFixed(0)} µs (${(nodeUs / floorUs).toFixed(2)} ×)`,
    );
  }
  report(pairs);
} finally {
  await node.stop();
  floor.child.kill();
  bidders.helper.child.kill();
  rmSync(directory, { recursive: true });
}

function report(pairs: readonly Pair[]): void {
  const ratios = pairs.map(({ exchangeUs, floorUs }) => exchangeUs / floorUs);
  const nodeRatios = pairs.map(({ nodeUs, floorUs }) => nodeUs / floorUs);
  const ratio = median(ratios);
  const result = {
    ratio,
    ratio_spread: spread(ratios),
    all_processes_ratio: median(nodeRatios),
    all_processes_spread: spread(nodeRatios),
    floor_us: median(pairs.map(({ floorUs }) => floorUs)),
    exchange_us: median(pairs.map(({ exchangeUs }) => exchangeUs)),
    pairs,
  };
  const results = new URL('results/', import.meta.url);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL('latest.json', results), `${JSON.stringify(result, null, 2)}\n`);
  const [low, high] = result.all_processes_spread;
  console.log(
    `all processes/floor ${result.all_processes_ratio.toFixed(2)} (quartiles ${low.toFixed(2)} to ${high.toFixed(2)})`,
  );
  const [lower, upper] = result.ratio_spread;
  console.log(
    `exchange/floor quartiles ${lower.toFixed(2)} to ${upper.toFixed(2)}, ${PAIRS} pairs`,
  );
  console.log(`exchange/floor ${ratio.toFixed(2)}`);
}

/** CPU microseconds per auction of the given processes while the load runs. */
async function measure(pids: readonly number[], load: () => Promise<void>): Promise<number> {
  const before = cpuOf(pids);
  await load();
  return (cpuOf(pids) - before) / 1_000 / AUCTIONS_PER_SAMPLE;
}

function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuNanoseconds(pid), 0);
}

async function send(url: string, requests: number): Promise<void> {
  const result = await runClosedLoop({
    url,
    workers: WORKERS,
    requests,
    next: () => PUBLISHER_REQUEST,
  });
  const answered = result.statuses['200'] ?? 0;
  if (answered !== requests) {
    throw new Error(`${url}: ${answered} of ${requests} answered 200: ${JSON.stringify(result)}`);
  }
}

function readPort(ready: unknown): number {
  if (typeof ready !== 'object' || ready === null || !('port' in ready)) throw new Error('no port');
  return Number(ready.port);
}
