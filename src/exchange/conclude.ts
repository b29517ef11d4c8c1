import type { Objection } from '../auction/creative.ts';
import { takeLateMarkup } from '../auction/late-markup.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import type { Settlement } from './settle.ts';
import type { Slot } from './slots.ts';
import { findWinners, type Winner } from './winners.ts';

/** The most win notices that one auction calls for markup, whoever wins it in turn. */
const MARKUP_CALLS_MAX = 10;
/** The largest markup in bytes, inflated: as large as an answer that carries markup in its bid. */
const MARKUP_BYTES_MAX = 256 * 1024;
/** With less than this left no answer can come in time, so nobody is told that it won. */
const MARKUP_TIME_MIN_MS = 10;

export interface Conclusion {
  readonly auctionId: string;
  /** Unix time of the ad request in milliseconds. */
  readonly atMs: number;
  readonly slots: readonly Slot[];
  readonly settlement: Settlement;
  readonly client: NoticeClient;
  /** When markup has to be there, on the monotonic clock. */
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * Decides an auction to its end. A winner whose markup comes with the answer to its win notice is
 * told now, because there is nothing to show without it: if none comes in time the bid is forfeit,
 * and the auction is decided and priced again as if it had not been there.
 *
 * @returns the winners by slot; all of them have markup.
 */
export async function conclude(conclusion: Conclusion): Promise<ReadonlyMap<number, Winner>> {
  const { settlement, slots } = conclusion;
  let callsLeft = MARKUP_CALLS_MAX;
  for (;;) {
    settlement.decide();
    const { winners, objections } = findWinners(slots, settlement.bids, conclusion.atMs);
    for (const { settled, objection } of objections) settlement.forfeit(settled, objection);
    if (objections.length > 0) continue;
    const waiting = [...winners.values()].filter(({ candidate }) => candidate.adm === null);
    if (waiting.length === 0) return winners;
    const answered = await Promise.all(
      waiting.map((winner) => {
        callsLeft -= 1;
        return callsLeft < 0 ? Promise.resolve(TOO_MANY) : askForMarkup(conclusion, winner);
      }),
    );
    for (const [index, { settled, candidate }] of waiting.entries()) {
      const { adm, objection } = answered[index] ?? TOO_MANY;
      if (objection !== null) {
        settlement.forfeit(settled, objection);
        continue;
      }
      const taken = takeLateMarkup(candidate, adm);
      if (taken.ok) settlement.supply(settled, taken.candidate);
      else settlement.forfeit(settled, taken.objection);
    }
  }
}

/** Markup, or why there is none. */
type AskedMarkup =
  | { readonly adm: string; readonly objection: null }
  | { readonly adm: null; readonly objection: Objection };

const TOO_MANY = none(`${MARKUP_CALLS_MAX} win notices of this auction brought markup or none`);

function none(detail: string): AskedMarkup {
  return { adm: null, objection: { reason: LossReason.MissingMarkup, detail } };
}

function askForMarkup(
  conclusion: Conclusion,
  { settled, candidate, nurl }: Winner,
): Promise<AskedMarkup> {
  const { auctionId, settlement, client, deadlineMs, now } = conclusion;
  const leftMs = Math.floor(deadlineMs - now());
  if (leftMs < MARKUP_TIME_MIN_MS) {
    return Promise.resolve(none(`no time was left to bring markup: ${leftMs} ms`));
  }
  const call = {
    url: nurl,
    // Another bid of the same bidder may be asked next for the same impression.
    id: `${auctionId}-${candidate.imp.slot}-win-${settlement.bids.indexOf(settled)}`,
    bodyBytesMax: MARKUP_BYTES_MAX,
    deadlineMs,
  };
  return new Promise((resolve) => {
    client.call(call, (reply) => resolve(readMarkup(reply)));
  });
}

function readMarkup(reply: NoticeReply): AskedMarkup {
  switch (reply.kind) {
    case 'answer':
      if (reply.status === 200) return { adm: reply.body, objection: null };
      return none(`the win notice was answered with status ${reply.status}`);
    case 'timeout':
      return none('the win notice was not answered in time');
    case 'error':
      return none(`the win notice failed: ${reply.code}`);
    case 'oversized':
      return none(`the answer to the win notice is larger than ${reply.bytesMax} bytes`);
    case 'busy':
      return none(`${reply.inFlightMax} win notices are open already`);
  }
}
