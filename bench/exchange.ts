import { runClosedLoop, type LoadResult } from '../sim/load.ts';
import { PUBLISHER_REQUEST } from './fixture.ts';
import { cpuNanoseconds, processTree } from './cpu.ts';
import { onlyPid } from './processes.ts';
import { withNode } from './with-node.ts';
import { median, spread } from './statistics.ts';

const PAIRS = 12;
const AUCTIONS_PER_SAMPLE = 3_000;
/** Enough for the compiler to be done with both: what it still compiles would be measured as work. */
const WARM_UP_AUCTIONS = 30_000;
const WORKERS = 16;
const DURATION_MAX_MS = 600_000;
const BIDDERS = 3;

interface Pair {
  readonly floorUs: number;
  readonly exchangeUs: number;
  /** All processes of the node together, so that moved work is not mistaken for saved work. */
  readonly nodeUs: number;
}

/**
 * CPU time per auction of the exchange process beside that of the floor, in alternating pairs, because
 * machines are noisy and ratios are not.
 */
export function measureExchange(): Promise<object> {
  return withNode(BIDDERS, async ({ node, floorPid, floorUrl }) => {
    const exchangeUrl = `${node.urls.exchange}/openrtb2/auction`;
    const exchangePid = onlyPid(node.pids('exchange'));
    const nodePids = processTree(node.pid);
    await send(floorUrl, WARM_UP_AUCTIONS);
    await send(exchangeUrl, WARM_UP_AUCTIONS);
    const pairs: Pair[] = [];
    for (let index = 0; index < PAIRS; index += 1) {
      const floorUs = await measure([floorPid], () => send(floorUrl, AUCTIONS_PER_SAMPLE));
      const before = cpuOf(nodePids);
      const exchangeUs = await measure([exchangePid], () => send(exchangeUrl, AUCTIONS_PER_SAMPLE));
      const nodeUs = (cpuOf(nodePids) - before) / 1_000 / AUCTIONS_PER_SAMPLE;
      pairs.push({ floorUs, exchangeUs, nodeUs });
      console.log(
        `pair ${index + 1}: floor ${floorUs.toFixed(0)} µs, exchange ${exchangeUs.toFixed(0)} µs (${(exchangeUs / floorUs).toFixed(2)} ×), all processes ${nodeUs.toFixed(0)} µs (${(nodeUs / floorUs).toFixed(2)} ×)`,
      );
    }
    return report(pairs);
  });
}

function report(pairs: readonly Pair[]): object {
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
  const [low, high] = result.all_processes_spread;
  console.log(
    `all processes/floor ${result.all_processes_ratio.toFixed(2)} (quartiles ${low.toFixed(2)} to ${high.toFixed(2)})`,
  );
  const [lower, upper] = result.ratio_spread;
  console.log(
    `exchange/floor quartiles ${lower.toFixed(2)} to ${upper.toFixed(2)}, ${PAIRS} pairs`,
  );
  console.log(`exchange/floor ${ratio.toFixed(2)}`);
  return result;
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

/** @throws Error when one of the requests is not answered with 200 */
export async function send(url: string, requests: number): Promise<void> {
  const result = await run(url, requests);
  if (result.statuses['200'] !== requests) {
    throw new Error(`${url}: not all of ${requests} answered 200: ${JSON.stringify(result)}`);
  }
}

/**
 * To processes that have just started, which may not be in time at first.
 *
 * @returns how many auctions there were.
 */
export async function warmUp(url: string, requests: number): Promise<number> {
  const { statuses } = await run(url, requests);
  return (statuses['200'] ?? 0) + (statuses['204'] ?? 0);
}

function run(url: string, requests: number): Promise<LoadResult> {
  return runClosedLoop({
    url,
    workers: WORKERS,
    requests,
    next: () => PUBLISHER_REQUEST,
    durationMaxMs: DURATION_MAX_MS,
  });
}
