import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runClosedLoop } from '../sim/load.ts';
import { startNode } from '../test/support/node.ts';
import { cpuNanoseconds, processTree } from './cpu.ts';
import { benchConfiguration, PUBLISHER_REQUEST, TMAX_MS } from './fixture.ts';
import { onlyPid, pin, startHelper, startStubBidders } from './processes.ts';
import type { Load, OpenLoop } from './open-loop.ts';

/**
 * What becomes of ad requests when there are more than there is time for. First it finds C, the highest rate
 * at which one exchange process answers all, one in a hundred up to 20 ms after `tmax` at most; then it sends 2,
 * 5 and 10 times as many, and lastly ten times as many of one publisher beside five others. Ends with 1 on
 * a miss. Linux with two cores and nothing else on them: the exchange process has one, all others the other.
 *
 * Usage: node bench/overload.ts [--seconds N] [--c RATE]
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, c: { type: 'string' } },
});
const SECONDS = Number(values.seconds);
const PROBE_SECONDS = Math.min(4, SECONDS);
const RECOVERY_SECONDS = 6;
const WARM_UP_AUCTIONS = 15_000;
const BIDDER_PRICES = [1.1, 2.2, 3.3, 1.2, 2.3];
const FLOOD = 0;
/** What the others ask for, as parts of C. */
const OTHERS = [0.2, 0.15, 0.1, 0.04, 0.01];
/** Of what was to be sent, the part that may have left late. */
const NOT_IN_TIME_MAX = 0.01;

const bidders = await startStubBidders(BIDDER_PRICES);
const directory = mkdtempSync(join(tmpdir(), 'rialto-overload-'));
const file = join(directory, 'exchange.yaml');
writeFileSync(file, benchConfiguration(bidders.ports, { publishers: OTHERS.length + 1 }));
const node = await startNode({ file, args: ['--workers', '1'] });
const url = `${node.urls.exchange}/openrtb2/auction`;
const generator = await startHelper('open-loop.ts', [url]);
const misses: string[] = [];
try {
  const exchange = onlyPid(node.pids('exchange'));
  // Until the compiler is done with it: what is new costs several times as much.
  await runClosedLoop({
    url,
    workers: 8,
    requests: WARM_UP_AUCTIONS,
    next: () => PUBLISHER_REQUEST,
  });
  pin([...processTree(node.pid), bidders.helper.pid, generator.pid], 1);
  pin([exchange], 0);
  const c = values.c === undefined ? await findC() : Number(values.c);
  console.log(`C is ${c.toFixed(0)} a second`);
  for (const times of [2, 5, 10]) {
    await checkOverload(times, c, exchange);
    await checkRecovery(c);
  }
  await checkFairness(c);
} finally {
  generator.child.kill();
  await node.stop();
  bidders.helper.child.kill();
  rmSync(directory, { recursive: true });
}
for (const missed of misses) console.log(`missed: ${missed}`);
process.exitCode = misses.length === 0 ? 0 : 1;

/** Sends requests of each publisher at its rate. */
async function load(rates: readonly number[], seconds: number): Promise<OpenLoop> {
  const question: Load = { rates, seconds };
  // The other end is a module of this bench, and says so.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const result = (await generator.ask(question)) as OpenLoop;
  if (result.notInTime > result.sent * NOT_IN_TIME_MAX) {
    miss(
      `the generator sent ${result.notInTime} of ${result.sent} requests too late or not at all`,
    );
  }
  return result;
}

/** What the process itself makes of it, since it began. */
async function tellFigures(): Promise<void> {
  const text = await (await fetch(node.urls.metrics)).text();
  const lines = text.matchAll(/^rialto_auction(?:s_refused_total|_cost_seconds).*$/gm);
  console.log([...lines].map(([line]) => `  ${line}`).join('\n'));
}

/** Doubles the rate until it is too much, then halves the gap four times. */
async function findC(): Promise<number> {
  let low = 200;
  while (await isDone(low * 2)) low *= 2;
  let high = low * 2;
  for (let step = 0; step < 4; step += 1) {
    const middle = (low + high) / 2;
    if (await isDone(middle)) low = middle;
    else high = middle;
  }
  return low;
}

async function isDone(rate: number): Promise<boolean> {
  const { publishers, acceptedP99Ms } = await load([rate], PROBE_SECONDS);
  const [seen] = publishers;
  const isAll = seen !== undefined && seen.good === seen.sent && acceptedP99Ms <= TMAX_MS + 20;
  console.log(`${rate.toFixed(0)} a second: ${isAll ? 'all answered' : JSON.stringify(seen)}`);
  await sleep(500);
  return isAll;
}

async function checkOverload(times: number, c: number, exchange: number): Promise<void> {
  const before = cpuNanoseconds(exchange);
  const { publishers, acceptedP99Ms, refusedP99Ms, sent } = await load([times * c], SECONDS);
  const busy = (cpuNanoseconds(exchange) - before) / 1e9 / SECONDS;
  const goodput = (publishers[0]?.good ?? 0) / SECONDS;
  console.log(
    `${times} C: ${(sent / SECONDS).toFixed(0)} a second sent, ${goodput.toFixed(0)} answered in time (${(goodput / c).toFixed(2)} C), accepted p99 ${acceptedP99Ms.toFixed(1)} ms, refused p99 ${refusedP99Ms.toFixed(1)} ms, ${(100 * busy).toFixed(0)} % of a core, ${JSON.stringify(publishers[0])}`,
  );
  if (goodput < 0.9 * c) miss(`goodput at ${times} C is ${(goodput / c).toFixed(2)} C, not 0.9`);
  if (acceptedP99Ms > TMAX_MS + 30)
    miss(`accepted p99 at ${times} C is ${acceptedP99Ms.toFixed(0)} ms`);
  if (refusedP99Ms > 10) miss(`refused p99 at ${times} C is ${refusedP99Ms.toFixed(1)} ms, not 10`);
}

async function checkRecovery(c: number): Promise<void> {
  const { lastRefusalMs, publishers } = await load([c / 2], Math.min(SECONDS, RECOVERY_SECONDS));
  console.log(
    `then C / 2: last refusal after ${(lastRefusalMs / 1_000).toFixed(1)} s, ${JSON.stringify(publishers[0])}`,
  );
  await tellFigures();
  if (lastRefusalMs > 5_000) miss(`recovery takes ${(lastRefusalMs / 1_000).toFixed(1)} s, not 5`);
}

async function checkFairness(c: number): Promise<void> {
  const others = OTHERS.map((part) => part * c);
  const before = await load([c / 10, ...others], SECONDS);
  const during = await load([10 * c, ...others], SECONDS);
  const kept = others.map((_, index) => {
    const [had, has] = [before, during].map(({ publishers }) => publishers[index + 1]?.good ?? 0);
    return (has ?? 0) / Math.max(1, had ?? 0);
  });
  console.log(
    `one publisher at 10 C: it gets ${((during.publishers[FLOOD]?.good ?? 0) / SECONDS / c).toFixed(2)} C, the others keep ${kept.map((part) => part.toFixed(2)).join(', ')}`,
  );
  for (const [index, part] of kept.entries()) {
    if (part < 0.9)
      miss(`a publisher at ${OTHERS[index]} C keeps ${part.toFixed(2)} beside one at 10 C`);
  }
}

function miss(what: string): void {
  misses.push(what);
}
