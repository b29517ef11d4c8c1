import { formatNames } from '../../auction/formats.ts';
import { parseJson } from '../../base/json.ts';
import type { Problem } from '../../base/problem.ts';
import type { SettledBid } from '../../exchange/settle.ts';
import type { TestRun } from '../../exchange/test-request.ts';
import { describeLossReason } from '../../openrtb/loss-reason.ts';
import { validateBidResponse } from '../../openrtb/validate-response.ts';
import { asClause } from '../auctions/wording.ts';
import type { TestFinding } from './schema.ts';

/** More than somebody reads. */
const FINDINGS_MAX = 100;
const LINE_ITEMS_TOLD = 10;
/** A bidder that takes more of its time is late when the line is. */
const SLOW_SHARE = 0.8;

/** What is wrong with an answer, and with how the request came about; errors first. */
export function findingsOf(run: TestRun): TestFinding[] {
  const { answer } = run.result;
  const found: TestFinding[] = [
    ...ofBody(run),
    ...(answer?.malformed ?? []).flatMap(({ problems }) => problems.map(errorOf)),
    ...run.bids.flatMap(ofBid),
    ...ofLineItems(run),
    ...ofManners(run),
  ];
  const rank = ({ severity }: TestFinding): number => (severity === 'error' ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, FINDINGS_MAX);
}

function errorOf({ pointer, message }: Problem): TestFinding {
  return { severity: 'error', pointer, message };
}

function warning(message: string, pointer: string | null = null): TestFinding {
  return { severity: 'warning', pointer, message };
}

/** Why a body cannot be read as a bid response; with a place where it is at least JSON. */
function ofBody({ call, result }: TestRun): TestFinding[] {
  const { reason, detail, response } = result;
  if (reason === 'oversized') return [{ severity: 'error', pointer: null, message: detail }];
  if (reason !== 'malformed') return [];
  try {
    const parsed: unknown = parseJson(response);
    const checked = validateBidResponse(parsed, call.bidder.openrtbVersion);
    return checked.ok ? [] : checked.problems.map(errorOf);
  } catch {
    return [{ severity: 'error', pointer: null, message: detail }];
  }
}

/** What keeps a readable bid from competing, and what is missing of one that competes. */
function ofBid({
  submitted,
  bidId,
  refusal,
  reason,
  detail,
  candidate,
}: SettledBid): TestFinding[] {
  if (submitted === null) return [];
  const who = `Bid ${bidId}`;
  if (candidate === null) {
    const why = refusal?.detail ?? detail;
    const message = `${who} cannot compete: ${asClause(describeLossReason(reason))}${why === '' ? '' : ` (${asClause(why)})`}.`;
    return [{ severity: 'error', pointer: null, message }];
  }
  const { bid } = submitted;
  const found: TestFinding[] = [];
  if (candidate.adm === null) {
    found.push(
      warning(
        `${who} brings its markup with the win notice, which a test does not call: it was not checked.`,
      ),
    );
  }
  if (bid.adomain === undefined || bid.adomain.length === 0) {
    found.push(warning(`${who} has no adomain: publishers that block advertisers may refuse it.`));
  }
  if (bid.crid === undefined) found.push(warning(`${who} has no crid to be reviewed by.`));
  return found;
}

function ofLineItems({ refusals, hasLineItem, call }: TestRun): TestFinding[] {
  if (!hasLineItem) {
    return [warning('The partner has no ACTIVE line item: without one it is not asked.')];
  }
  const told = refusals.slice(0, LINE_ITEMS_TOLD).map(({ lineItem, failures }) => {
    const keys = [...new Set(failures.map(({ key }) => key))].join(', ');
    return warning(
      `Line item ${lineItem.id} (${lineItem.name}) would not match: ${keys} of its targeting refuses this ${formatNames(call.offers[0]?.formats ?? 0)} ad space.`,
    );
  });
  const more = refusals.length - told.length;
  if (more > 0) told.push(warning(`${more} more line items would not match either.`));
  if (told.length > 0) {
    told.push(warning('No line item matches; it was sent for all ACTIVE line items all the same.'));
  }
  return told;
}

function ofManners({ call, result, headers }: TestRun): TestFinding[] {
  const { bidder } = call;
  const { status, response, latencyUs, sent, outcome } = result;
  const found: TestFinding[] = [];
  if (bidder.openrtbVersion === '2.2') {
    found.push(
      warning(
        'OpenRTB 2.2 cannot say that a request is a test: the bidder may take it for a live one.',
      ),
    );
  }
  if (status === 200 && response.trim() === '') {
    found.push(warning('An empty answer with status 200 is no bid; status 204 says so.'));
  }
  const type = String(headers?.['content-type'] ?? '');
  if (status === 200 && response !== '' && !/[/+]json\b/i.test(type)) {
    found.push(
      warning(
        `The answer's content-type is ${type === '' ? 'missing' : type}, not application/json.`,
      ),
    );
  }
  const isAnswer = outcome === 'bid' || outcome === 'no_bid';
  const tookMs = Math.round(latencyUs / 1_000);
  if (isAnswer && sent !== null && tookMs > sent.tmaxMs * SLOW_SHARE) {
    found.push(warning(`The answer took ${tookMs} of ${sent.tmaxMs} ms: some will come too late.`));
  }
  return found;
}
