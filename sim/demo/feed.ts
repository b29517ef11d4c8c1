import { parse } from 'yaml';
import { dollarsFromMicros } from '../../src/base/money.ts';
import type { AuctionRecord, BidRecord, CallRecord } from '../../src/events/auction-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { LossReason } from '../../src/openrtb/loss-reason.ts';
import { DemoMoney } from './money.ts';

/** How often the sum of everything so far is printed, in milliseconds. */
const SUM_EVERY_MS = 10_000;

/** Turns the records of the journal into lines that a person can follow as they scroll by. */
export class DemoFeed {
  readonly #partners = new Map<number, string>();
  readonly #publishers = new Map<number, string>();
  readonly #adSpaces = new Map<number, string>();
  #auctions = 0;
  #filled = 0;
  #sumDueMs: number | null = null;
  readonly #money = new DemoMoney({
    partner: (id) => this.#partners.get(id) ?? String(id),
    publisher: (id) => this.#publishers.get(id) ?? String(id),
  });

  /** @param configuration the file that the exchange runs on, for the names of what it holds. */
  constructor(configuration: string) {
    const { demand_partners: partners, publishers }: Named = parse(configuration);
    for (const { id, name } of partners) this.#partners.set(id, name);
    for (const { id: publisherId, name: publisher, apps = [], sites = [] } of publishers) {
      this.#publishers.set(publisherId, publisher);
      for (const { ad_spaces: adSpaces } of [...apps, ...sites]) {
        for (const { id, name } of adSpaces) this.#adSpaces.set(id, name);
      }
    }
  }

  /** A record in one line; null for one that is in the sum alone. */
  describe(record: MoneyRecord): string | null {
    return record.kind === 'auction' ? this.#describeAuction(record) : this.#money.take(record);
  }

  /** The sum of everything so far, when it is time for one. */
  sumWhenDue(nowMs: number): string | null {
    this.#sumDueMs ??= nowMs + SUM_EVERY_MS;
    if (nowMs < this.#sumDueMs) return null;
    this.#sumDueMs = nowMs + SUM_EVERY_MS;
    return this.sum();
  }

  sum(): string {
    const fill = this.#auctions === 0 ? 0 : (100 * this.#filled) / this.#auctions;
    return `── ${this.#auctions} auctions, ${fill.toFixed(0)} % filled; ${this.#money.sum()}`;
  }

  /**
   * One auction in one line: where, what it came to, and why the others did not win. Of several
   * impressions the first is shown, and the first winner.
   */
  #describeAuction(record: AuctionRecord): string {
    const [imp] = record.imps;
    const winner = record.bids.find(({ loss_reason: reason }) => reason === LossReason.Won);
    this.#auctions += 1;
    if (winner !== undefined) this.#filled += 1;
    const place = [
      new Date(record.at_ms).toISOString().slice(11, 19),
      (this.#adSpaces.get(imp?.zone_id ?? 0) ?? 'ad space').padEnd(21),
      (imp?.ad_format ?? '').padEnd(6),
      (record.country_code || '–').padEnd(3),
    ].join('  ');
    const won = winner === undefined ? 'no winner'.padEnd(42) : this.#describeWin(winner);
    const open = winner !== undefined && record.fd === 1 ? '; the publisher decides' : '';
    return `${place}  ${won}  ${describeCalls(record.calls)}${describeLosses(record.bids)}${open}`;
  }

  #describeWin({
    demand_partner_id: id,
    price_micros: price,
    clearing_micros: paid,
  }: BidRecord): string {
    const name = (this.#partners.get(id) ?? String(id)).padEnd(13);
    const bid = dollarsFromMicros(price).toFixed(2).padStart(5);
    const pays = dollarsFromMicros(paid).toFixed(2).padStart(5);
    return `${name} bid ${bid}, pays ${pays} USD CPM`;
  }
}

/** What the feed reads of a configuration. */
interface Named {
  readonly demand_partners: readonly NamedItem[];
  readonly publishers: readonly (NamedItem & {
    readonly apps?: readonly { readonly ad_spaces: readonly NamedItem[] }[];
    readonly sites?: readonly { readonly ad_spaces: readonly NamedItem[] }[];
  })[];
}

interface NamedItem {
  readonly id: number;
  readonly name: string;
}

function describeCalls(calls: readonly CallRecord[]): string {
  if (calls.length === 0) return 'nobody matched';
  const outcomes = count(calls.map(describeOutcome));
  return `${calls.length} matched: ${outcomes}`;
}

/** Why a partner was not asked, or could not be, is worth a word more. */
function describeOutcome({ outcome, reason }: CallRecord): string {
  const said = outcome === 'throttled' || outcome === 'error' ? ` (${reason})` : '';
  return `${outcome.replace('_', '-')}${said.replaceAll('_', ' ')}`;
}

const REASONS = new Map<number, string>(
  Object.entries(LossReason).map(([name, code]) => [code, inWords(name)]),
);

function describeLosses(bids: readonly BidRecord[]): string {
  const lost = bids
    .filter(({ loss_reason: reason }) => reason !== LossReason.Won)
    .map(({ loss_reason: reason }) => REASONS.get(reason) ?? String(reason));
  return lost.length === 0 ? '' : `; bids lost: ${count(lost)}`;
}

/** "2 bid, 1 timeout": how often each word stands in the list, in the order of first appearance. */
function count(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, times]) => `${times} ${word}`).join(', ');
}

/** `LostToHigherBid` as "lost to higher bid". */
function inWords(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
