import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Funnel, FunnelDrop, FunnelStep } from '../../../src/management/funnel/schema.ts';
import { auctionSearchOf, layersOf } from './funnel-layers.ts';

function step(name: FunnelStep['step'], count: number, rest: Partial<FunnelStep> = {}): FunnelStep {
  return { step: name, count, unit: 'bids', requests: null, carried_over: 0, meaning: '', ...rest };
}

function drop(before: FunnelDrop['before'], code: string, count: number): FunnelDrop {
  const rest = { unit: 'bids', meaning: '', action: '', auction_filter: null } as const;
  return { before, code, count, ...rest };
}

const FUNNEL: Funnel = {
  start_date: '2026-11-20',
  end_date: '2026-11-20',
  lineitem_id: null,
  steps: [
    step('matched', 200),
    step('answered', 100),
    step('bids', 60, { requests: 50 }),
    step('won', 33, { carried_over: 3 }),
  ],
  drops: [drop('answered', 'timeout', 20), drop('answered', 'http_500', 80), drop('won', '1', 30)],
};

test('a layer is as wide as its share of the widest, with what was lost before the next one', () => {
  const layers = layersOf(FUNNEL);
  assert.deepEqual(
    layers.map(({ label, width, passed }) => [label, width, passed]),
    [
      ['Matched', 1, null],
      ['Answered', 0.5, 0.5],
      // 50 of the 100 answers had bids, some of them two.
      ['Bids', 0.3, 0.5],
      // Three of the wins are of bids of the day before.
      ['Won', 0.165, 0.5],
    ],
  );
  assert.deepEqual(
    layers.map(({ drops }) => drops.map(({ code, share }) => [code, share])),
    [
      [
        ['http_500', 0.4],
        ['timeout', 0.1],
      ],
      [],
      [['1', 0.5]],
      [],
    ],
  );
});

test('a funnel without traffic divides by nothing', () => {
  const layers = layersOf({ ...FUNNEL, steps: [step('matched', 0), step('sent', 0)], drops: [] });
  assert.deepEqual(
    layers.map(({ width, passed }) => [width, passed]),
    [
      [0, null],
      [0, null],
    ],
  );
});

test('the auctions of a drop are those of its day, and of the line item', () => {
  assert.deepEqual(auctionSearchOf({ outcome: 'error', reason: 'http_500' }, '2026-11-20', 7), {
    day: '2026-11-20',
    outcome: 'error',
    reason: 'http_500',
    lineitem_id: 7,
  });
  assert.deepEqual(auctionSearchOf({ loss_reason: 0 }, '2026-11-20', null), {
    day: '2026-11-20',
    loss_reason: 0,
  });
});
