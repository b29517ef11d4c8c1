import type { SettledBid } from '../../exchange/settle.ts';
import type { TestRun } from '../../exchange/test-request.ts';
import { describeLossReason } from '../../openrtb/loss-reason.ts';
import type { AnswerHeaders } from '../../ports/bidder-client.ts';
import { describeError, describeNoBid } from '../auctions/call-reasons.ts';
import { counted, milliseconds } from '../auctions/wording.ts';
import { findingsOf } from './findings.ts';
import type { TestBid, TestResult } from './schema.ts';

const BODY_SHOWN = 65_536;
const ADM_SHOWN = 2_048;

/** What is not in a run and belongs into what is told of it. */
export interface Around {
  readonly name: string;
  /** Why live calls are not made, as a sentence; null where they are. */
  readonly notLive: string | null;
  /** The headers that it was sent with. */
  readonly sentHeaders: Readonly<Record<string, string>>;
}

/** A test request and its answer, as people look at it. */
export function showRun(run: TestRun, around: Around): TestResult {
  const { call, sent, headers, result, bids } = run;
  const { outcome, reason, status, response, latencyUs } = result;
  return {
    sent: { url: sent.endpoint, headers: { ...around.sentHeaders }, body: sent.body },
    answer:
      headers === null
        ? null
        : {
            status: status === 0 ? null : status,
            headers: flatHeaders(headers),
            body: response.slice(0, BODY_SHOWN),
            is_cut: response.length > BODY_SHOWN || reason === 'oversized',
          },
    duration_ms: latencyUs / 1_000,
    timeout_ms: call.bidder.timeoutMs,
    outcome: outcome === 'throttled' ? 'error' : outcome,
    reason: reason === '' ? null : reason,
    findings: findingsOf(run),
    bids: bids.map(showBid),
    sentence: [describeRun(run, around.name), around.notLive]
      .filter((each) => each !== null)
      .join(' '),
  };
}

function flatHeaders(headers: AnswerHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (value ?? []).join(', '),
    ]),
  );
}

function showBid({ submitted, bidId, seat, imp, reason, detail, candidate }: SettledBid): TestBid {
  const adm = submitted?.bid.adm;
  return {
    bid_id: bidId,
    seat: seat ?? null,
    imp: imp?.id ?? null,
    bid_cpm: submitted?.bid.price ?? null,
    valid: candidate !== null,
    loss_reason: reason,
    loss_reason_text: describeLossReason(reason),
    detail: detail === '' ? null : detail,
    adm_preview: adm === undefined || adm === '' ? null : adm.slice(0, ADM_SHOWN),
  };
}

function describeRun({ result, bids, call }: TestRun, name: string): string {
  const { outcome, reason, detail, latencyUs } = result;
  const after = `after ${milliseconds(latencyUs)}`;
  switch (outcome) {
    case 'timeout':
      return `The bidder of ${name} did not answer within ${call.bidder.timeoutMs} ms.`;
    case 'throttled':
      return `Nothing was sent to ${name}: as many of its bid requests as it allows are open.`;
    case 'error':
      return `The call to ${name} failed ${after}: ${describeError(reason)}.`;
    case 'no_bid':
      return `${name} answered ${after} without a bid: ${describeNoBid(reason, detail)}.`;
    case 'bid': {
      const valid = bids.filter(({ candidate }) => candidate !== null).length;
      const all = counted(bids.length, 'bid');
      if (valid === bids.length) return `${name} answered ${after} with ${all}, fit to compete.`;
      if (valid === 0) return `${name} answered ${after} with ${all}, none fit to compete.`;
      return `${name} answered ${after} with ${all}, ${valid} of them fit to compete.`;
    }
  }
}
