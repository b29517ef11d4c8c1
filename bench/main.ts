import { mkdirSync, writeFileSync } from 'node:fs';
import { measureDrained } from './drained.ts';
import { measureExchange } from './exchange.ts';
import { measureIdle } from './idle.ts';
import { measureLoader } from './loader-alone.ts';

/**
 * CPU time per auction beside that of a bare relay on the same libraries, within one run: of the exchange
 * process, and of the whole node until the auction is in the reports; what one loader takes, and what an
 * idle node uses. Linux only: it reads the kernel's counters. It says which bars are missed, and ends with
 * 1 then.
 *
 * Usage: node bench/main.ts [exchange] [drained] [loader] [idle]; all of them by default.
 */
const LOADING_RATIO_MAX = 0.6;
const LOADING_BARS_AT: ReadonlySet<number> = new Set([3, 10, 30]);
const RECORDS_PER_CORE_SECOND_MIN = 25_000;
const IDLE_SHARE_MAX = 0.01;

const asked = process.argv.slice(2);
const isAsked = (part: string): boolean => asked.length === 0 || asked.includes(part);

const exchange = isAsked('exchange') ? await measureExchange() : null;
const drained = isAsked('drained') ? await measureDrained() : [];
const loader = isAsked('loader') ? await measureLoader() : [];
const idle = isAsked('idle') ? await measureIdle() : null;

const results = new URL('results/', import.meta.url);
mkdirSync(results, { recursive: true });
const text = JSON.stringify({ exchange, drained, loader, idle }, null, 2);
writeFileSync(new URL('latest.json', results), `${text}\n`);

const missed = [
  ...drained
    .filter(({ bidders }) => LOADING_BARS_AT.has(bidders))
    .filter(({ loadingRatio }) => loadingRatio > LOADING_RATIO_MAX)
    .map(
      ({ bidders, loadingRatio }) =>
        `courier and control at ${bidders} bidders: ${loadingRatio.toFixed(2)} of the floor, not ${LOADING_RATIO_MAX}`,
    ),
  ...loader
    .filter(({ recordsPerCoreSecond }) => recordsPerCoreSecond < RECORDS_PER_CORE_SECOND_MIN)
    .map(
      ({ nodes, recordsPerCoreSecond }) =>
        `a loader of ${nodes} nodes: ${recordsPerCoreSecond.toFixed(0)} records a second of a core, not ${RECORDS_PER_CORE_SECOND_MIN}`,
    ),
  ...(idle !== null && idle > IDLE_SHARE_MAX
    ? [`an idle node: ${(idle * 100).toFixed(2)} % of a core, not ${IDLE_SHARE_MAX * 100} %`]
    : []),
];
for (const each of missed) console.log(`missed: ${each}`);
process.exitCode = missed.length > 0 ? 1 : 0;
