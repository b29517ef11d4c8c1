import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { aLineItem, anImp, anOffer } from '../auction/fixtures.ts';
import { FORMAT_BANNER } from '../auction/formats.ts';
import type { AuctionLimits } from '../limits/auction-limits.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { NoticeCall, NoticeReply } from '../ports/notice-client.ts';
import { conclude } from './conclude.ts';
import type { LineItem } from '../snapshot/entities.ts';
import { aCall, aMarket, anAdSpace, NO_LIMITS, replied } from './fixtures.ts';
import { MarkupMemory } from './markup-memory.ts';
import { Reservations } from './reservations.ts';
import { Settlement, type SettledBid } from './settle.ts';
import type { Slot } from './slots.ts';
import type { Winner } from './winners.ts';

const AT_MS = Date.UTC(2026, 10, 20, 12);

interface Answer {
  readonly partner: number;
  readonly bids: readonly object[];
  readonly group?: 1;
  readonly lineItem?: Partial<LineItem>;
}

interface Setting {
  readonly answers: readonly Answer[];
  /** By the address of the win notice. */
  readonly notices?: Readonly<Record<string, NoticeReply>>;
  readonly leftMs?: number;
  readonly takesLateMarkup?: boolean;
  readonly limits?: Partial<AuctionLimits>;
}

interface Concluded {
  readonly winners: ReadonlyMap<number, Winner>;
  readonly bids: ReadonlyMap<string, SettledBid>;
  readonly calls: readonly NoticeCall[];
  /** How often the auction was decided. */
  readonly decisions: number;
  /** How many bids have each reason. */
  readonly reasons: ReadonlyMap<number, number>;
}

async function concluded(setting: Setting): Promise<Concluded> {
  const { answers, notices = {}, leftMs = 100, takesLateMarkup = true, limits = {} } = setting;
  const market = await aMarket(anAdSpace({ id: 4001 }));
  const space = market.space('4001');
  assert.ok(space !== undefined);
  const imps = [anImp(), anImp({ slot: 1, id: '2' })];
  const slots: Slot[] = imps.map((imp) => ({
    incoming: { id: imp.id, tagid: '4001', banner: {} },
    space,
    offered: { banner: {}, video: null, native: null },
    native: null,
    secure: 1,
    imp,
  }));
  const results = answers.map(({ partner, bids, group = 0, lineItem = {} }) => {
    const own = aLineItem({ id: 501, demandPartnerId: partner, ...lineItem });
    const match = { lineItem: own, formats: FORMAT_BANNER, requiresLocation: false };
    const offers = imps.map((imp) => anOffer({ imp, lineItems: [match] }));
    const body = JSON.stringify({ id: 'request', seatbid: [{ group, bid: bids }] });
    const reply = { kind: 'answer', status: 200, body } as const;
    return replied(aCall({ offers, lineItems: [own] }, partner), 'request', reply);
  });
  const settlement = new Settlement('auction', results, takesLateMarkup);
  const decide = mock.method(settlement, 'decide');
  const calls: NoticeCall[] = [];
  const winners = await conclude({
    auctionId: 'auction',
    atMs: AT_MS,
    slots,
    settlement,
    reservations: new Reservations({ ...NO_LIMITS, ...limits }),
    client: {
      call(call, settle) {
        calls.push(call);
        queueMicrotask(() => settle(notices[call.url] ?? { kind: 'timeout' }));
      },
      close: () => Promise.resolve(),
    },
    lateMarkup: new MarkupMemory(() => 1_000),
    deadlineMs: 1_000 + leftMs,
    now: () => 1_000,
  });
  const reasons = new Map<number, number>();
  for (const { reason } of settlement.bids) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const bids = new Map(settlement.bids.map((bid) => [bid.bidId, bid]));
  return { winners, bids, calls, decisions: decide.mock.callCount(), reasons };
}

const inline = (id: string, price: number, more: object = {}): object => ({
  id,
  impid: '1',
  price,
  adm: '<p>An ad</p>',
  ...more,
});

const late = (id: string, price: number, more: object = {}): object => ({
  id,
  impid: '1',
  price,
  nurl: `http://b.example/${id}?p=\${AUCTION_PRICE}`,
  ...more,
});

const answer = (body: string, status = 200): NoticeReply => ({ kind: 'answer', status, body });

test('a winner without markup gets it from its win notice, which tells its price', async () => {
  const { winners, calls } = await concluded({
    answers: [
      { partner: 1001, bids: [late('a', 3)] },
      { partner: 1002, bids: [inline('b', 2)] },
    ],
    notices: { 'http://b.example/a?p=2.01': answer('<p>Late</p>') },
  });
  assert.equal(winners.get(0)?.candidate.adm, '<p>Late</p>');
  assert.equal(winners.get(0)?.clearingMicros, 2_010_000);
  assert.deepEqual(
    calls.map(({ url, id, deadlineMs }) => [url, id, deadlineMs]),
    [['http://b.example/a?p=2.01', 'auction-0-win-0', 1_100]],
  );
});

test('a winner whose notice brings no markup is forfeit, and the price is set without it', async () => {
  const failures: readonly NoticeReply[] = [
    answer(''),
    answer('<p>An ad</p>', 204),
    answer('<p>An ad</p>', 302),
    { kind: 'timeout' },
    { kind: 'error', code: 'ECONNREFUSED' },
    { kind: 'oversized', bytesMax: 262_144 },
    { kind: 'busy', inFlightMax: 4 },
  ];
  for (const failure of failures) {
    const { winners, bids, calls } = await concluded({
      answers: [
        { partner: 1001, bids: [late('a', 3)] },
        { partner: 1002, bids: [inline('b', 2)] },
        { partner: 1003, bids: [inline('c', 1)] },
      ],
      notices: { 'http://b.example/a?p=2.01': failure },
    });
    const name = JSON.stringify(failure);
    assert.equal(winners.get(0)?.settled.bidId, 'b', name);
    assert.equal(winners.get(0)?.clearingMicros, 1_010_000, name);
    const forfeit = bids.get('a');
    assert.equal(forfeit?.reason, 7, name);
    assert.notEqual(forfeit.detail, '', name);
    assert.equal(forfeit.clearingMicros, 0, name);
    assert.equal(calls.length, 1, name);
  }
});

test('late markup that may not be shown loses for what is wrong with it', async () => {
  const { winners, bids } = await concluded({
    answers: [{ partner: 1001, bids: [late('a', 3)] }],
    notices: { 'http://b.example/a?p=0.01': answer('<VAST version="3.0"></VAST>') },
  });
  assert.equal(winners.size, 0);
  assert.equal(bids.get('a')?.reason, 204);
});

test('without time left nobody is told that it won', async () => {
  const { winners, bids, calls } = await concluded({
    answers: [{ partner: 1001, bids: [late('a', 3)] }],
    leftMs: 5,
  });
  assert.deepEqual([winners.size, bids.get('a')?.reason, calls.length], [0, 7, 0]);
});

test('where the publisher decides a bid without markup does not compete', async () => {
  const { bids, calls } = await concluded({
    answers: [{ partner: 1001, bids: [late('a', 3)] }],
    takesLateMarkup: false,
  });
  assert.deepEqual([bids.get('a')?.reason, calls.length], [7, 0]);
  assert.match(bids.get('a')?.detail ?? '', /publisher decides/);
});

test('a group whose markup comes in part only loses as a whole', async () => {
  const { winners, bids } = await concluded({
    answers: [
      { partner: 1001, group: 1, bids: [late('a1', 5), late('a2', 5, { impid: '2' })] },
      { partner: 1002, bids: [inline('b1', 1), inline('b2', 1, { impid: '2' })] },
    ],
    notices: { 'http://b.example/a1?p=1.01': answer('<p>Late</p>') },
  });
  assert.deepEqual(
    ['a1', 'a2'].map((id) => bids.get(id)?.reason),
    [200, 7],
  );
  assert.deepEqual([winners.get(0)?.settled.bidId, winners.get(1)?.settled.bidId], ['b1', 'b2']);
});

test('who was told that it won has won, whatever becomes of other impressions', async () => {
  // Without "d" the group would win both impressions.
  const { winners, bids } = await concluded({
    answers: [
      { partner: 1001, bids: [late('a', 5)] },
      { partner: 1002, group: 1, bids: [inline('e', 6), inline('f', 1, { impid: '2' })] },
      { partner: 1003, bids: [late('d', 2, { impid: '2' }), inline('g', 0.5, { impid: '2' })] },
    ],
    notices: { 'http://b.example/a?p=0.01': answer('<p>Late</p>') },
  });
  const [first, second] = [winners.get(0), winners.get(1)];
  assert.deepEqual([first?.settled.bidId, first?.clearingMicros], ['a', 10_000]);
  assert.equal(second?.settled.bidId, 'g');
  assert.deepEqual(
    ['d', 'e', 'f'].map((id) => bids.get(id)?.reason),
    [7, 102, 102],
  );
});

test('however many winners leave their markup to the notice, an auction calls a bounded number', async () => {
  const bids = Array.from({ length: 40 }, (_, index) => late(`a${index}`, 10 + index));
  const { winners, calls } = await concluded({
    answers: [{ partner: 1001, bids: [...bids, inline('last', 1)] }],
  });
  assert.equal(winners.get(0)?.settled.bidId, 'last');
  assert.equal(calls.length, 3);
});

test('once nobody is asked any more, all that wait for markup are forfeit together', async () => {
  const bids = Array.from({ length: 100 }, (_, index) => late(`a${index}`, 10 + index));
  const answers = Array.from({ length: 5 }, (_, index) => ({ partner: 1001 + index, bids }));
  const { calls, decisions, reasons } = await concluded({ answers });
  assert.deepEqual([calls.length, reasons], [10, new Map([[7, 500]])]);
  assert.ok(decisions <= 16, `decided ${decisions} times`);
});

test('a price that a winner was told stays when nobody is asked for other impressions any more', async () => {
  const others = Array.from({ length: 20 }, (_, index) =>
    late(`a${index}`, 20 + index, { impid: '2' }),
  );
  const { winners, bids, calls } = await concluded({
    answers: [
      { partner: 1001, bids: [late('b', 5), ...others] },
      { partner: 1002, bids: [late('c', 2), inline('d', 1, { impid: '2' })] },
    ],
    notices: { 'http://b.example/b?p=2.01': answer('<p>Late</p>') },
  });
  assert.equal(calls.length, 4);
  const [first, second] = [winners.get(0), winners.get(1)];
  assert.deepEqual([first?.settled.bidId, first?.clearingMicros], ['b', 2_010_000]);
  assert.deepEqual([second?.settled.bidId, bids.get('c')?.reason], ['d', 102]);
});

test('however many addresses are too long, an auction is decided a bounded number of times', async () => {
  const burl = `http://b.example/${'x'.repeat(1_100)}`;
  const bids = Array.from({ length: 100 }, (_, index) => inline(`a${index}`, 10 + index, { burl }));
  const { winners, decisions, reasons } = await concluded({
    answers: [
      { partner: 1001, bids },
      { partner: 1002, bids },
      { partner: 1003, bids: [inline('b', 1)] },
    ],
  });
  assert.equal(winners.get(0)?.settled.bidId, 'b');
  assert.deepEqual(
    reasons,
    new Map([
      [3, 200],
      [0, 1],
    ]),
  );
  assert.ok(decisions <= 14, `decided ${decisions} times`);
});

test('notices that would not fit into an address lose as invalid, and the price is set without them', async () => {
  const long = 'x'.repeat(2_100);
  for (const notices of [
    { burl: `http://b.example/${long.slice(0, 1_100)}` },
    { nurl: `http://b.example/${long}` },
  ]) {
    const { winners, bids } = await concluded({
      answers: [
        { partner: 1001, bids: [inline('a', 3, notices)] },
        { partner: 1002, bids: [inline('b', 2)] },
      ],
    });
    assert.deepEqual([bids.get('a')?.reason, winners.get(0)?.clearingMicros], [3, 10_000]);
    assert.match(bids.get('a')?.detail ?? '', /[bn]url has \d+ bytes/);
  }
});

test('a winner expires after an hour, or when its bid says', async () => {
  const expiryWith = async (more: object): Promise<number | undefined> => {
    const { winners } = await concluded({
      answers: [{ partner: 1, bids: [inline('a', 1, more)] }],
    });
    return winners.get(0)?.expiresMs;
  };
  assert.equal(await expiryWith({}), AT_MS + 3_600_000);
  assert.equal(await expiryWith({ exp: 60 }), AT_MS + 60_000);
});

/** Limits that cover so many wins, and remember what is reserved. */
function covering(wins: number): { readonly limits: Partial<AuctionLimits>; reserved: number[] } {
  const reserved: number[] = [];
  const limits: Partial<AuctionLimits> = {
    reserve(_, clearingMicros) {
      if (reserved.length === wins) return 'daily_spend';
      reserved.push(clearingMicros);
      return null;
    },
    release(_, clearingMicros) {
      const at = reserved.indexOf(clearingMicros);
      assert.ok(at >= 0, 'what is released was reserved');
      reserved.splice(at, 1);
    },
  };
  return { limits, reserved };
}

const capped = { capping: { maxQps: null, maxDailyImpressions: 9, maxDailySpendMicros: null } };

test('a win that its line item cannot pay for is none, and the next bid wins', async () => {
  const { limits, reserved } = covering(0);
  const answers = [
    { partner: 1001, bids: [inline('a', 3), inline('b', 2.5)], lineItem: capped },
    { partner: 1002, bids: [inline('c', 2)], lineItem: { id: 502 } },
  ];
  const { winners, bids } = await concluded({ answers, limits });
  assert.equal(winners.get(0)?.settled.bidId, 'c');
  assert.equal(winners.get(0)?.clearingMicros, 10_000, 'the price is set without it');
  const refused = bids.get('a');
  assert.equal(refused?.reason, LossReason.InternalError);
  assert.equal(refused.detail, 'line item 501 has no more spend of the day to cover the price');
  assert.deepEqual(reserved, []);
});

test('of two wins a budget for one covers one', async () => {
  const { limits, reserved } = covering(1);
  const bids = [inline('a', 3), inline('b', 2, { impid: '2' })];
  const { winners } = await concluded({
    answers: [{ partner: 1001, bids, lineItem: capped }],
    limits,
  });
  assert.deepEqual([...winners.keys()], [0]);
  assert.deepEqual(reserved, [10_000]);
});

test('what was reserved for a bid that is forfeit is given back, and a new price is reserved', async () => {
  const { limits, reserved } = covering(9);
  const { winners } = await concluded({
    answers: [
      { partner: 1001, bids: [inline('a', 2)], lineItem: capped },
      { partner: 1002, bids: [late('b', 3)], lineItem: capped },
      { partner: 1003, bids: [inline('c', 1)] },
    ],
    limits,
  });
  assert.equal(winners.get(0)?.settled.bidId, 'a');
  assert.deepEqual(reserved, [1_010_000]);
});

test('a budget that covers nothing ends a hundred bids at once', async () => {
  const { limits } = covering(0);
  const bids = Array.from({ length: 100 }, (_, at) => inline(`bid-${at}`, 1 + at / 1_000));
  const { winners, decisions } = await concluded({
    answers: [{ partner: 1001, bids, lineItem: capped }],
    limits,
  });
  assert.equal(winners.size, 0);
  assert.equal(decisions, 2);
});

test('however many line items cannot pay, an auction is decided a bounded number of times', async () => {
  const limits: Partial<AuctionLimits> = {
    reserve: ({ id }) => (id < 2_000 ? 'daily_spend' : null),
  };
  const answers = Array.from({ length: 100 }, (_, at) => ({
    partner: 1001,
    bids: [inline(`bid-${at}`, 3 + at / 1_000)],
    lineItem: { ...capped, id: 1_000 + at },
  }));
  const other = { partner: 1002, bids: [inline('b', 1)], lineItem: { ...capped, id: 2_000 } };
  const { winners, bids, decisions } = await concluded({ answers: [...answers, other], limits });
  assert.equal(winners.get(0)?.settled.bidId, 'b');
  assert.match(bids.get('bid-0')?.detail ?? '', /partner's bids were not covered: line item 10/);
  assert.ok(decisions <= 12, `decided ${decisions} times`);
});
