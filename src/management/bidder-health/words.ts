import type { BidderSums } from '../../analytics/traffic.ts';
import type { BidderState } from '../../configuration/stopped-bidders.ts';
import { describeError, describeNoBid, describeThrottle } from '../auctions/call-reasons.ts';
import { counted, listed } from '../auctions/wording.ts';
import { failuresOf, type Judgement } from './judge.ts';
import type { BidderHealth, CallReason } from './schema.ts';

/** How a bidder does and what to do, in words. */
export type Words = Pick<BidderHealth, 'sentence' | 'action'>;

export interface Told {
  readonly bidder: BidderState;
  readonly judgement: Judgement;
  /** Of the whole time. */
  readonly sums: BidderSums;
  readonly qps: number;
}

const DESCRIBE = {
  error: describeError,
  throttled: describeThrottle,
  no_bid: (reason: string) => describeNoBid(reason, ''),
} as const;

/** The reasons of one outcome, the most frequent first. */
export function reasonsOf({ reasons }: BidderSums, outcome: keyof typeof DESCRIBE): CallReason[] {
  const before = `${outcome} `;
  return [...reasons]
    .filter(([reason]) => reason.startsWith(before))
    .map(([text, count]) => {
      const reason = text.slice(before.length);
      return { reason, text: DESCRIBE[outcome](reason), count };
    })
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

export function wordsOf(told: Told): Words {
  const { bidder, judgement, sums } = told;
  const { name } = bidder;
  switch (judgement.state) {
    case 'not_set_up':
      return {
        sentence: `${name} has no bidder, so that it is not asked.`,
        action: 'Set the endpoint of its bidder, and send it a test request.',
      };
    case 'stopped': {
      const reason = bidder.stop?.reason ?? '';
      return {
        sentence: `The operator has stopped all calls to the bidder of ${name}${reason === '' ? '' : `: ${reason}`}.`,
        action: 'Send it a test request; it is called again when the operator starts it.',
      };
    }
    case 'idle':
      return idle(told);
    case 'held_back':
      return {
        sentence: `Calls to the bidder of ${name} are held back because it failed, and it is probed once a second. ${failures(sums)}`,
        action: `${actionFor(sums)} Calls come back by themselves within seconds when it answers.`,
      };
    case 'failing':
      return {
        sentence: `The bidder of ${name} fails. ${failures(sums)}`,
        action: actionFor(sums),
      };
    case 'unreliable':
      return {
        sentence: `The bidder of ${name} loses part of its calls. ${failures(sums)}`,
        action: actionFor(sums),
      };
    case 'healthy':
      return { sentence: healthy(told), action: null };
  }
}

function idle({ bidder, sums }: Told): Words {
  const { name, status } = bidder;
  if (status !== 'ACTIVE') {
    const action = status === 'PAUSED' ? 'Set its status to ACTIVE when it should buy.' : null;
    return { sentence: `${name} is ${status}, so that it is not asked.`, action };
  }
  if (sums.throttled > 0) {
    return {
      sentence: `Nothing was sent to ${name} in the last five minutes, though ${counted(sums.throttled, 'call')} matched: ${mainReason(sums, 'throttled')}.`,
      action: 'Look at its limits and its vendor id, and at the budgets of its line items.',
    };
  }
  return {
    sentence: `No ad request of the last five minutes matched a line item of ${name}.`,
    action: 'See whether there is any traffic, and look at the targeting of its line items.',
  };
}

function healthy({ bidder, sums, qps }: Told): string {
  const { bid_requests: calls, throttled } = sums;
  const answered = calls - failuresOf(sums);
  const rate = qps < 10 ? qps.toFixed(1) : Math.round(qps).toLocaleString('en-US');
  const held =
    throttled > calls ? ` More was not sent than sent: ${mainReason(sums, 'throttled')}.` : '';
  return `${bidder.name} gets ${rate} bid requests a second and answers ${percent(answered, calls)} of them in time.${held}`;
}

function failures(sums: BidderSums): string {
  const { bid_requests: calls, timeouts, errors } = sums;
  const spoiled = failuresOf(sums) - timeouts - errors;
  const kinds = [
    timeouts > 0 ? counted(timeouts, 'timeout') : '',
    errors > 0 ? `${counted(errors, 'error')} (mostly: ${mainReason(sums, 'error')})` : '',
    spoiled > 0 ? `${counted(spoiled, 'answer')} that cannot be read` : '',
  ].filter((kind) => kind !== '');
  if (kinds.length === 0)
    return `None of ${counted(calls, 'call')} failed in the last five minutes.`;
  return `In the last five minutes ${percent(failuresOf(sums), calls)} of ${counted(calls, 'call')} failed: ${listed(kinds)}.`;
}

function actionFor(sums: BidderSums): string {
  const { timeouts } = sums;
  return timeouts * 2 > failuresOf(sums)
    ? 'See why the bidder does not answer within its timeout, and how far it is from the exchange; send it a test request.'
    : 'Send the bidder a test request, and see what it answers.';
}

function mainReason(sums: BidderSums, outcome: 'error' | 'throttled'): string {
  return reasonsOf(sums, outcome)[0]?.text ?? 'the reason is not known';
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${Number(((100 * part) / whole).toFixed(1))} %`;
}
