import Type from 'typebox';
import { Compile } from 'typebox/compile';

import { AuctionRecordSchema } from '../events/auction-record.ts';
import type { NoticeRecord } from '../events/auction-record.ts';
import { BeaconRecordSchema } from '../events/beacon-record.ts';
import type { DueNotice } from './notice.ts';

/** What the lines of the money stream make due. */
export interface NoticeSink {
  /** To be called at once. */
  onNotice(notice: DueNotice): void;
  /** A loss notice that is due at its `dueMs`, unless the impression was won before. */
  onHeld(notice: DueNotice): void;
  /** A beacon has confirmed that this impression was won. */
  onWon(auctionId: string, imp: number): void;
}

const KIND_LENGTH = '{"kind":"'.length;
const NO_NOTICES = ',"notices":[]';
/** A quote within a string follows a backslash: these bytes stand nowhere but where they are meant. */
const NOTICES = Buffer.from(',"notices":[');
const AFTER_HEAD = Buffer.from(',"publisher_id":');

const headValidator = Compile(
  Type.Pick(AuctionRecordSchema, ['kind', 'auction_id', 'at_ms', 'test']),
);
const noticesValidator = Compile(Type.Pick(AuctionRecordSchema, ['notices']));
const beaconValidator = Compile(
  Type.Pick(BeaconRecordSchema, [
    'kind',
    'auction_id',
    'imp',
    'test',
    'demand_partner_id',
    'lineitem_id',
    'at_ms',
    'notice_url',
  ]),
);

/**
 * Tells the sink what one line of the money stream makes due. Auctions are many and their records
 * long: of one with notices only the beginning and the notices, which stand last, are parsed, and of
 * one without nothing.
 *
 * @param to where the record ends, without its closing brace and what follows it.
 * @returns false when the line is no record of money.
 */
export function readMoneyLine(bytes: Buffer, from: number, to: number, sink: NoticeSink): boolean {
  // The kinds are told apart by their first letter.
  const letter = bytes[from + KIND_LENGTH] ?? 0;
  switch (letter) {
    case 0x61: // auction
      return readAuction(bytes, from, to, sink);
    case 0x77: // win
    case 0x69: // impression
      return readBeacon(`${bytes.toString('utf8', from, to)}}`, sink);
    default:
      return isOtherKind(bytes, from);
  }
}

/** Records that make nothing due. */
function isOtherKind(bytes: Buffer, from: number): boolean {
  return /^\{"kind":"(?:view|click|delivery)"/.test(bytes.toString('latin1', from, from + 24));
}

function readAuction(bytes: Buffer, from: number, to: number, sink: NoticeSink): boolean {
  if (bytes.toString('latin1', to - NO_NOTICES.length, to) === NO_NOTICES) return true;
  const headEnd = bytes.indexOf(AFTER_HEAD, from);
  const noticesAt = bytes.lastIndexOf(NOTICES, to);
  if (headEnd > from && noticesAt > headEnd && noticesAt < to) {
    const head = parse(`${bytes.toString('utf8', from, headEnd)}}`);
    const tail = parse(`{${bytes.toString('utf8', noticesAt + 1, to)}}`);
    if (tellNotices(head, tail, sink)) return true;
  }
  // The same fields in another order, as another version may write them.
  const whole = parse(`${bytes.toString('utf8', from, to)}}`);
  return tellNotices(whole, whole, sink);
}

function tellNotices(head: unknown, tail: unknown, sink: NoticeSink): boolean {
  if (!headValidator.Check(head) || !noticesValidator.Check(tail)) return false;
  if (head.test === 1) return true;
  for (const notice of tail.notices) tellNotice(notice, head.auction_id, head.at_ms, sink);
  return true;
}

function tellNotice(
  { event, bid, imp, demand_partner_id, lineitem_id, unless_won_by_ms, url }: NoticeRecord,
  auctionId: string,
  atMs: number,
  sink: NoticeSink,
): void {
  const isHeld = event === 'loss' && unless_won_by_ms > 0;
  const notice: DueNotice = {
    event,
    auctionId,
    imp,
    bid: event === 'loss' ? bid : -1,
    partnerId: demand_partner_id,
    lineItemId: lineitem_id,
    dueMs: isHeld ? unless_won_by_ms : atMs,
    url,
  };
  if (isHeld) sink.onHeld(notice);
  else sink.onNotice(notice);
}

function readBeacon(text: string, sink: NoticeSink): boolean {
  const beacon = parse(text);
  if (!beaconValidator.Check(beacon)) return false;
  if (beacon.test === 1) return true;
  const { kind, auction_id: auctionId, imp, notice_url: url } = beacon;
  if (kind === 'win') sink.onWon(auctionId, imp);
  if (url === '' || (kind !== 'win' && kind !== 'impression')) return true;
  sink.onNotice({
    event: kind === 'win' ? 'win' : 'billing',
    auctionId,
    imp,
    bid: -1,
    partnerId: beacon.demand_partner_id,
    lineItemId: beacon.lineitem_id,
    dueMs: beacon.at_ms,
    url,
  });
  return true;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
