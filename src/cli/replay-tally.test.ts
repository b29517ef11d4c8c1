import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { RecordedAuction } from '../analytics/recorded-wire.ts';
import { aRecordedAuction, type RecordedBid } from '../auction/replay-fixtures.ts';
import type { ReplayAuction } from '../auction/replay.ts';
import { readReplayOptions } from './replay-options.ts';
import { reportOf, type ReplayReport } from './replay-report.ts';
import { describeReplay } from './replay-table.ts';
import { ReplayTally } from './replay-tally.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Pays its floor of 0.10 USD, of which the publisher gets 0.08. */
const WON: RecordedBid = {
  price_micros: 2_000_000,
  clearing_micros: 100_000,
  payout_micros: 80_000,
  min_to_win_micros: 100_000,
};
const REFUSED: RecordedBid = { price_micros: 50_000, loss_reason: 100 };
const EMPTY = [{ zone_id: 4001, floor_micros: 100_000, filled: 0 as const }];

function auction(
  bids: readonly RecordedBid[],
  differs: Partial<ReplayAuction> & { readonly billed?: 0 | 1 } = {},
): RecordedAuction {
  const { billed = 0, ...more } = differs;
  const { imps, bids: own, trace, ...rest } = aRecordedAuction(bids, more);
  return {
    ...rest,
    publisher_id: 2001,
    at_ms: NOW_MS,
    imps: imps.map((imp) => ({ ...imp, billed })),
    bids: [...own],
    trace: trace === null ? null : { ...trace, imps: [...trace.imps], bids: [...trace.bids] },
  };
}

function reported(
  auctions: readonly RecordedAuction[],
  flags: Readonly<Record<string, string>> = {},
  extent = { counted: auctions.length, samplePpm: 1_000_000 },
): ReplayReport {
  const options = readReplayOptions(flags, NOW_MS);
  const tally = new ReplayTally(options.change, options.changes);
  for (const each of auctions) tally.take(each);
  return reportOf(options, tally, extent);
}

test('every auction is counted once: agreeing, disagreeing, or not decided and why', () => {
  const report = reported([
    auction([WON], { billed: 1 }),
    auction([], { imps: EMPTY, trace: null }),
    auction([{ ...WON, clearing_micros: 100_001 }], { auction_id: 'false' }),
    auction([WON], { trace: null }),
    auction([WON], { bids_dropped: 3 }),
  ]);
  assert.deepEqual(report.auctions, {
    matching: 5,
    read: 5,
    agreeing: 2,
    uncontested: 1,
    disagreeing: 1,
    no_trace: 1,
    bids_dropped: 1,
  });
  assert.deepEqual(report.disagreements, [
    {
      auction_id: 'false',
      detail: 'bid 0 of partner 1001: price recorded as 100001, decided as 100000',
    },
  ]);
  assert.deepEqual(report.recorded, {
    impressions: 5,
    filled: 4,
    gross_cpm_micros: '400001',
    payout_cpm_micros: '320000',
    billed: 1,
  });
  assert.match(describeReplay(report), /\n1 auction disagrees with the records\.$/);
});

test('what a floor changes is scaled by the share of each kind of auction that left a trace', () => {
  const report = reported(
    [
      auction([WON]),
      auction([WON]),
      auction([REFUSED], { imps: EMPTY }),
      // Three more of these were not kept.
      ...[1, 2, 3].map(() => auction([REFUSED], { imps: EMPTY, trace: null })),
      auction([], { imps: EMPTY, trace: null }),
    ],
    { '--floor': '0.03' },
  );
  assert.deepEqual(report.traced, {
    filled: { auctions: 2, replayed: 2 },
    unfilled: { auctions: 4, replayed: 1 },
  });
  const { recorded, changed, at_most: atMost } = report.replayed;
  assert.deepEqual(
    [recorded, changed, atMost].map(({ filled, gross_cpm_micros: sum }) => [filled, sum]),
    [
      [2, '200000'],
      [2, '60000'],
      [3, '90000'],
    ],
  );
  assert.equal(report.replayed.unchecked_wins, 1);
  // The one that a lower floor fills stands for four.
  assert.deepEqual(report.scaled?.at_most, {
    filled: 6,
    gross_cpm_micros: '180000',
    payout_cpm_micros: '144000',
  });
  assert.equal(report.scaled.changed.gross_cpm_micros, '60000');
  assert.equal(report.is_whole, false);
});

test('a sample is scaled to all that was recorded', () => {
  const extent = { counted: 40, samplePpm: 100_000 };
  const sample = [1, 2, 3, 4].map(() => auction([WON]));
  const report = reported(sample, { '--auction-type': 'first_price' }, extent);
  assert.equal(report.replayed.changed.gross_cpm_micros, '8000000');
  assert.deepEqual(report.scaled?.changed, {
    filled: 40,
    gross_cpm_micros: '80000000',
    payout_cpm_micros: '64000000',
  });
  assert.match(describeReplay(report), /\n {2}of them read, a sample +4\n/);
});

test('nothing is estimated from auctions of which none was kept', () => {
  const gone = auction([REFUSED], { imps: EMPTY, trace: null });
  const report = reported([auction([WON]), gone], { '--floor': '0.03' });
  assert.equal(report.scaled, null);
  assert.match(describeReplay(report), /there is no trace, so that nothing is estimated for all\./);
});

test('the text says what was decided, what changes, and what the figures do not say', () => {
  const two = [auction([WON], { billed: 1 }), auction([REFUSED], { imps: EMPTY })];
  const flags = { '--publisher': '2001', '--floor': '0.03', '--from': '2026-11-20T10:00' };
  assert.equal(
    describeReplay(reported(two, flags)),
    `Replay from 2026-11-20T10:00:00.000Z to 2026-11-21T00:00:00.000Z, publisher 2001
with a publisher's floor of 0.03 USD CPM for open bids

Auctions
  recorded                                    2
  decided again, and agree                    2
    of them with nothing to decide            0
  disagree                                    0
  not decided: no trace kept                  0
  not decided: more bids than a record holds  0

On record
  impressions asked for            2
  filled                           1
  of them billed so far  1 (100.0 %)
  gross revenue of wins   0.0001 USD
  payout of wins         0.00008 USD

What changes, in the auctions decided again
                           as it was       changed               difference       at most
  filled impressions               1             1                        0             2
  gross revenue of wins   0.0001 USD   0.00003 USD   -0.00007 USD (-70.0 %)   0.00006 USD
  payout of wins         0.00008 USD  0.000024 USD  -0.000056 USD (-70.0 %)  0.000048 USD

By ad space, in the auctions decided again
        filled  changed       gross      changed      at most
  4001       1        1  0.0001 USD  0.00003 USD  0.00006 USD

By demand partner, in the auctions decided again
        filled  changed       gross      changed      at most
  1001       1        1  0.0001 USD  0.00003 USD  0.00006 USD

Notes
  Revenue is of wins; reports count the impressions that were billed, 100.0 % of them so far.
  Bids are taken as they were: bidders who know of the change would bid otherwise.
  "At most" counts wins of bids that were refused at the floor, 1 of them: whether their creatives are sound nobody has looked at.

Every auction that was decided again agrees with its records.`,
  );
});

test('a day without auctions says so', () => {
  assert.match(describeReplay(reported([])), /\nNo auction was recorded\.$/);
});
