import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runClosedLoop } from '../sim/load.ts';
import { startNode } from '../test/support/node.ts';
import { benchConfiguration, PUBLISHER_REQUEST } from './fixture.ts';
import { cpuNanoseconds, processTree } from './cpu.ts';
import { median, spread } from './statistics.ts';

/**
 * CPU time per auction of the exchange process, beside that of a bare relay on the same libraries,
 * measured in alternating pairs within one run, because machines are noisy and ratios are not.
 * Linux only: it reads the scheduler's counters. The last line is `exchange/floor RATIO`.
 */
const PAIRS = 12;
const AUCTIONS_PER_SAMPLE = 3_000;
/** Enough for the compiler to be done with both: what it still compiles would be measured as work. */
const WARM_UP_AUCTIONS = 30_000;
const WORKERS = 16;
const BIDDER_PRICES = [1.1, 2.2, 3.3];

interface Pair {
  readonly floorUs: number;
  readonly exchangeUs: number;
  /** All processes of the node together, so that moved work is not mistaken for saved work. */
  readonly nodeUs: number;
}

const bidders = await startHelper('stub-bidders.ts', BIDDER_PRICES.map(String));
const ports = readPorts(bidders.ready);
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
    floor: pidOf(floor.child),
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
  bidders.child.kill();
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

interface Helper {
  readonly child: ChildProcess;
  /** The one line that it prints when it is ready. */
  readonly ready: unknown;
}

async function startHelper(name: string, args: readonly string[]): Promise<Helper> {
  const path = new URL(name, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error(`${name} has no output`);
  const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, ready: JSON.parse(String(line)) };
}

function readPorts(ready: unknown): number[] {
  if (typeof ready !== 'object' || ready === null || !('ports' in ready))
    throw new Error('no ports');
  if (!Array.isArray(ready.ports)) throw new Error('no ports');
  return ready.ports.map(Number);
}

function readPort(ready: unknown): number {
  if (typeof ready !== 'object' || ready === null || !('port' in ready)) throw new Error('no port');
  return Number(ready.port);
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('a process that did not start');
  return child.pid;
}

function onlyPid(pids: readonly number[]): number {
  const [pid] = pids;
  if (pid === undefined || pids.length > 1) throw new Error(`${pids.length} exchange processes`);
  return pid;
}
