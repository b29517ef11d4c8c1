import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LossReason } from '../openrtb/loss-reason.ts';
import { decide, type Decision } from './decide.ts';
import { aBid, aCandidate, aDeal, anImp } from './fixtures.ts';
import type { Candidate } from './offer.ts';
import { runs } from '../../test/support/effort.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

/** A candidate of its own partner, with its bid in dollars. */
function bidder(demandPartnerId: number, dollars: number, differs: Partial<Candidate> = {}) {
  return aCandidate({
    bid: aBid({ id: `b${demandPartnerId}` }),
    demandPartnerId,
    priceMicros: Math.round(dollars * 1_000_000),
    ...differs,
  });
}

function outcome(candidates: readonly Candidate[]): (readonly [number, number, number])[] {
  return decide('auction', candidates).map(
    ({ candidate, reason, clearingMicros }) =>
      [candidate.demandPartnerId, reason, clearingMicros] as const,
  );
}

test('the highest bid wins and pays one cent more than the best of another partner', () => {
  assert.deepEqual(outcome([bidder(1, 2), bidder(2, 3), bidder(3, 1)]), [
    [1, LossReason.LostToHigherBid, 0],
    [2, LossReason.Won, 2_010_000],
    [3, LossReason.LostToHigherBid, 0],
  ]);
});

test('a lone bid pays its floor, and one cent where there is none', () => {
  assert.deepEqual(outcome([bidder(1, 2, { floorMicros: 500_000 })]), [[1, 0, 500_000]]);
  assert.deepEqual(outcome([bidder(1, 2)]), [[1, 0, 10_000]]);
});

test('a bid below one cent pays no more than itself', () => {
  assert.deepEqual(outcome([bidder(1, 0.004)]), [[1, 0, 4_000]]);
});

test("a partner's own second bid does not raise its price", () => {
  const second = bidder(1, 4, { bid: aBid({ id: 'second' }) });
  assert.deepEqual(outcome([bidder(1, 5), second, bidder(2, 1)]), [
    [1, LossReason.Won, 1_010_000],
    [1, LossReason.LostToHigherBid, 0],
    [2, LossReason.LostToHigherBid, 0],
  ]);
});

test('on a first-price ad space the winner pays its bid', () => {
  const imp = anImp({ firstPrice: true });
  assert.deepEqual(outcome([bidder(1, 2, { imp }), bidder(2, 3, { imp })]), [
    [1, LossReason.LostToHigherBid, 0],
    [2, LossReason.Won, 3_000_000],
  ]);
});

test('a fixed-price deal ranks above everything and pays the agreed price', () => {
  const deal = aDeal({ type: 'fixed_price', floorMicros: 3_000_000 });
  const other = aDeal({ id: 'deal-2', type: 'first_price', floorMicros: 0 });
  assert.deepEqual(
    outcome([
      bidder(1, 9),
      bidder(2, 4, { deal, floorMicros: deal.floorMicros }),
      bidder(3, 8, { deal: other }),
    ]),
    [
      [1, LossReason.LostToDeal, 0],
      [2, LossReason.Won, 3_000_000],
      [3, LossReason.LostToDeal, 0],
    ],
  );
});

test('a second-price deal is priced by the other deal bids alone', () => {
  const deal = aDeal({ floorMicros: 1_000_000 });
  const dealt = { deal, floorMicros: deal.floorMicros };
  assert.deepEqual(outcome([bidder(1, 3.5), bidder(2, 4, dealt), bidder(3, 2, dealt)]), [
    [1, LossReason.LostToDeal, 0],
    [2, LossReason.Won, 2_010_000],
    [3, LossReason.LostToDeal, 0],
  ]);
  assert.deepEqual(outcome([bidder(1, 3.5), bidder(2, 4, dealt)])[1], [2, 0, 1_000_000]);
});

test('each slot has its own winner', () => {
  const second = anImp({ slot: 1, id: '2' });
  assert.deepEqual(outcome([bidder(1, 2), bidder(2, 1), bidder(1, 1, { imp: second })]), [
    [1, LossReason.Won, 1_010_000],
    [2, LossReason.LostToHigherBid, 0],
    [1, LossReason.Won, 10_000],
  ]);
});

test('a group that loses one of its impressions loses the other as well', () => {
  const second = anImp({ slot: 1, id: '2' });
  assert.deepEqual(
    outcome([
      bidder(1, 5, { group: 0 }),
      bidder(1, 1, { group: 0, imp: second }),
      bidder(2, 2),
      bidder(3, 2, { imp: second }),
    ]),
    [
      [1, LossReason.LostToHigherBid, 0],
      [1, LossReason.LostToHigherBid, 0],
      [2, LossReason.Won, 10_000],
      [3, LossReason.Won, 10_000],
    ],
  );
});

test('of two groups that block each other the one that offers more wins whole', () => {
  const second = anImp({ slot: 1, id: '2' });
  const reasons = outcome([
    bidder(1, 5, { group: 0 }),
    bidder(1, 1, { group: 0, imp: second }),
    bidder(2, 2, { group: 1 }),
    bidder(2, 3, { group: 1, imp: second }),
  ]).map(([, reason]) => reason);
  assert.deepEqual(reasons, [0, 0, 102, 102]);
});

test('a group that bids on both impressions of a pair wins neither: one slot is filled once', () => {
  const other = anImp({ id: '2' });
  const reasons = outcome([
    bidder(1, 5, { group: 0 }),
    bidder(1, 4, { group: 0, imp: other }),
    bidder(2, 1, { imp: other }),
  ]).map(([, reason]) => reason);
  assert.deepEqual(reasons, [102, 102, 0]);
});

/** Prices in cents, so that ties happen. */
const candidates = fc
  .array(
    fc.record({
      partner: fc.integer({ min: 1, max: 5 }),
      slot: fc.integer({ min: 0, max: 2 }),
      cents: fc.integer({ min: 1, max: 20 }),
      floorCents: fc.integer({ min: 0, max: 20 }),
      deal: fc.constantFrom(null, 'first_price', 'second_price', 'fixed_price'),
      group: fc.option(fc.integer({ min: 0, max: 1 }), { freq: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((bids) =>
    bids.map(({ partner, slot, cents, floorCents, deal, group }, index) => {
      const floorMicros = Math.min(cents, floorCents) * 10_000;
      return aCandidate({
        bid: aBid({ id: `b${index}` }),
        demandPartnerId: partner,
        imp: anImp({ slot, id: String(slot + 1), firstPrice: slot === 2 }),
        priceMicros: cents * 10_000,
        floorMicros,
        deal: deal === null ? null : aDeal({ type: deal, floorMicros }),
        // A group is one seatbid of one partner.
        group: group === null ? null : partner * 2 + group,
      });
    }),
  );

test('every winner pays at least its floor and at most its bid, one winner a slot', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      const winners = new Map<number, Decision>();
      for (const decision of decide('auction', all)) {
        const { candidate, reason, clearingMicros } = decision;
        if (reason !== LossReason.Won) {
          assert.equal(clearingMicros, 0);
          continue;
        }
        assert.ok(!winners.has(candidate.imp.slot), 'two winners in one slot');
        winners.set(candidate.imp.slot, decision);
        assert.ok(clearingMicros >= Math.min(candidate.floorMicros, candidate.priceMicros));
        assert.ok(clearingMicros <= candidate.priceMicros);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('the order in which bids came in changes nothing', () => {
  fc.assert(
    fc.property(candidates, fc.infiniteStream(fc.nat()), (all, keys) => {
      const keyed = all.map((candidate) => ({ candidate, key: keys.next().value }));
      const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ candidate }) => candidate);
      const byBid = (decisions: readonly Decision[]): unknown[] =>
        decisions
          .map(({ candidate, reason, clearingMicros }) => [
            candidate.bid.id,
            reason,
            clearingMicros,
          ])
          .sort((a, b) => String(a[0]).localeCompare(String(b[0])));
      assert.deepEqual(byBid(decide('auction', shuffled)), byBid(decide('auction', all)));
    }),
    { numRuns: runs(200) },
  );
});

test('a group wins all of its impressions or none', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      const won = new Map<number, Set<boolean>>();
      for (const { candidate, reason } of decide('auction', all)) {
        if (candidate.group === null) continue;
        const seen = won.get(candidate.group) ?? new Set();
        won.set(candidate.group, seen.add(reason === LossReason.Won));
      }
      for (const seen of won.values()) assert.equal(seen.size, 1);
    }),
    { numRuns: runs(200) },
  );
});

test('without groups each slot goes to whom a plain search finds, at the price it finds', () => {
  fc.assert(
    fc.property(candidates, (grouped) => {
      const all = grouped.map((candidate) => ({ ...candidate, group: null }));
      for (const { candidate, reason, clearingMicros } of decide('auction', all)) {
        const rivals = all.filter((other) => other.imp.slot === candidate.imp.slot);
        if (reason !== LossReason.Won) {
          assert.ok(rivals.length > 1, 'a lone bid lost');
          continue;
        }
        assert.ok(rivals.every((other) => rank(other) <= rank(candidate)));
        assert.equal(clearingMicros, searchPrice(candidate, rivals));
      }
    }),
    { numRuns: runs(200) },
  );
});

/** One number that orders candidates: written apart from `decide`, from the rule's words. */
function rank({ deal, priceMicros, floorMicros }: Candidate): number {
  if (deal === null) return priceMicros;
  if (deal.type === 'fixed_price') return 1e12 + floorMicros;
  return 1e11 + priceMicros;
}

function searchPrice(winner: Candidate, rivals: readonly Candidate[]): number {
  const type = winner.deal?.type ?? (winner.imp.firstPrice ? 'first_price' : 'second_price');
  if (type === 'fixed_price') return winner.floorMicros;
  if (type === 'first_price') return winner.priceMicros;
  const counted = rivals
    .filter((other) => other.demandPartnerId !== winner.demandPartnerId)
    .filter((other) => winner.deal === null || other.deal !== null)
    .map((other) => other.priceMicros + 10_000);
  return Math.min(winner.priceMicros, Math.max(winner.floorMicros, 10_000, ...counted));
}

test('thousands of groups that block each other cost no more than sorting them', () => {
  const crowd = Array.from({ length: 5_000 }, (_, index) =>
    aCandidate({
      bid: aBid({ id: `b${index}` }),
      demandPartnerId: index % 50,
      priceMicros: 1_000_000 + index,
      group: index,
    }),
  );
  const cpuMs = cpuTimer();
  const won = decide('auction', crowd).filter(({ reason }) => reason === LossReason.Won);
  assert.ok(cpuMs() < 500);
  assert.deepEqual(
    won.map(({ candidate }) => candidate.group),
    [4_999],
  );
});

test('groups leave one at a time, the weakest of those that do not win first', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      const standing = searchStanding(all);
      const alone = new Map(
        decide('auction', standing).map((each) => [each.candidate.bid.id, each]),
      );
      for (const { candidate, reason, clearingMicros } of decide('auction', all)) {
        const expected = alone.get(candidate.bid.id);
        assert.equal(reason === LossReason.Won, expected?.reason === LossReason.Won);
        assert.equal(clearingMicros, expected?.clearingMicros ?? 0);
      }
    }),
    { numRuns: runs(200) },
  );
});

/** What is left when losing groups leave by the rule's words: ranked anew after each. */
function searchStanding(all: readonly Candidate[]): readonly Candidate[] {
  const winners = new Set(
    decide(
      'auction',
      all.map((candidate) => ({ ...candidate, group: null })),
    )
      .filter(({ reason }) => reason === LossReason.Won)
      .map(({ candidate }) => candidate.bid.id),
  );
  const losing = new Set(
    all.filter(({ group, bid }) => group !== null && !winners.has(bid.id)).map((one) => one.group),
  );
  const [weakest] = [...losing].sort(
    (a, b) => totalOf(all, a) - totalOf(all, b) || (a ?? 0) - (b ?? 0),
  );
  if (weakest === undefined) return all;
  return searchStanding(all.filter(({ group }) => group !== weakest));
}

function totalOf(all: readonly Candidate[], number: number | null): number {
  return all
    .filter(({ group }) => group === number)
    .reduce((sum, { priceMicros }) => sum + priceMicros, 0);
}
