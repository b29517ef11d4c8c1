import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { TraceRecord } from '../../src/events/trace-record.ts';
import { readJournal } from '../../src/journal/read.ts';
import { startBidder, type SimBidder } from '../../sim/bidder.ts';
import type { BidderProfile } from '../../sim/profile.ts';
import { startNode, type StartedNode } from './node.ts';

const EXAMPLE = new URL('../../examples/exchange.yaml', import.meta.url);

export interface ExchangeOptions {
  readonly t: TestContext;
  readonly acme?: Partial<BidderProfile>;
  readonly bolt?: Partial<BidderProfile>;
  readonly args?: readonly string[];
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
  writeFileSync(file, edit(yaml));
  const node = await startNode({ t, file, args: options.args ?? [] });
  return {
    node,
    acme,
    bolt,
    ask: (body, headers) => ask(`${node.urls.exchange}/openrtb2/auction`, body, headers),
    records: async () => (await readAll<MoneyRecord>(node, 'money')).filter(isAuction),
    traces: () => readAll<TraceRecord>(node, 'trace'),
  };
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
    tmax: 400,
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
