import { readdirSync, readFileSync } from 'node:fs';
import type { AuctionRecord, BidRecord } from '../../src/events/auction-record.ts';
import type { AuctionTrace } from '../../src/events/trace-record.ts';
import { dollarsFromMicros } from '../../src/base/money.ts';
import { table } from './table.ts';

const FOLDER = new URL('../../test/auctions/exemplary/', import.meta.url);

/** What a golden auction says that its chapter is made of; `test/stores/auctions.test.ts` holds the rest. */
interface Example {
  readonly description: string;
  readonly expected: {
    readonly calls: readonly unknown[];
    readonly record: AuctionRecord | null;
    readonly trace: AuctionTrace | null;
  };
}

/** `docs/reference/auctions.md`: the exemplary auctions of the tests, in words and tables. */
export function auctionsReference(): string {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  const chapters = names.toSorted().flatMap((name) => chapter(name, readExample(name)));
  return [
    '# Auctions by example',
    '',
    '<!-- Written by "npm run gen" from test/auctions/exemplary; change it there. -->',
    '',
    'Each of these auctions is a test: a file with the publisher’s request, what each bidder answers,',
    'and everything that follows from it, compared whole: the bid requests, the answer, the records and',
    'the trace. The bidders are those of `examples/exchange.yaml`: 1001 (Acme DSP) and 1002 (Bolt DSP).',
    'Prices are USD CPM. A bid’s reason is 0 where it won, else the loss reason of OpenRTB 2.5, with the',
    'values that were compared.',
    '',
    ...chapters,
  ].join('\n');
}

function readExample(name: string): Example {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

function chapter(name: string, { description, expected }: Example): string[] {
  const { record, trace } = expected;
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}`;
  return [
    `## ${titleOf(name)}`,
    '',
    `${sentence.replace(/\.$/, '')}. From \`test/auctions/exemplary/${name}\`.`,
    '',
    ...(record === null ? [] : [...callsTable(record), ...bidsTable(record, trace)]),
  ];
}

/** A file's name in words. */
function titleOf(name: string): string {
  const words = name.replace(/\.json$/, '').replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function callsTable({ calls }: AuctionRecord): string[] {
  if (calls.length === 0) return ['Nobody is asked.', ''];
  const rows = calls.map(({ demand_partner_id: partner, imp, lineitem_ids: ids, ...call }) => [
    String(partner),
    String(imp + 1),
    ids.join(', '),
    call.outcome,
    call.reason,
  ]);
  const head = ['Bid request to', 'First impression', 'Line items', 'Outcome', 'Reason'];
  return [...table(head, rows), ''];
}

function bidsTable({ bids }: AuctionRecord, trace: AuctionTrace | null): string[] {
  if (bids.length === 0) return [];
  const rows = bids.map((bid, index) => [
    `${bid.demand_partner_id} ${bid.bid_id}`,
    bid.imp < 0 ? '' : String(bid.imp + 1),
    bid.dealid,
    priceOf(bid.price_micros),
    String(bid.loss_reason),
    outcomeOf(bid, trace?.bids[index]?.detail ?? ''),
  ]);
  const head = ['Bid', 'Impression', 'Deal', 'Price', 'Reason', 'What became of it'];
  return [...table(head, rows), ''];
}

function priceOf(micros: number): string {
  return micros === 0 ? '' : String(dollarsFromMicros(micros));
}

function outcomeOf({ loss_reason: reason, clearing_micros: clearing }: BidRecord, detail: string) {
  if (reason === 0) return `wins, pays ${priceOf(clearing)}`;
  return detail === '' ? 'loses' : detail;
}
