import {
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { parse, stringify } from 'yaml';
import { CommandError } from '../../src/base/errors.ts';
import { messageOf } from '../../src/base/unknown-error.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { readJournal } from '../../src/journal/read.ts';
import { metricsUrl } from '../../src/roles/reachable.ts';
import { runSupervisor } from '../../src/roles/supervisor.ts';
import { demoSignIns } from './sign-ins.ts';
import { DemoFeed } from './feed.ts';
import { writeHistory } from './history-writer.ts';
import { Companion } from './companion.ts';

/** What `rialto demo` can be told beyond the settings of a node. */
export interface DemoOptions {
  /** Ad requests a second. */
  readonly rate: number;
  /** All traffic and all bids follow from it. */
  readonly seed: string;
  /** The settings of the node, by flag. */
  readonly flags: Readonly<Record<string, string | undefined>>;
}

const SIMULATOR = fileURLToPath(new URL('../main.ts', import.meta.url));
const CONFIGURATION = fileURLToPath(new URL('../../examples/demo.yaml', import.meta.url));
/** Beside the data: what the demo prints is for people. */
const LOG = 'rialto.log';
const EXIT_USAGE = 2;
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A shell's exit code of a process that a signal ended is this and the signal's number. */
const SIGNAL_EXIT = 128;

/**
 * Runs an exchange with simulated bidders and publishers on a fresh data directory, and prints its
 * auctions and what becomes of their ads as it is recorded. Everything that it starts ends with it.
 *
 * @returns the exit code.
 * @throws CommandError when a part cannot start.
 */
export async function demoCommand(
  options: DemoOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const directory = makeDirectory();
  const handOver = removeOnSignal(directory);
  const logFd = openSync(join(directory, LOG), 'a', 0o600);
  const startPart = (...args: readonly string[]) => new Companion(SIMULATOR, args, logFd);
  const bidders = startPart('bidders', '--config', CONFIGURATION, '--seed', options.seed);
  const publishers: Companion[] = [];
  const ended = new AbortController();
  try {
    const endpoints = readEndpoints(await bidders.firstLine('the simulated bidders'));
    const file = join(directory, 'demo.yaml');
    writeFileSync(file, configure(endpoints));
    const read = readSettings(
      {
        '--log-level': 'warn',
        '--host': '127.0.0.1',
        ...options.flags,
        '--data': join(directory, 'data'),
        '--apply': file,
      },
      // It has a store of its own, whatever the one of this machine's exchange.
      { ...environment, RIALTO_DATABASE_URL: undefined },
    );
    if (!read.ok) {
      for (const problem of read.problems) console.error(problem);
      return EXIT_USAGE;
    }
    const feeding: Promise<void>[] = [];
    // From here on the supervisor answers to signals, and it ends the demo by one as well.
    handOver();
    const onReady = (settings: Settings): void => {
      const configuration = readFileSync(file, 'utf8');
      printWelcome(settings, options, configuration);
      const traffic = startPart('publishers', ...trafficOptions(settings, file, options));
      traffic.drain();
      const site = startPart('site', '--config', file, '--url', settings.exchangeUrl ?? '');
      publishers.push(traffic, site);
      endWith([bidders, traffic, site], ended.signal, () => keepLog(directory));
      const source = { configuration, rate: options.rate };
      const journal = join(settings.dataDirectory, 'journal');
      feeding.push(writeHistory(journal, source, ended.signal).catch(reportHistory));
      feeding.push(announceSite(site).catch(reportSite));
      feeding.push(printRecords(settings, file, ended.signal).catch(reportFeed));
    };
    const code = await runSupervisor(read.settings, { onReady, logFd, hangUpStops: true });
    ended.abort();
    await Promise.all(feeding);
    return code;
  } catch (error) {
    keepLog(directory);
    throw error;
  } finally {
    ended.abort();
    for (const companion of [...publishers, bidders]) await companion.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function makeDirectory(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'rialto-demo-'));
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandError(`${tmpdir()} cannot hold the demo's data (${reason}); set TMPDIR.`);
  }
}

/**
 * Until the supervisor runs, a signal ends the demo at once, and leaves no directory behind.
 *
 * @returns what leaves signals to the supervisor.
 */
function removeOnSignal(directory: string): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    rmSync(directory, { recursive: true, force: true });
    process.exit(SIGNAL_EXIT + constants.signals[signal]);
  };
  for (const signal of END_SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, onSignal);
  };
}

/** Half a demo is none: it ends when one of its parts does, or when nobody reads what it prints. */
function endWith(
  companions: readonly Companion[],
  ended: AbortSignal,
  onFailure: () => void,
): void {
  const end = (why: string): void => {
    if (ended.aborted) return;
    console.error(`The demo ends: ${why}.`);
    onFailure();
    process.kill(process.pid, 'SIGTERM');
  };
  for (const companion of companions) {
    void companion.ended.then(() => end('a simulated part has ended'));
  }
  process.stdout.on('error', () => end('nobody reads its output'));
}

/** What was logged says why it failed; the rest of the directory goes. */
function keepLog(directory: string): void {
  const log = join(directory, LOG);
  if (statSync(log).size === 0) return;
  copyFileSync(log, `${directory}.log`);
  console.error(`The log is kept at ${directory}.log.`);
}

/** The demo's configuration with the addresses of the simulated bidders put in, for bids and for user matching. */
function configure(endpoints: ReadonlyMap<number, string>): string {
  const document: unknown = parse(readFileSync(CONFIGURATION, 'utf8'), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('bidder' in value)) return value;
    const endpoint = 'id' in value ? endpoints.get(Number(value.id)) : undefined;
    if (endpoint === undefined) return value;
    // A page's browser is sent there to be matched with the partner's own id of it.
    const matching = new URL('/match?redirect=', endpoint).href;
    return {
      ...value,
      bidder: { ...Object(value.bidder), endpoint, sync_url: `${matching}\${REDIRECT}` },
    };
  });
  return stringify(document);
}

/** By demand partner id. */
function readEndpoints(line: string): ReadonlyMap<number, string> {
  const ready: unknown = JSON.parse(line);
  if (typeof ready !== 'object' || ready === null || !('endpoints' in ready)) {
    throw new CommandError(`The simulated bidders said ${line} instead of their addresses.`);
  }
  return new Map(
    Object.entries(Object(ready.endpoints)).map(([id, url]) => [Number(id), String(url)]),
  );
}

function printWelcome(settings: Settings, options: DemoOptions, configuration: string): void {
  const { exchangeUrl, trackerUrl, controlUrl, dataDirectory } = settings;
  console.log(
    [
      '',
      'Rialto demo: a whole exchange with simulated partners, on this machine only.',
      `  ad requests  ${exchangeUrl}/openrtb2/auction`,
      `  beacons      ${trackerUrl}`,
      `  report       ${reportUrl(settings, daysAgo(30))}`,
      `  API          ${controlUrl}/api/, described at ${controlUrl}/reference/`,
      ...(settings.console === 'off' ? [] : [`  console      ${controlUrl}/`]),
      ...demoSignIns(configuration).map(
        ({ who, email, password }) => `    as ${who.padEnd(18)}${email}, password ${password}`,
      ),
      `  programs     npx rialto login --url ${controlUrl} --client-id ops (secret: ops-secret)`,
      `  metrics      ${metricsUrl(settings)}`,
      `  data         ${dataDirectory} (removed at the end)`,
      `  log          ${join(dirname(dataDirectory), LOG)} (warnings and errors of its processes)`,
      `  traffic      ${options.rate} ad requests a second, seed ${options.seed}; Ctrl-C ends the demo`,
      '  history      months before now, written within two minutes, the newest days first',
      '',
    ].join('\n'),
  );
}

const REPORT_TOKEN = 'acme-report-token';
/** The account gets a hundred an hour; most are left to whoever tries the address. */
const REPORT_EVERY_MS = 120_000;

/** The address of the first partner's report. */
function reportUrl({ controlUrl }: Settings, startDate: string): string {
  return `${controlUrl}/reporting/brand/demand?account_auth_token=${REPORT_TOKEN}&start_date=${startDate}&end_date=${daysAgo(0)}`;
}

/** What the first partner's report says of today, in its own words. */
async function describeReport(settings: Settings): Promise<string> {
  const answer = await request(reportUrl(settings, daysAgo(0)));
  const text = await answer.body.text();
  return `   report of Acme DSP: ${text}`;
}

/** A UTC day as reports write it. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

function trafficOptions(
  { exchangeUrl }: Settings,
  file: string,
  { rate, seed }: DemoOptions,
): readonly string[] {
  const url = `http://127.0.0.1:${new URL(exchangeUrl ?? '').port}`;
  return ['--config', file, '--url', url, '--rate', String(rate), '--seed', seed];
}

async function announceSite(site: Companion): Promise<void> {
  const { url }: { url?: string } = JSON.parse(await site.firstLine('the page with the tag'));
  console.log(`  page         ${url} (a publisher's, with the tag: open it in a browser)\n`);
}

/** Prints what is new in the journal: each auction, the first of all else, and a sum now and then. */
async function printRecords(settings: Settings, file: string, ended: AbortSignal): Promise<void> {
  const startedMs = Date.now();
  const feed = new DemoFeed(readFileSync(file, 'utf8'));
  const directory = join(settings.dataDirectory, 'journal');
  let reportDueMs = performance.now();
  for await (const { text } of readJournal({ directory, stream: 'money', follow: ended })) {
    const record: MoneyRecord = JSON.parse(text);
    // What was before the demo is for its reports.
    if (record.at_ms < startedMs) continue;
    const line = feed.describe(record);
    if (line !== null) console.log(line);
    const sum = feed.sumWhenDue(performance.now());
    if (sum === null) continue;
    console.log(sum);
    if (performance.now() < reportDueMs) continue;
    reportDueMs = performance.now() + REPORT_EVERY_MS;
    console.log(await describeReport(settings));
  }
  console.log(feed.sum());
}

/** It has ended, which ends the demo. */
function reportSite(error: unknown): void {
  console.error(messageOf(error));
}

/** The exchange goes on without the rest of its history. */
function reportHistory(error: unknown): void {
  console.error(`The history cannot be written: ${String(error)}`);
}

/** The exchange goes on without its feed. */
function reportFeed(error: unknown): void {
  console.error(`What happens can no longer be shown: ${String(error)}`);
}
