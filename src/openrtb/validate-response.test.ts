import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyJson, damaged, documentOf, pointsInto } from '../../test/support/schema-arbitrary.ts';
import { BidResponseSchema, BidSchema } from './bid-response.ts';
import { bid, bidResponse } from './fixtures.ts';
import { BID_PROBLEMS_MAX, BIDS_MAX, BIDS_REFUSED_MAX, PROBLEMS_MAX } from './limits.ts';
import { nodeOf } from './schema-node.ts';
import { validateBidResponse, type ReceivedResponse } from './validate-response.ts';
import type { OpenRtbVersion } from './versions.ts';
import { runs } from '../../test/support/effort.ts';

/** What was received; the response must be readable. */
function receive(value: unknown, version?: OpenRtbVersion): ReceivedResponse {
  const checked = validateBidResponse(value, version);
  assert.ok(checked.ok, JSON.stringify(checked));
  return checked.value;
}

/** The one bid that was received after the given changes; the bid must be sound. */
function receiveBid(changes: Record<string, unknown>, version?: OpenRtbVersion): object {
  const { bids, malformed } = receive(bidResponse([bid(changes)]), version);
  assert.deepEqual(malformed, []);
  assert.ok(bids[0]);
  return bids[0].bid;
}

/** Why nothing of a response can be read. */
function refusedPointers(value: unknown): string[] {
  const checked = validateBidResponse(value);
  return checked.ok ? [] : checked.problems.map(({ pointer }) => pointer);
}

test('sound bids come as they are, with their seat and group, in the order of the response', () => {
  const [first, second, third] = [bid({ id: 'a' }), bid({ id: 'b' }), bid({ id: 'c' })];
  const received = receive({
    id: 'r',
    bidid: 'answer-1',
    customdata: 'cookie',
    cur: 'USD',
    seatbid: [
      { seat: 's1', bid: [first] },
      { seat: 's2', group: 1, bid: [second, third] },
    ],
  });
  assert.deepEqual(received, {
    id: 'r',
    bidid: 'answer-1',
    cur: 'USD',
    nbr: undefined,
    customdata: 'cookie',
    bids: [
      { bid: first, seat: 's1', group: null },
      { bid: second, seat: 's2', group: 1 },
      { bid: third, seat: 's2', group: 1 },
    ],
    malformed: [],
  });
  assert.equal(received.bids[0]?.bid, first);
});

test('a no-bid is readable and holds no bids', () => {
  for (const value of [
    { id: 'r' },
    { id: 'r', seatbid: [] },
    { id: 'r', seatbid: null, cur: '', bidid: null },
    { id: 'r', seatbid: [{ bid: [] }] },
    {},
    { id: 5 },
    { seatbid: [] },
    { id: 'r', seatbid: [{}] },
    { id: 'r', seatbid: [null, { bid: null }] },
    { id: 'r', nbr: '0' },
    { id: 'r', cur: ['USD'] },
  ]) {
    const { bids, malformed, nbr } = receive(value);
    assert.deepEqual([bids, malformed, nbr], [[], [], undefined]);
  }
  assert.equal(receive({ nbr: 8 }).nbr, 8);
  assert.equal(receive({ seatbid: [{ bid: [bid()] }] }).id, undefined);
});

test('a malformed bid does not spoil the others', () => {
  const received = receive({
    id: 'r',
    seatbid: [{ seat: 's', group: 1, bid: [bid({ id: 'a', price: '1.25' }), bid({ id: 'b' }), 5] }],
  });
  assert.deepEqual(
    received.bids.map((each) => each.bid.id),
    ['b'],
  );
  assert.deepEqual(received.malformed, [
    {
      id: 'a',
      impid: '1',
      seat: 's',
      group: 0,
      reason: 3,
      problems: [
        {
          pointer: '/seatbid/0/bid/0/price',
          message: 'Found the text "1.25"; allowed is a number.',
        },
      ],
    },
    {
      id: undefined,
      impid: undefined,
      seat: 's',
      group: 0,
      reason: 3,
      problems: [
        { pointer: '/seatbid/0/bid/2', message: 'Found the number 5; allowed is an object.' },
      ],
    },
  ]);
});

test('what money depends on must have its type', () => {
  const cases: [field: string, value: unknown, pointer?: string][] = [
    ['id', undefined],
    ['id', ''],
    ['id', 5],
    ['impid', null],
    ['price', undefined],
    ['price', null],
    ['price', JSON.parse('1e400')],
    ['adm', { native: {} }],
    ['adm', 'x'.repeat(262_145)],
    ['nurl', 5],
    ['burl', ['https://bidder.example']],
    ['lurl', 'x'.repeat(8_193)],
    ['adomain', 'advertiser.example'],
    ['adomain', [5], '/adomain/0'],
    ['cat', 'IAB1'],
    ['cat', [null], '/cat/0'],
    ['attr', [1.5], '/attr/0'],
    ['attr', ['1'], '/attr/0'],
    ['bundle', 5],
    ['w', '320'],
    ['h', 50.5],
    ['h', -1],
    ['dealid', 5],
    ['exp', '60'],
  ];
  for (const [field, value, pointer = `/${field}`] of cases) {
    const { bids, malformed } = receive(bidResponse([bid({ [field]: value })]));
    assert.equal(bids.length, 0, field);
    const found = malformed[0]?.problems.map((problem) => problem.pointer);
    assert.deepEqual(found, [`/seatbid/0/bid/0${pointer}`]);
  }
});

test('a price of any size is left to the auction', () => {
  for (const price of [0, -1, 10_001, 1e300]) {
    assert.equal(receive(bidResponse([bid({ price })])).bids[0]?.bid.price, price);
  }
});

test('an advisory field of a wrong type is dropped and the bid stays', () => {
  const advisory = {
    adid: 1,
    iurl: {},
    cid: [],
    crid: 7,
    tactic: true,
    api: '5',
    protocol: 2.5,
    qagmediarating: 'x',
    language: 1,
    wratio: -1,
    hratio: '1',
  };
  const received = receiveBid({ ...advisory, dealid: 'd' });
  for (const field of Object.keys(advisory)) assert.ok(!(field in received), field);
  assert.equal(Object.getOwnPropertyDescriptor(received, 'dealid')?.value, 'd');
});

test('the currency is handed on, whatever it is, and the bids with it', () => {
  for (const [sent, cur] of [
    ['EUR', 'EUR'],
    ['usd', 'usd'],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ] as const) {
    const received = receive({ ...bidResponse(), cur: sent });
    assert.deepEqual([received.cur, received.bids.length], [cur, 2]);
  }
});

test('nulls and empty ids or URLs count as absent', () => {
  const blanks = { dealid: '', burl: null, nurl: '', adm: '', cat: null, w: null, crid: '' };
  const received = receiveBid(blanks);
  for (const field of Object.keys(blanks)) assert.ok(!(field in received), field);
  const { bids } = receive({ id: 'r', seatbid: [{ seat: '', group: null, bid: [bid()] }] });
  assert.deepEqual([bids[0]?.seat, bids[0]?.group], [undefined, null]);
});

test('unknown fields, extensions and values that no list names are ignored', () => {
  const extra = { mtype: 1, ext: { any: [null] }, attr: [500], api: 99, lang: 5 };
  assert.deepEqual(receiveBid(extra), bid(extra));
});

test('in a 2.2 response the fields of 2.5 are ignored, right or wrong, but for what is declared', () => {
  const received = receiveBid(
    { burl: 5, lurl: {}, cat: null, exp: 'y', bundle: 'b', language: 'en', dealid: 'd' },
    '2.2',
  );
  assert.deepEqual(Object.keys(received).sort(), [
    'adid',
    'adm',
    'adomain',
    'attr',
    'bundle',
    'cid',
    'crid',
    'dealid',
    'h',
    'id',
    'impid',
    'iurl',
    'language',
    'nurl',
    'price',
    'w',
  ]);
  assert.equal(receive(bidResponse([bid({ nurl: 5 }), 'x']), '2.2').malformed.length, 2);
});

test('what a 2.2 bid declares must be readable, but for the language', () => {
  for (const declared of [{ cat: 'IAB25' }, { cat: ['IAB25', null] }, { bundle: 5 }]) {
    const { bids, malformed } = receive(bidResponse([bid(declared)]), '2.2');
    assert.deepEqual([bids.length, malformed.length], [0, 1], JSON.stringify(declared));
  }
  assert.ok(!('language' in receiveBid({ language: 7 }, '2.2')));
});

test('a response of which nothing can be read is refused', () => {
  const cases: [value: unknown, pointer: string][] = [
    [null, ''],
    ['', ''],
    [[bidResponse()], ''],
    [{ id: 'r', seatbid: {} }, '/seatbid'],
    [{ id: 'r', seatbid: '' }, '/seatbid'],
    [{ id: 'r', seatbid: [null, 5] }, '/seatbid/1'],
    [{ id: 'r', seatbid: [{ bid: {} }] }, '/seatbid/0/bid'],
  ];
  for (const [value, pointer] of cases) assert.deepEqual(refusedPointers(value), [pointer]);
});

test('a seat that cannot be read loses with its bids alone', () => {
  const sound = { seat: 's', bid: [bid({ id: 'sound' })] };
  const cases: [seat: unknown, pointer: string, id: string | undefined][] = [
    [{ seat: 7, bid: [bid()] }, '/seatbid/0/seat', 'b-1'],
    [{ seat: 'x'.repeat(257), bid: [bid()] }, '/seatbid/0/seat', 'b-1'],
    [{ group: '0', bid: [bid()] }, '/seatbid/0/group', 'b-1'],
    [{ group: 2, bid: [bid()] }, '/seatbid/0/group', 'b-1'],
    [{ bid: bid() }, '/seatbid/0/bid', undefined],
    ['seat', '/seatbid/0', undefined],
  ];
  for (const [seat, pointer, id] of cases) {
    const { bids, malformed } = receive({ id: 'r', seatbid: [seat, null, sound] });
    const read = bids.map((each) => each.bid.id);
    const refused = malformed.map((each) => [each.id, each.reason, each.problems[0]?.pointer]);
    assert.deepEqual([read, refused], [['sound'], [[id, 3, pointer]]], pointer);
  }
});

test('a currency that cannot be read spoils every price', () => {
  for (const cur of [5, ['USD'], 'x'.repeat(65)]) {
    const { bids, malformed } = receive({ ...bidResponse(), cur });
    const refused = malformed.map(({ reason, problems }) => [reason, problems[0]?.pointer]);
    const spoilt = [3, '/cur'];
    assert.deepEqual([bids, refused], [[], [spoilt, spoilt]]);
  }
});

test('a bid that lacks nothing but its price has reason 9', () => {
  const reasonOf = (changes: Record<string, unknown>): number | undefined =>
    receive(bidResponse([bid(changes)])).malformed[0]?.reason;
  assert.equal(reasonOf({ price: undefined }), 9);
  assert.equal(reasonOf({ price: null }), 9);
  assert.equal(reasonOf({ price: '1' }), 3);
  assert.equal(reasonOf({ price: null, id: null }), 3);
});

test('a hundred bids are read over all seats, and those behind them lose', () => {
  const response = (count: number): unknown => ({
    id: 'r',
    seatbid: [{ bid: [bid()] }, { group: 1, bid: Array.from({ length: count - 1 }, () => bid()) }],
  });
  assert.deepEqual(receive(response(BIDS_MAX)).malformed, []);
  const { bids, malformed } = receive(response(BIDS_MAX + 1));
  assert.equal(bids.length, BIDS_MAX);
  const message = 'This is bid 101; at most 100 are read of one response.';
  const [surplus] = malformed;
  assert.deepEqual([malformed.length, surplus?.id, surplus?.group], [1, 'b-1', 1]);
  assert.deepEqual(surplus?.problems, [{ pointer: '/seatbid/1/bid/99', message }]);

  const many = receive(response(10_000)).malformed;
  assert.equal(many.length, BIDS_REFUSED_MAX + 1);
  const rest = 'Found 9800 more bids; at most 100 are read of one response.';
  assert.deepEqual(many.at(-1)?.problems, [{ pointer: '/seatbid', message: rest }]);
});

test('whatever JSON comes, it is received or told problems that can be found', () => {
  const document = fc.oneof(documentOf(nodeOf(BidResponseSchema)), fc.constant(bidResponse()));
  const version = fc.constantFrom<OpenRtbVersion>('2.5', '2.2');
  fc.assert(
    fc.property(fc.oneof(anyJson, damaged(document)), version, (value, as) => {
      const before = JSON.stringify(value);
      const checked = validateBidResponse(value, as);
      assert.equal(JSON.stringify(value), before);
      const lists = checked.ok
        ? checked.value.malformed.map(({ problems }) => problems)
        : [checked.problems];
      for (const problems of lists) {
        assert.ok(problems.length > 0);
        assert.ok(problems.length <= (checked.ok ? BID_PROBLEMS_MAX : PROBLEMS_MAX));
        for (const { pointer } of problems) assert.ok(pointsInto(value, pointer), pointer);
      }
    }),
    { numRuns: runs(50) },
  );
});

test('every sound bid is received as it is', () => {
  fc.assert(
    fc.property(documentOf(nodeOf(BidSchema)), (value) => {
      const { bids, malformed } = receive(bidResponse([value]));
      assert.deepEqual(malformed, []);
      assert.equal(bids[0]?.bid, value);
    }),
    { numRuns: runs(20) },
  );
});
