import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { jsonPointer, type Checked, type Problem } from '../base/problem.ts';
import type { Bid } from './bid-response.ts';
import { explain, type Explanation } from './explain.ts';
import { array, flag, id, integer, object, optional, text } from './fields.ts';
import {
  BIDS_MAX,
  CODE_LENGTH_MAX,
  ID_LENGTH_MAX,
  ITEMS_MAX,
  LONG_TEXT_LENGTH_MAX,
  PROBLEMS_MAX,
} from './limits.ts';
import { readBid } from './read-bid.ts';
import { isRecord, nodeOf } from './schema-node.ts';
import type { OpenRtbVersion } from './version.ts';
import { withoutBlanks } from './without-blanks.ts';

/** A bid that can be judged: its types are right, its price is a finite number of any size. */
export interface ReceivedBid {
  readonly bid: Bid;
  /** `seatbid.seat`; undefined when the bidder named none. */
  readonly seat: string | undefined;
  /**
   * Index of the `seatbid` if its `group` is 1, so that bids that win or lose together share a
   * number; null if the bid stands alone.
   */
  readonly group: number | null;
}

/** A bid that cannot be read. It is loss reason 3, and so is the whole group that it is part of. */
export interface MalformedBid {
  /** The bid's `id` and `impid`, where they can be read. */
  readonly id: string | undefined;
  readonly impid: string | undefined;
  readonly seat: string | undefined;
  readonly group: number | null;
  /** What is wrong, with pointers into the response; at most `BID_PROBLEMS_MAX`. */
  readonly problems: readonly Problem[];
}

/** A readable response. With no bid in either list it is a no-bid. */
export interface ReceivedResponse {
  /** Should be the id of the request; the auction compares. */
  readonly id: string;
  readonly bidid: string | undefined;
  /** Currency of all prices; undefined is USD. Whether it is traded is the auction's question. */
  readonly cur: string | undefined;
  /** No-bid reason, list 5.24 or any other number. */
  readonly nbr: number | undefined;
  readonly customdata: string | undefined;
  /** All bids in the order of the response, seats flattened. */
  readonly bids: readonly ReceivedBid[];
  readonly malformed: readonly MalformedBid[];
}

/** What holds the bids, checked before any of them; the bids themselves are checked one by one. */
const FrameSchema = object('A bid response.', {
  id: id('Id of the request.'),
  seatbid: optional(
    array(
      object('The bids of one seat.', {
        bid: array(Type.Unknown(), 'The bids.', { maxItems: BIDS_MAX }),
        seat: optional(id('The buyer seat.')),
        group: optional(flag('1 = won or lost as a group.')),
      }),
      'The seats.',
      { maxItems: ITEMS_MAX },
    ),
  ),
  cur: optional(text('Currency of the prices.', { minLength: 1, maxLength: CODE_LENGTH_MAX })),
  nbr: optional(integer('No-bid reason.')),
});
type Frame = Static<typeof FrameSchema>;

const shape = Compile(FrameSchema);
const node = nodeOf(FrameSchema);

/**
 * Checks a bidder's parsed response. What holds the bids must be right (object, `id`, `seatbid`,
 * seats, `group`, `cur`, `nbr`, at most `BIDS_MAX` bids), else the whole is refused. Then each bid
 * stands alone: a malformed one does not spoil the others. Strict where money depends on it, it
 * ignores what the spec does not name, treats null and empty ids or URLs as absent, and drops
 * advisory fields of a wrong type. Whether a well-formed bid may win is the auction's question.
 *
 * @param version the bidder's; fields that 2.2 does not have are ignored in a 2.2 response, right
 *   or wrong.
 */
export function validateBidResponse(
  value: unknown,
  version: OpenRtbVersion = '2.5',
): Checked<ReceivedResponse> {
  if (shape.Check(value)) return readFrame(value, version);
  const frame = withoutBlanks(node, value);
  if (frame !== value && shape.Check(frame)) return readFrame(frame, version);
  const explanation: Explanation = { problems: [], problemsMax: PROBLEMS_MAX };
  explain(node, frame, '', explanation);
  return { ok: false, problems: explanation.problems };
}

function readFrame(frame: Frame, version: OpenRtbVersion): Checked<ReceivedResponse> {
  const seats = frame.seatbid ?? [];
  const count = seats.reduce((sum, { bid }) => sum + bid.length, 0);
  if (count > BIDS_MAX) {
    const message = `Found ${count} bids; allowed are at most ${BIDS_MAX} in one response.`;
    return { ok: false, problems: [{ pointer: jsonPointer('seatbid'), message }] };
  }
  const bids: ReceivedBid[] = [];
  const malformed: MalformedBid[] = [];
  for (const [seatIndex, { bid: values, seat, group: isGroup }] of seats.entries()) {
    const group = isGroup === 1 ? seatIndex : null;
    for (const [bidIndex, value] of values.entries()) {
      const checked = readBid(value, { version, seatIndex, bidIndex });
      if (checked.ok) bids.push({ bid: checked.value, seat, group });
      else malformed.push({ ...idsOf(value), seat, group, problems: checked.problems });
    }
  }
  const { bidid, customdata }: Readonly<Record<string, unknown>> = frame;
  const value = {
    id: frame.id,
    bidid: textOf(bidid, ID_LENGTH_MAX),
    cur: frame.cur,
    nbr: frame.nbr,
    customdata: textOf(customdata, LONG_TEXT_LENGTH_MAX),
    bids,
    malformed,
  };
  return { ok: true, value };
}

function idsOf(value: unknown): Pick<MalformedBid, 'id' | 'impid'> {
  if (!isRecord(value)) return { id: undefined, impid: undefined };
  const { id: bidId, impid } = value;
  return { id: textOf(bidId, ID_LENGTH_MAX), impid: textOf(impid, ID_LENGTH_MAX) };
}

/** A text that says something and is not too long, else undefined. */
function textOf(value: unknown, lengthMax: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= lengthMax ? value : undefined;
}
