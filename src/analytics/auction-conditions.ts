import type { CallOutcome } from '../events/auction-record.ts';
import type { SqlParameter } from '../ports/analytics-store.ts';

/** A place between two auctions of a list: what comes next is earlier. */
export interface AuctionPlace {
  /** Unix time in milliseconds. */
  readonly atMs: number;
  /** The last auction of that millisecond that was told; empty for none of it. */
  readonly auctionId: string;
}

/** Which auctions are listed. What is null is not asked for. */
export interface AuctionListQuestion {
  /** Unix time in milliseconds; `toMs` is not included. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly before: AuctionPlace | null;
  readonly limit: number;
  /** Those in which this partner had a call, if only one that was held back. */
  readonly demandPartnerId: number | null;
  /** The partner asks for itself: of ad spaces and countries it is told what its bid requests said. */
  readonly isForPartner: boolean;
  readonly publisherId: number | null;
  readonly adSpaceId: number | null;
  readonly country: string | null;
  readonly adFormat: string | null;
  /** Of a call that matched it, and where a loss reason is asked for, of its bid. */
  readonly lineItemId: number | null;
  readonly outcome: CallOutcome | null;
  /** Of a call: `http_500`, `bidder_qps`. */
  readonly reason: string | null;
  /** Of a bid; 0 won. */
  readonly lossReason: number | null;
  readonly filled: boolean | null;
}

/** What a WHERE has beside the time, and the parameters in it. */
export interface Conditions {
  readonly conditions: readonly string[];
  readonly parameters: Readonly<Record<string, SqlParameter>>;
}

/** Names of columns and conditions are written here; what was asked for goes in as parameters. */
export function conditionsOf(question: AuctionListQuestion): Conditions {
  const { publisherId, country, filled } = question;
  const conditions: string[] = [];
  if (publisherId !== null) conditions.push('publisher_id = {publisher_id:UInt64}');
  if (country !== null) conditions.push('country_code = {country:String}');
  if (filled !== null) conditions.push(`${filled ? '' : 'NOT '}has(money.imps.filled, 1)`);
  for (const terms of [callTerms(question), bidTerms(question), impTerms(question)]) {
    if (terms.length > 0) conditions.push(existsOf(terms));
  }
  const parameters = {
    publisher_id: publisherId ?? 0,
    country: country ?? '',
    partner: question.demandPartnerId ?? 0,
    lineitem_id: question.lineItemId ?? 0,
    outcome: question.outcome ?? '',
    reason: question.reason ?? '',
    loss_reason: question.lossReason ?? 0,
    zone_id: question.adSpaceId ?? 0,
    ad_format: question.adFormat ?? '',
  };
  return { conditions, parameters };
}

/** What must hold of an element, which is called `$`, of one of several parallel arrays. */
type Term = readonly [column: string, holds: string];

function callTerms(question: AuctionListQuestion): Term[] {
  const { demandPartnerId, isForPartner, lineItemId, outcome, reason } = question;
  const terms: Term[] = [];
  if (demandPartnerId !== null) terms.push(['calls.demand_partner_id', '$ = {partner:UInt64}']);
  if (lineItemId !== null) terms.push(['calls.lineitem_ids', 'has($, {lineitem_id:UInt64})']);
  if (outcome !== null) terms.push(['calls.outcome', '$ = {outcome:String}']);
  if (reason !== null) terms.push(['calls.reason', '$ = {reason:String}']);
  if (!isForPartner) return terms;
  // Who was sent nothing was told nothing of the person.
  if (question.country !== null) terms.push(['calls.outcome', `$ != 'throttled'`]);
  for (const [column, holds] of placeTerms(question)) {
    terms.push(['calls.imp', holds.replace('$', `money.${column}[$ + 1]`)]);
  }
  return terms;
}

function bidTerms({ demandPartnerId, lineItemId, lossReason }: AuctionListQuestion): Term[] {
  if (lossReason === null) return [];
  const terms: Term[] = [['bids.loss_reason', '$ = {loss_reason:UInt64}']];
  if (demandPartnerId !== null) terms.push(['bids.demand_partner_id', '$ = {partner:UInt64}']);
  if (lineItemId !== null) terms.push(['bids.lineitem_id', '$ = {lineitem_id:UInt64}']);
  return terms;
}

function impTerms(question: AuctionListQuestion): Term[] {
  return question.isForPartner ? [] : placeTerms(question);
}

function placeTerms({ adSpaceId, adFormat }: AuctionListQuestion): Term[] {
  const terms: Term[] = [];
  if (adSpaceId !== null) terms.push(['imps.zone_id', '$ = {zone_id:UInt64}']);
  if (adFormat !== null) terms.push(['imps.ad_format', '$ = {ad_format:String}']);
  return terms;
}

/** That one call, bid or impression is all that is asked for. */
function existsOf(terms: readonly Term[]): string {
  const columns = [...new Set(terms.map(([column]) => column))];
  const nameOf = (column: string): string => `each_${column.replaceAll('.', '_')}`;
  const holds = terms.map(([column, text]) => text.replace('$', nameOf(column))).join(' AND ');
  const arrays = columns.map((column) => `money.${column}`).join(', ');
  return `arrayExists((${columns.map(nameOf).join(', ')}) -> ${holds}, ${arrays})`;
}
