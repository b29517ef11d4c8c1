import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { NO_BID_REASONS } from '../../openrtb/no-bid-reason.ts';
import {
  describeError,
  describeNoBid,
  describeThrottle,
  THROTTLE_CLAUSES,
} from './call-reasons.ts';
import { describeCall } from './calls.ts';
import { aCallRecord, aCallTrace } from './fixtures.ts';

const SRC = new URL('../../', import.meta.url);

function source(path: string): string {
  return readFileSync(new URL(path, SRC), 'utf8');
}

/** What a pattern's first group finds in some modules. */
function found(paths: readonly string[], pattern: RegExp): string[] {
  const texts = paths.flatMap((path) => [...source(path).matchAll(pattern)]);
  return [...new Set(texts.map(([, text = '']) => text))];
}

test('every reason for which a plan or a fan-out holds a call back has its clause', () => {
  const produced = [
    ...found(['exchange/plan.ts', 'exchange/fan-out.ts'], /refused\('([^']+)'\)/g),
    ...found(['exchange/plan.ts'], /(?:refusal \?\?|return) '([^']+)'/g),
    ...found(['exchange/fan-out.ts'], /unsentResult\(call, requestId, '([^']+)'/g),
    ...found(['exchange/call.ts'], /result\('throttled', '([^']+)'/g),
  ];
  for (const each of [
    'stopped',
    'lineitem_qps',
    'bidder_qps',
    'no_lease',
    'no_time',
    'busy',
    'internal',
  ]) {
    assert.ok(produced.includes(each), `${each} is not found where it is made`);
  }
  assert.deepEqual(
    produced.filter((reason) => !Object.hasOwn(THROTTLE_CLAUSES, reason)),
    [],
  );
});

test('every reason that an answer is read with has its clause', () => {
  const produced = found(['exchange/call.ts'], /result\('no_bid', '([^']+)'/g);
  assert.ok(produced.length > 3);
  for (const reason of produced) {
    assert.doesNotMatch(describeNoBid(reason, ''), /^the reason was/, reason);
  }
  for (const code of Object.keys(NO_BID_REASONS.meanings)) {
    assert.match(describeNoBid(`nbr_${code}`, ''), new RegExp(`^it gave .* \\(nbr ${code}\\)$`));
  }
});

test('every code of our own for a call that failed has its clause', () => {
  const adapters = readdirSync(new URL('adapters', SRC)).filter(
    (name) => /^(bidder-|http-|guarded-)/.test(name) && !/test|suite|fixture/.test(name),
  );
  const produced = found(
    adapters.map((name) => `adapters/${name}`),
    /'(ERR_[A-Z_]+)'/g,
  );
  for (const code of ['ERR_ADDRESS_REFUSED', 'ERR_DEFLATE', 'ERR_ANSWER_CHUNK']) {
    assert.ok(produced.includes(code), code);
  }
  for (const code of produced) assert.doesNotMatch(describeError(code), /^the connection/, code);
});

test('a reason that nobody foresaw is told as it stands, inherited names too', () => {
  for (const reason of ['brand_new', 'constructor', '__proto__']) {
    assert.equal(describeThrottle(reason), `the reason was ${reason}`);
    assert.equal(describeNoBid(reason, ''), `the reason was ${reason}`);
    assert.match(describeError(reason), new RegExp(`\\(${reason}\\)$`));
  }
});

const OUTCOMES = [
  [
    { outcome: 'bid' },
    {},
    'Acme DSP was asked for impression 1, 1.2 ms into the auction, with 180 ms to answer, and answered after 23.4 ms with 2 bids.',
  ],
  [
    { outcome: 'bid' },
    { imps: [0, 2], deals: ['d1', 'd2'] },
    'Acme DSP was asked for impressions 1 and 3 with deals d1 and d2, 1.2 ms into the auction, with 180 ms to answer, and answered after 23.4 ms with 2 bids.',
  ],
  [
    { outcome: 'no_bid', reason: 'nbr_8' },
    {},
    'Acme DSP was asked for impression 1, 1.2 ms into the auction, with 180 ms to answer, and answered after 23.4 ms without a bid: it gave as its reason unmatched user (nbr 8).',
  ],
  [
    { outcome: 'no_bid', reason: 'malformed' },
    { detail: 'the answer is not JSON' },
    'Acme DSP was asked for impression 1, 1.2 ms into the auction, with 180 ms to answer, and answered after 23.4 ms without a bid: the body was no bid response (the answer is not JSON).',
  ],
  [
    { outcome: 'timeout', latency_us: 200_000 },
    { status: 0 },
    'Acme DSP was asked for impression 1, 1.2 ms into the auction, with 180 ms to answer, and had not answered after 200.0 ms, when the auction stopped waiting.',
  ],
  [
    { outcome: 'error', reason: 'http_500' },
    { status: 500 },
    'Acme DSP was asked for impression 1, 1.2 ms into the auction, with 180 ms to answer, and the call failed after 23.4 ms: its bidder answered with HTTP status 500.',
  ],
  [
    { outcome: 'throttled', reason: 'bidder_qps', latency_us: 0 },
    { sent_us: -1, tmax_ms: 0, status: 0 },
    'Acme DSP matched impression 1 and was not asked: its limit of bid requests a second was used up.',
  ],
] as const;

for (const [record, trace, sentence] of OUTCOMES) {
  test(`a call of outcome ${record.outcome}: ${sentence}`, () => {
    const call = {
      record: aCallRecord(record),
      trace: aCallTrace({
        ...trace,
        imps: 'imps' in trace ? [...trace.imps] : [0],
        deals: 'deals' in trace ? [...trace.deals] : [],
      }),
    };
    assert.equal(describeCall(call, 'Acme DSP', 2), sentence);
  });
}

test('without its trace a call is told as far as the record goes', () => {
  const call = { record: aCallRecord(), trace: null };
  assert.equal(
    describeCall(call, 'Acme DSP', null),
    'Acme DSP was asked for impression 1 and answered after 23.4 ms with bids.',
  );
});
