import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CENT_MICROS } from '../base/money.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { decide } from './decide.ts';
import { aBid, aCandidate, aDeal } from './fixtures.ts';
import { minToKeepOf, minToWinOf } from './min-to-win.ts';
import type { Candidate } from './offer.ts';

const FIXED = aDeal({ id: 'fixed', type: 'fixed_price', floorMicros: 700_000 });
const SECOND = aDeal({ id: 'second', type: 'second_price', floorMicros: 300_000 });
const FIRST = aDeal({ id: 'first', type: 'first_price', floorMicros: 200_000 });

/** Bids of partners of their own, none below its floor. */
const candidates = fc
  .array(
    fc.record({
      deal: fc.constantFrom(null, null, FIXED, SECOND, FIRST),
      overMicros: fc.integer({ min: 0, max: 2_000_000 }),
      floorMicros: fc.constantFrom(0, 50_000, 400_000),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((drawn) =>
    drawn.map(({ deal, overMicros, floorMicros: ownMicros }, index) => {
      const floorMicros = deal?.floorMicros ?? ownMicros;
      return aCandidate({
        bid: aBid({ id: `b${index}` }),
        demandPartnerId: 1001 + index,
        deal,
        floorMicros,
        priceMicros: Math.max(1, floorMicros + overMicros),
      });
    }),
  );

/** Whether a candidate would have won with another bid. */
function wouldWin(all: readonly Candidate[], candidate: Candidate, priceMicros: number): boolean {
  const changed = all.map((each) => (each === candidate ? { ...each, priceMicros } : each));
  const decisions = decide('auction', changed);
  return decisions[all.indexOf(candidate)]?.reason === LossReason.Won;
}

test('with the least that would have won a loser wins, and with two cents less it does not', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      for (const { candidate, reason, minToWinMicros } of decide('auction', all)) {
        if (reason === LossReason.Won) continue;
        if (minToWinMicros === null) {
          assert.ok(!wouldWin(all, candidate, 10_000_000_000), 'no bid would have won');
          continue;
        }
        assert.ok(minToWinMicros >= candidate.floorMicros);
        assert.ok(wouldWin(all, candidate, minToWinMicros));
        const less = minToWinMicros - 2 * CENT_MICROS;
        if (less >= candidate.floorMicros) assert.ok(!wouldWin(all, candidate, less));
      }
    }),
  );
});

test('with the least that still would have won the winner wins, and is never asked for more', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      const won = decide('auction', all).find(({ reason }) => reason === LossReason.Won);
      assert.ok(won !== undefined && won.minToWinMicros !== null);
      const { candidate, minToWinMicros } = won;
      assert.ok(minToWinMicros <= candidate.priceMicros || candidate.deal === FIXED);
      assert.ok(wouldWin(all, candidate, minToWinMicros));
    }),
  );
});

test('without a winner the floor would have won', () => {
  assert.equal(minToWinOf({ deal: null, floorMicros: 400_000 }, null), 400_000);
});

test('a bid refused below the price of a deal would have won at that price', () => {
  const open = aCandidate({ priceMicros: 5_000_000 });
  assert.equal(minToWinOf({ deal: FIXED, floorMicros: 700_000 }, open), 700_000);
  const agreed = aCandidate({ deal: FIXED, floorMicros: 700_000 });
  assert.equal(minToWinOf({ deal: FIXED, floorMicros: 700_000 }, agreed), null);
  assert.equal(minToWinOf({ deal: SECOND, floorMicros: 300_000 }, agreed), null);
});

test('a lone winner would have won at its floor', () => {
  const winner = aCandidate({ floorMicros: 250_000 });
  assert.equal(minToKeepOf(winner, [winner]), 250_000);
});
