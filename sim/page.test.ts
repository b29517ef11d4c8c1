import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_BEHAVIOUR, planPage, type Behaviour } from './page.ts';
import { createRandom } from './random.ts';
import { readWinners, type Winner } from './winners.ts';

const URLS = {
  win: 'http://t/w',
  impression: 'http://t/i',
  view: 'http://t/v',
  click: 'http://t/c',
};

function aWinner(differs: Partial<Winner> = {}): Winner {
  return {
    requestId: 'r',
    impId: '1',
    publisherId: '2001',
    adSpaceId: '4001',
    toldMicros: 1_000_000,
    decides: true,
    urls: URLS,
    ...differs,
  };
}

const plans = (count: number, differs: Partial<Behaviour> = {}) =>
  Array.from({ length: count }, (_, index) =>
    planPage(aWinner(), { ...DEFAULT_BEHAVIOUR, ...differs }, createRandom(index)),
  );

test('ads are taken, shown, viewed and clicked as often as the rates say', () => {
  const made = plans(5000);
  const taken = made.filter((plan) => plan !== undefined);
  const share = (kind: string): number =>
    taken.filter((plan) => plan.some((beacon) => beacon.kind === kind)).length / taken.length;
  assert.ok(Math.abs(taken.length / made.length - 0.7) < 0.03);
  assert.equal(share('win'), 1);
  assert.ok(Math.abs(share('impression') - 0.95) < 0.02, String(share('impression')));
  assert.ok(Math.abs(share('view') - 0.95 * 0.6) < 0.03, String(share('view')));
  assert.ok(Math.abs(share('click') - 0.95 * 0.02) < 0.01, String(share('click')));
});

test('nothing is viewed or clicked before it is shown, and everything in its time', () => {
  for (const plan of plans(2000, { clickRate: 1, showRate: 1, takeRate: 1 })) {
    const kinds = plan?.map(({ kind }) => kind) ?? [];
    assert.deepEqual(kinds.slice(0, 2), ['win', 'impression']);
    for (const { afterMs, repeats } of plan ?? []) {
      assert.ok(afterMs >= 0 && afterMs <= 13_000, String(afterMs));
      assert.ok(repeats >= 0 && repeats <= 3);
    }
  }
});

test('another rate changes what it is about and nothing else', () => {
  const without = plans(500, { clickRate: 0 });
  const clicking = plans(500, { clickRate: 1 });
  for (const [index, plan] of without.entries()) {
    assert.deepEqual(
      clicking[index]?.filter(({ kind }) => kind !== 'click'),
      plan,
    );
  }
});

test('an ad that is final is never dropped and has no win to confirm', () => {
  const urls = { ...URLS, win: undefined };
  for (let seed = 0; seed < 200; seed += 1) {
    const plan = planPage(
      aWinner({ decides: false, urls }),
      { ...DEFAULT_BEHAVIOUR, takeRate: 0 },
      createRandom(seed),
    );
    assert.ok(plan !== undefined && plan.every(({ kind }) => kind !== 'win'));
  }
});

test('winners are read with the price told, to the micro-dollar', () => {
  const request = {
    id: 'r',
    imp: [
      { id: '1', tagid: '4001' },
      { id: '2', tagid: '4002' },
    ],
    site: { publisher: { id: '2001' } },
  };
  const bid = { impid: '2', price: 2.510003, burl: URLS.impression, nurl: URLS.win };
  const ext = { rialto: { view: URLS.view, click: URLS.click } };
  const response = JSON.stringify({ seatbid: [{ bid: [{ ...bid, ext }] }] });
  assert.deepEqual(readWinners(request, response), [
    aWinner({ impId: '2', adSpaceId: '4002', toldMicros: 2_510_003 }),
  ]);
});
