import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { jsonPointer, type Checked, type Problem } from '../base/problem.ts';
import type { Bid } from './bid-response.ts';
import { explain, type Explanation } from './explain.ts';
import { flag, id, object, optional, text } from './fields.ts';
import {
  BID_PROBLEMS_MAX,
  BIDS_MAX,
  BIDS_REFUSED_MAX,
  CODE_LENGTH_MAX,
  ID_LENGTH_MAX,
  LONG_TEXT_LENGTH_MAX,
  PROBLEMS_MAX,
} from './limits.ts';
import { LossReason } from './loss-reason.ts';
import { readBid } from './read-bid.ts';
import { isRecord, nodeOf, type SchemaNode } from './schema-node.ts';
import type { OpenRtbVersion } from './versions.ts';
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

/** A bid that cannot be read. It loses, and so does the whole group that it is part of. */
export interface MalformedBid {
  /** The bid's `id` and `impid`, where they can be read. */
  readonly id: string | undefined;
  readonly impid: string | undefined;
  readonly seat: string | undefined;
  readonly group: number | null;
  /** `MissingPrice` where nothing but the price is missing, else `InvalidResponse`. */
  readonly reason: LossReason;
  /** What is wrong, with pointers into the response; at most `BID_PROBLEMS_MAX`. */
  readonly problems: readonly Problem[];
}

/** A readable response. With no bid in either list it is a no-bid. */
export interface ReceivedResponse {
  /** Should be the id of the request; the auction compares. Undefined where none can be read. */
  readonly id: string | undefined;
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

/** What holds the bids of one seat. The bids themselves are checked one by one. */
const SeatSchema = object('The bids of one seat.', {
  bid: optional(Type.Array(Type.Unknown(), { description: 'The bids.' })),
  seat: optional(id('The buyer seat.')),
  group: optional(flag('1 = won or lost as a group.')),
});
const isSeat = Compile(SeatSchema);
const SEAT = nodeOf(SeatSchema);
const SEATS = nodeOf(Type.Array(Type.Unknown(), { description: 'The seats.' }));
const RESPONSE = nodeOf(object('A bid response.', {}));
const CURRENCY = nodeOf(text('Currency.', { minLength: 1, maxLength: CODE_LENGTH_MAX }));

/**
 * Reads a bidder's parsed response. Each part stands alone: what cannot be read loses by itself, a
 * bid, or the bids of a seat whose `seat` or `group` is wrong, or those behind the `BIDS_MAX`th.
 * Only a response of which nothing can be read is refused. Strict where money depends on it, it
 * ignores what the spec does not name, treats null and empty ids or URLs as absent, and drops
 * advisory fields of a wrong type. Whether a well-formed bid may win is the auction's question.
 *
 * @param version the bidder's; fields that 2.2 does not have are ignored in a 2.2 response, right
 *   or wrong, but for what the bidder declares of its creative.
 */
export function validateBidResponse(
  value: unknown,
  version: OpenRtbVersion = '2.5',
): Checked<ReceivedResponse> {
  if (!isRecord(value)) return { ok: false, problems: problemsOf(RESPONSE, value, '') };
  const { id: responseId, bidid, customdata, nbr } = value;
  const seats = value['seatbid'] ?? [];
  if (!Array.isArray(seats)) {
    return { ok: false, problems: problemsOf(SEATS, seats, jsonPointer('seatbid')) };
  }
  const cur = value['cur'] === '' ? undefined : (value['cur'] ?? undefined);
  const objections = cur === undefined ? [] : problemsOf(CURRENCY, cur, jsonPointer('cur'));
  const reader = new BidReader(version, objections);
  for (const [index, seat] of seats.entries()) reader.readSeat(seat, index);
  if (reader.readsNothing) return { ok: false, problems: reader.unread };
  const received = {
    id: textOf(responseId, ID_LENGTH_MAX),
    bidid: textOf(bidid, ID_LENGTH_MAX),
    cur: typeof cur === 'string' ? cur : undefined,
    nbr: typeof nbr === 'number' && Number.isInteger(nbr) ? nbr : undefined,
    customdata: textOf(customdata, LONG_TEXT_LENGTH_MAX),
    ...reader.finish(),
  };
  return { ok: true, value: received };
}

/** Reads the seats of one response, one after the other. */
class BidReader {
  /** What is wrong with seats of which nothing can be read; at most `PROBLEMS_MAX`. */
  readonly unread: Problem[] = [];
  readonly #version: OpenRtbVersion;
  /** What is wrong with the response as a whole, and so with every bid. */
  readonly #objections: readonly Problem[];
  readonly #bids: ReceivedBid[] = [];
  readonly #malformed: MalformedBid[] = [];
  #bidsRead = 0;
  /** Bids that were too many even to be refused one by one. */
  #bidsLeft = 0;
  #seatsRead = 0;

  constructor(version: OpenRtbVersion, objections: readonly Problem[]) {
    this.#version = version;
    this.#objections = objections;
  }

  get readsNothing(): boolean {
    return this.#seatsRead === 0 && this.unread.length > 0;
  }

  readSeat(value: unknown, seatIndex: number): void {
    if (value === null) return;
    const sent = isSeat.Check(value) ? value : withoutBlanks(SEAT, value);
    const pointer = jsonPointer('seatbid', seatIndex);
    const problems = isSeat.Check(sent) ? [] : problemsOf(SEAT, sent, pointer);
    const bids = isRecord(sent) ? (sent['bid'] ?? []) : null;
    if (!isRecord(sent) || !Array.isArray(bids)) {
      this.unread.push(...problems.slice(0, PROBLEMS_MAX - this.unread.length));
      return;
    }
    this.#seatsRead += 1;
    const seat = textOf(sent['seat'], ID_LENGTH_MAX);
    const group = sent['group'] === 1 ? seatIndex : null;
    const objections = [...this.#objections, ...problems].slice(0, BID_PROBLEMS_MAX);
    for (const [bidIndex, bid] of bids.entries()) {
      if (this.#bidsRead === BIDS_MAX + BIDS_REFUSED_MAX) {
        this.#bidsLeft += bids.length - bidIndex;
        return;
      }
      this.#readBid(bid, { seat, group, seatIndex, bidIndex }, objections);
    }
  }

  #readBid(
    value: unknown,
    { seat, group, seatIndex, bidIndex }: SeatedBid,
    objections: readonly Problem[],
  ): void {
    this.#bidsRead += 1;
    const refuse = (problems: readonly Problem[]): void => {
      const reason = reasonOf(value, problems);
      this.#malformed.push({ ...idsOf(value), seat, group, reason, problems });
    };
    if (objections.length > 0) {
      refuse(objections);
    } else if (this.#bidsRead > BIDS_MAX) {
      const pointer = jsonPointer('seatbid', seatIndex, 'bid', bidIndex);
      refuse([{ pointer, message: `This is bid ${this.#bidsRead}; ${READ_AT_MOST}.` }]);
    } else {
      const checked = readBid(value, { version: this.#version, seatIndex, bidIndex });
      if (checked.ok) this.#bids.push({ bid: checked.value, seat, group });
      else refuse(checked.problems);
    }
  }

  /** The bids; what stands for many, or for a seat, names neither bid nor impression. */
  finish(): Pick<ReceivedResponse, 'bids' | 'malformed'> {
    for (const problem of this.unread) this.#refuseMany(problem);
    if (this.#bidsLeft > 0) {
      const message = `Found ${this.#bidsLeft} more bids; ${READ_AT_MOST}.`;
      this.#refuseMany({ pointer: jsonPointer('seatbid'), message });
    }
    return { bids: this.#bids, malformed: this.#malformed };
  }

  #refuseMany(problem: Problem): void {
    this.#malformed.push({
      id: undefined,
      impid: undefined,
      seat: undefined,
      group: null,
      reason: LossReason.InvalidResponse,
      problems: [problem],
    });
  }
}

const READ_AT_MOST = `at most ${BIDS_MAX} are read of one response`;

/** Where a bid stands. */
interface SeatedBid {
  readonly seat: string | undefined;
  readonly group: number | null;
  readonly seatIndex: number;
  readonly bidIndex: number;
}

function reasonOf(bid: unknown, problems: readonly Problem[]): LossReason {
  const hasPrice = !isRecord(bid) || (bid['price'] ?? null) !== null;
  const lacksPrice = !hasPrice && problems.every(({ pointer }) => pointer.endsWith('/price'));
  return lacksPrice ? LossReason.MissingPrice : LossReason.InvalidResponse;
}

/** What a value breaks; nothing where it is as it has to be. */
function problemsOf(node: SchemaNode, value: unknown, pointer: string): readonly Problem[] {
  const explanation: Explanation = { problems: [], problemsMax: BID_PROBLEMS_MAX };
  explain(node, value, pointer, explanation);
  return explanation.problems;
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
