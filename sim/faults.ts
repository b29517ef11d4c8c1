import type { Bid, BidResponse } from '../src/openrtb/bid-response.ts';
import type { Random } from './random.ts';
import { assertRates, chooseByRate, type Rates } from './rates.ts';

/** What can be wrong with the way in which an answer travels. */
const WIRE_FAULTS = [
  /** Answers correctly, but after `tmax`. */
  'late',
  /** Sends its answer one byte at a time, 50 ms apart. */
  'drip',
  /** Reads the request and resets the connection. */
  'reset',
  /** Reads the request and never answers. */
  'hang',
  /** Answers 500 with a page of HTML. */
  'status500',
  /** Answers 200 with something that is not JSON. */
  'garbage',
  /** Announces its whole answer, sends half and ends the connection. */
  'truncated',
  /** Answers 200 with an empty body. */
  'empty200',
  /** Answers with megabytes of valid JSON. */
  'bomb',
  /** The same as gzip of some kilobytes, whether or not gzip was accepted. */
  'gzipBomb',
] as const;

/** What can be wrong with the bids in an answer that travels well. */
const BODY_FAULTS = [
  /** The answer's `id` is not the request's. */
  'wrongId',
  /** Writes the price 1e400, which JSON.parse reads as Infinity. */
  'infinitePrice',
  'negativePrice',
  /** Two bids with the same `id`. */
  'duplicateIds',
  'tenThousandBids',
  /** Bids on an impression that was not offered. */
  'unknownImp',
  /** Gives markup neither in the bid nor when the win notice comes. */
  'noMarkup',
  /** Bids for a seat that it does not have. */
  'foreignSeat',
  /** Bids in EUR. */
  'foreignCurrency',
] as const;

/** A fault of the way in which an answer travels. */
export type WireFault = (typeof WIRE_FAULTS)[number];

/** A fault of the bids themselves. */
export type BodyFault = (typeof BODY_FAULTS)[number];

/** Any fault of a simulated bidder. */
export type Fault = WireFault | BodyFault;

/** How often each fault happens, each between 0 and 1 and together at most 1. */
export type FaultRates = Rates<Fault>;

/** Every fault there is. */
export const FAULTS: readonly Fault[] = [...WIRE_FAULTS, ...BODY_FAULTS];

/** Whether a fault is one of the bids rather than of their travel. */
export function isBodyFault(fault: Fault): fault is BodyFault {
  return BODY_FAULTS.some((name) => name === fault);
}

/** Throws a RangeError when rates are no probabilities or add up to more than 1. */
export function assertFaultRates(rates: FaultRates): void {
  assertRates(FAULTS, rates);
}

/** The fault of one answer, if it has one. Takes exactly one draw. */
export function chooseFault(rates: FaultRates, random: Random): Fault | undefined {
  return chooseByRate(FAULTS, rates, random);
}

/** The text of an answer whose bids have the fault; the answer must hold at least one bid. */
export function faultyBody(fault: BodyFault, response: BidResponse): string {
  return SPOILERS[fault](response);
}

const SPOILERS: Readonly<Record<BodyFault, (response: BidResponse) => string>> = {
  wrongId: (response) => JSON.stringify({ ...response, id: `not-${response.id}` }),
  // JSON.stringify cannot write such a number. A quote inside of markup is escaped, so that the
  // pattern meets the field itself only.
  infinitePrice: (response) => JSON.stringify(response).replace(/"price":[^,}]+/, '"price":1e400'),
  negativePrice: (response) =>
    withBids(response, (bids) => bids.map((bid) => ({ ...bid, price: -bid.price }))),
  duplicateIds: (response) => withBids(response, (bids) => [...bids, ...bids]),
  tenThousandBids: (response) => withBids(response, tenThousand),
  unknownImp: (response) =>
    withBids(response, (bids) => bids.map((bid) => ({ ...bid, impid: 'nowhere' }))),
  noMarkup: (response) => withBids(response, (bids) => bids.map(({ adm: _, ...bid }) => bid)),
  foreignSeat: (response) => withSeats(response, 'seat-of-somebody-else'),
  foreignCurrency: (response) => JSON.stringify({ ...response, cur: 'EUR' }),
};

function withBids(response: BidResponse, change: (bids: readonly Bid[]) => readonly Bid[]): string {
  const seatbid = (response.seatbid ?? []).map((seat) => ({ ...seat, bid: change(seat.bid) }));
  return JSON.stringify({ ...response, seatbid });
}

function withSeats(response: BidResponse, name: string): string {
  const seatbid = (response.seatbid ?? []).map((seat) => ({ ...seat, seat: name }));
  return JSON.stringify({ ...response, seatbid });
}

/** The first bid ten thousand times, without its markup: the number is the fault, not the size. */
function tenThousand(bids: readonly Bid[]): readonly Bid[] {
  return bids
    .slice(0, 1)
    .flatMap(({ id, impid, price }) =>
      Array.from({ length: 10_000 }, (_, index) => ({ id: `${id}-${index}`, impid, price })),
    );
}
