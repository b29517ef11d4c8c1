import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { request } from 'undici';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { TraceRecord } from '../../src/events/trace-record.ts';
import { readJournal } from '../../src/journal/read.ts';
import { startBidder, type SimBidder } from '../../sim/bidder.ts';
import type { BidderProfile } from '../../sim/profile.ts';
import { beaconRecords } from './beacons.ts';
import { startNode, type Lifetime, type StartedNode } from './node.ts';
import { until } from './wait.ts';

const PATIENCE_MS = 5_000;
const LEASED_MS = 5_000;

const EXAMPLE = new URL('../../examples/exchange.yaml', import.meta.url);

export interface ExchangeOptions {
  readonly t: Lifetime;
  readonly acme?: Partial<BidderProfile>;
  readonly bolt?: Partial<BidderProfile>;
  readonly args?: readonly string[];
  /** The node's, beside the test's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the configuration file, whose bidders' addresses are already right. */
  readonly edit?: (yaml: string) => string;
}

/** The example exchange as a whole: its node and both of its bidders, all real processes and sockets. */
export interface StartedExchange {
  readonly node: StartedNode;
  readonly acme: SimBidder;
  readonly bolt: SimBidder;
  /** Posts an ad request; a text goes out as it is. */
  ask(body: object | string, headers?: Readonly<Record<string, string>>): Promise<Asked>;
  /** The records of all auctions so far. */
  records(): Promise<readonly AuctionRecord[]>;
  traces(): Promise<readonly TraceRecord[]>;
  /** Every beacon that was counted so far. */
  beacons(): Promise<readonly BeaconRecord[]>;
}

export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export async function startExchange(options: ExchangeOptions): Promise<StartedExchange> {
  const { t, edit = (yaml) => yaml } = options;
  const acme = await startBidder({
    profile: { name: 'Acme', seats: ['acme-1'], ...options.acme },
    seed: 'acme',
  });
  const bolt = await startBidder({
    profile: { name: 'Bolt', seats: ['bolt-1'], ...options.bolt },
    seed: 'bolt',
  });
  const directory = mkdtempSync(join(tmpdir(), 'rialto-test-'));
  t.after(async () => {
    await Promise.all([acme.close(), bolt.close()]);
    rmSync(directory, { recursive: true });
  });
  const file = join(directory, 'exchange.yaml');
  const yaml = readFileSync(EXAMPLE, 'utf8')
    .replace('http://127.0.0.1:9101/bid', acme.url)
    .replace('http://127.0.0.1:9102/bid', bolt.url);
  writeFileSync(file, edit(patient(yaml)));
  const node = await startNode({ t, file, args: options.args ?? [], env: options.env ?? {} });
  await leased(node);
  return {
    node,
    acme,
    bolt,
    ask: (body, headers) => ask(`${node.urls.exchange}/openrtb2/auction`, body, headers),
    records: async () => (await readAll<MoneyRecord>(node, 'money')).filter(isAuction),
    traces: () => readAll<TraceRecord>(node, 'trace'),
    beacons: () => beaconRecords(node.dataDirectory),
  };
}

/** A node is ready before its first lease is there, and without it nothing is asked that has a rate. */
export async function leased({ urls }: Pick<StartedNode, 'urls'>): Promise<void> {
  await until('every exchange process has a lease', LEASED_MS, async () => {
    const { body } = await request(urls.metrics);
    const expired = (await body.text()).matchAll(/^rialto_leases_expired\{.*\} (\d)$/gm);
    const values = Array.from(expired, ([, value]) => value);
    return values.length > 0 && values.every((value) => value === '0');
  });
}

/** What the bidders of a shared exchange are like during one test. */
export type SharedBidders = Pick<ExchangeOptions, 'acme' | 'bolt'>;

/**
 * One exchange for all tests of a file, which depend on nothing of each other: each has the bidders
 * that it wants and sees what came since it began. A node costs two seconds of a processor.
 */
export function shareExchange(
  options: Omit<ExchangeOptions, 't'> = {},
): (t: TestContext, bidders?: SharedBidders) => Promise<StartedExchange> {
  const lifetime = fileLifetime();
  let starting: Promise<StartedExchange> | undefined;
  return async (t, bidders = {}) => {
    starting ??= startExchange({ ...options, t: lifetime });
    const exchange = await starting;
    const { node, acme, bolt } = exchange;
    acme.become({ ...options.acme, ...bidders.acme });
    bolt.become({ ...options.bolt, ...bidders.bolt });
    for (const bidder of [acme, bolt]) bidder.respondWith(() => 'default');
    const before = node.output().length;
    t.after(() => {
      if (!t.passed) console.error(`The node wrote:\n${node.output().slice(before)}`);
    });
    return {
      ...exchange,
      acme: since(acme),
      bolt: since(bolt),
      records: await onlyNew(() => exchange.records()),
      traces: await onlyNew(() => exchange.traces()),
      beacons: await onlyNew(() => exchange.beacons()),
    };
  };
}

/** Ends with the file, one hook after the other in the order in which they were added. */
function fileLifetime(): Lifetime {
  const hooks: (() => void | Promise<void>)[] = [];
  after(async () => {
    for (const hook of hooks) await hook();
  });
  return { passed: true, after: (hook) => void hooks.push(hook) };
}

/** The bidder, without the requests that it has had. */
function since(bidder: SimBidder): SimBidder {
  const before = new Set(bidder.requests);
  return Object.create(bidder, {
    requests: { get: () => bidder.requests.filter((each) => !before.has(each)) },
  });
}

/** Reads what was not there yet. */
async function onlyNew<T extends object>(
  read: () => Promise<readonly T[]>,
): Promise<() => Promise<readonly T[]>> {
  const before = new Set((await read()).map((each) => JSON.stringify(each)));
  return async () => (await read()).filter((each) => !before.has(JSON.stringify(each)));
}

/** The configuration with time for auctions: on a busy machine a bidder may take long to answer. */
export function patient(yaml: string): string {
  return yaml
    .replaceAll('timeout_ms: 200', `timeout_ms: ${PATIENCE_MS}`)
    .replace(
      '  name: Rialto\n',
      `  name: Rialto\n  tmax_default_ms: ${PATIENCE_MS}\n  tmax_max_ms: ${PATIENCE_MS}\n`,
    );
}

/** A banner in the example's app, asked for by a phone in the United States. */
export function bannerRequest(differs: object = {}): object {
  return {
    id: 'request-1',
    imp: [{ id: 'imp-1', tagid: '4001', banner: { w: 320, h: 50 } }],
    app: { id: '3001', publisher: { id: '2001' } },
    device: {
      ip: '8.8.8.8',
      ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    },
    tmax: PATIENCE_MS,
    ...differs,
  };
}

async function ask(
  url: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: await answer.body.text(),
  };
}

function isAuction(record: MoneyRecord): record is AuctionRecord {
  return record.kind === 'auction';
}

async function readAll<Record>(node: StartedNode, stream: 'money' | 'trace'): Promise<Record[]> {
  const directory = join(node.dataDirectory, 'journal');
  const records: Record[] = [];
  for await (const { text } of readJournal({ directory, stream })) records.push(JSON.parse(text));
  return records;
}
