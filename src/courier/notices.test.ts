import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { NoticeReply } from '../ports/notice-client.ts';
import {
  auctionId,
  auctionRecord,
  beaconRecord,
  DELIVERED,
  REFUSED,
  START_MS,
  TestClock,
  TestNode,
  TestPartners,
} from './notice-fixture.ts';
import { until } from '../../test/support/wait.ts';
import { JournalNews } from './journal-news.ts';
import { noticeDatabasePath } from './notice-database.ts';
import { NoticeStore } from './notice-store.ts';
import { Notices } from './notices.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let node: TestNode;
let clock: TestClock;
let partners: TestPartners;
let store: NoticeStore;
let notices: Notices;

beforeEach(() => {
  node = new TestNode();
  clock = new TestClock();
  partners = new TestPartners(clock);
  start();
});
afterEach(() => {
  store.close();
  node.close();
});

function start(storedMax?: number): void {
  store = new NoticeStore(noticeDatabasePath(node.dataDirectory));
  notices = new Notices({
    news: new JournalNews(),
    journalDirectory: node.journalDirectory,
    incarnation: node.incarnation,
    store,
    journal: node.journal('courier'),
    client: partners,
    logger: node.logger,
    now: () => clock.nowMs,
    monotonic: () => clock.monotonicMs,
    ...(storedMax === undefined ? {} : { storedMax }),
  });
}

/** The courier is killed: nothing but the disk is left of it. */
function restart(): void {
  store.close();
  start();
}

/** Lets the courier work for a while, a step at a time. */
async function run(ms: number, stepMs = 500): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await notices.step();
    await clock.advance(stepMs);
  }
  await notices.step();
}

/** Seconds since the start at which a notice was called. */
function timesOf(id: string): number[] {
  return partners.calls
    .filter((call) => call.id === id)
    .map(({ atMs }) => (atMs - START_MS) / 1000);
}

/** Bytes of the heap that are in use. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

const WIN = `${auctionId(1)}-0-win`;
const BILLING = `${auctionId(1)}-0-billing`;
const UNAVAILABLE: NoticeReply = { kind: 'answer', status: 503, body: '' };

describe('a notice', () => {
  test('is called at once, with a stable id, and recorded', async () => {
    await node.write('exchange', [
      auctionRecord(1, [{}, { event: 'loss', bid: 4, url: 'http://b.example/1' }]),
    ]);
    await node.write('tracker', [beaconRecord(1, { at_ms: START_MS + 7 })]);
    await notices.step();
    assert.deepEqual(
      partners.calls.map(({ id }) => id).sort(),
      [WIN, BILLING, `${auctionId(1)}-0-loss-4`].sort(),
    );
    await run(1000);
    const common = { auction_id: auctionId(1), imp: 0, demand_partner_id: 1001, lineitem_id: 501 };
    const done = { outcome: 'delivered', status: 204, tries: 1 } as const;
    assert.deepEqual(await node.deliveries(), [
      { event: 'win', ...common, due_ms: START_MS, ...done },
      { event: 'billing', ...common, due_ms: START_MS + 7, ...done },
    ]);
    assert.deepEqual(notices.figures.pending, { win: 0, billing: 0, loss: 0 });
    const { win, billing, loss } = notices.figures.outcomes;
    assert.deepEqual([win.delivered, billing.delivered, loss.delivered], [1, 1, 1]);
    assert.equal(notices.figures.tries, 3);
  });

  for (const status of [200, 302, 400, 404]) {
    test(`that is answered with ${status} is delivered`, async () => {
      partners.behave = () => ({ kind: 'answer', status, body: '' });
      await node.write('tracker', [beaconRecord(1)]);
      await run(2000);
      const [delivery] = await node.deliveries();
      assert.deepEqual([delivery?.outcome, delivery?.status], ['delivered', status]);
    });
  }

  test('of an impression is called again while it has no answer, until it has one', async () => {
    const replies = [UNAVAILABLE, REFUSED, 'hangs', DELIVERED] as const;
    partners.behave = () => replies[partners.calls.length] ?? DELIVERED;
    await node.write('tracker', [beaconRecord(1)]);
    await run(40_000);
    assert.deepEqual(timesOf(BILLING), [0, 10, 20, 30]);
    const [delivery] = await node.deliveries();
    assert.deepEqual([delivery?.outcome, delivery?.status, delivery?.tries], ['delivered', 204, 4]);
  });

  test('of a win is given up after a minute, with its last status', async () => {
    partners.behave = () => (partners.calls.length < 3 ? UNAVAILABLE : REFUSED);
    await node.write('exchange', [auctionRecord(1, [{}])]);
    await run(2 * MINUTE_MS);
    assert.deepEqual(timesOf(WIN), [0, 10, 20, 30, 40, 50, 60]);
    const [delivery] = await node.deliveries();
    assert.deepEqual([delivery?.outcome, delivery?.status, delivery?.tries], ['given_up', 503, 7]);
    assert.equal(notices.figures.outcomes.win.givenUp, 1);
  });

  test('of an impression is given up after an hour', async () => {
    partners.behave = () => REFUSED;
    await node.write('tracker', [beaconRecord(1)]);
    await run(63 * MINUTE_MS, 1000);
    assert.equal(timesOf(BILLING).at(-1), 61 * 60);
    const [delivery] = await node.deliveries();
    assert.deepEqual([delivery?.outcome, delivery?.status], ['given_up', 0]);
    assert.deepEqual(notices.figures.pending, { win: 0, billing: 0, loss: 0 });
  });

  test('of a loss is tried once', async () => {
    partners.behave = () => UNAVAILABLE;
    await node.write('exchange', [auctionRecord(1, [{ event: 'loss' }])]);
    await run(MINUTE_MS);
    assert.equal(partners.calls.length, 1);
    assert.deepEqual(await node.deliveries(), []);
    assert.equal(notices.figures.outcomes.loss.givenUp, 1);
  });

  test('whose address cannot be called is given up without a call', async () => {
    const long = `http://a.example/${'x'.repeat(10_000)}`;
    const addresses = ['', 'javascript:alert(1)', 'ftp://a.example/', long];
    await node.write(
      'tracker',
      addresses.map((notice_url, n) => beaconRecord(n, { notice_url })),
    );
    await node.write('exchange', [auctionRecord(1, [{ event: 'loss', url: 'x' }])]);
    partners.behave = () => ({ kind: 'error', code: 'ERR_INVALID_URL' });
    await node.write('tracker', [beaconRecord(9, { notice_url: 'http://[::x/' })]);
    await run(2000);
    const outcomes = (await node.deliveries()).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, Array(4).fill('given_up'));
    assert.equal(notices.figures.outcomes.loss.dropped, 1);
    assert.equal(notices.figures.failingDestinations, 0);
  });

  test('of a test is never due', async () => {
    await node.write('exchange', [auctionRecord(1, [{}], { test: 1 })]);
    await node.write('tracker', [beaconRecord(1, { test: 1 })]);
    await run(2000);
    assert.equal(partners.calls.length, 0);
  });
});

describe('a loss that waits for a win', () => {
  const DUE_MS = START_MS + 10 * MINUTE_MS;
  const held = auctionRecord(1, [{ event: 'loss', unless_won_by_ms: DUE_MS }]);

  for (const isKilled of [false, true]) {
    const over = isKilled ? ', also over a restart' : '';
    const pause = async (): Promise<void> => {
      await run(MINUTE_MS, 5000);
      if (isKilled) restart();
    };

    test(`is called when nobody has won${over}`, async () => {
      await node.write('exchange', [held]);
      await pause();
      assert.equal(notices.figures.pending.loss, 1);
      await run(8 * MINUTE_MS, 5000);
      assert.equal(partners.calls.length, 0);
      await run(2 * MINUTE_MS);
      assert.deepEqual(
        partners.calls.map(({ id }) => id),
        [`${auctionId(1)}-0-loss-0`],
      );
      assert.equal(notices.figures.pending.loss, 0);
    });

    test(`is dropped when the win comes${over}`, async () => {
      await node.write('exchange', [held]);
      await pause();
      await node.write('tracker', [beaconRecord(1, { kind: 'win', notice_url: '' })]);
      await pause();
      await run(11 * MINUTE_MS, 5000);
      assert.equal(partners.calls.length, 0);
      assert.equal(notices.figures.pending.loss, 0);
    });
  }

  test('is dropped by a win that was read with it, or while the courier was away', async () => {
    await node.write('exchange', [held]);
    await node.write('tracker', [beaconRecord(1, { kind: 'win', notice_url: '' })]);
    await clock.advance(30 * MINUTE_MS);
    await run(5000);
    assert.equal(partners.calls.length, 0);
  });
});

describe('a partner that hangs', () => {
  test('delays nobody else, takes no memory, and gets everything afterwards', async () => {
    let isDead = true;
    let room = Infinity;
    partners.behave = (_call, host) => {
      if (host !== 'dead.example') return DELIVERED;
      if (isDead) return 'hangs';
      room -= 1;
      return room < 0 ? { kind: 'busy', inFlightMax: 100 } : DELIVERED;
    };
    const EVERY_MS = 10_000;
    const EACH = 30;
    let written = 0;
    const heapBytes: number[] = [];
    for (let passed = 0; passed < HOUR_MS; passed += EVERY_MS) {
      const records = Array.from({ length: EACH }, (_, n) => [
        beaconRecord(written + n, {
          at_ms: clock.nowMs,
          demand_partner_id: 1,
          notice_url: `http://dead.example/${written + n}`,
        }),
        beaconRecord(written + n, {
          at_ms: clock.nowMs,
          imp: 1,
          demand_partner_id: 2,
          notice_url: `http://well.example/${written + n}`,
        }),
      ]);
      written += EACH;
      await node.write('tracker', records.flat());
      await notices.step();
      // The other partner has its notices before the clock moves on.
      assert.equal(partners.reached('well.example').size, written);
      await clock.advance(EVERY_MS);
      if (passed % (10 * MINUTE_MS) === 0) heapBytes.push(liveBytes());
    }
    const tries = partners.calls.filter(({ host }) => host === 'dead.example').length;
    assert.ok(tries < 1500, `${tries} calls of a dead server`);
    assert.equal(notices.figures.failingDestinations, 1);
    assert.ok(notices.figures.pending.billing > written * 0.99);
    assert.ok(notices.figures.oldestSeconds > 3500);
    // The test keeps some 200 bytes of each call; a notice in memory would take as much as a kilobyte.
    const grownBytes = (heapBytes.at(-1) ?? 0) - (heapBytes[0] ?? 0);
    assert.ok(grownBytes < written * 400, `${grownBytes} bytes more for ${written} notices`);
    isDead = false;
    // So slowly that the hour of many is over before it is their turn.
    for (let steps = 0; steps < 1500 && notices.figures.pending.billing > 0; steps += 1) {
      room = 50;
      await run(500);
    }
    await run(2_000);
    assert.equal(partners.reached('dead.example').size, written);
    assert.deepEqual(notices.figures.pending, { win: 0, billing: 0, loss: 0 });
    const deliveries = await node.deliveries();
    assert.equal(deliveries.length, 2 * written);
    assert.ok(deliveries.every(({ outcome }) => outcome === 'delivered'));
  });

  test('is tried with one notice at a time, and its losses are dropped', async () => {
    partners.behave = () => 'hangs';
    const losses = Array.from({ length: 20 }, (_, n) => auctionRecord(n, [{ event: 'loss' }]));
    await node.write('exchange', losses);
    await run(10_000);
    assert.equal(partners.calls.length, 20);
    await node.write('exchange', losses);
    await node.write(
      'tracker',
      losses.map((_, n) => beaconRecord(n)),
    );
    const before = partners.calls.length;
    await run(30_000);
    assert.equal(notices.figures.outcomes.loss.dropped, 20);
    assert.ok(partners.calls.length - before <= 6, `${partners.calls.length - before} calls`);
  });
});

test('a partner that refuses connections is called again as it says, and delays nobody', async () => {
  partners.behave = (_call, host) => (host === 'dead.example' ? REFUSED : DELIVERED);
  await node.write('exchange', [
    auctionRecord(1, [{ demand_partner_id: 1, url: 'http://dead.example/1' }]),
    ...Array.from({ length: 50 }, (_, n) =>
      auctionRecord(100 + n, [{ demand_partner_id: 2, url: 'http://well.example/' }]),
    ),
  ]);
  await notices.step();
  assert.equal(partners.reached('well.example').size, 50);
  await run(2 * MINUTE_MS);
  assert.deepEqual(timesOf(WIN), [0, 10, 20, 30, 40, 50, 60]);
});

test('a dead destination of a partner delays no other of its own', async () => {
  partners.behave = (_call, host) => (host === 'dead.example' ? 'hangs' : DELIVERED);
  const both = (n: number) => [
    beaconRecord(n, { notice_url: `http://dead.example/${n}` }),
    beaconRecord(n, { imp: 1, notice_url: `http://well.example/${n}` }),
  ];
  for (let n = 0; n < 1000; n += 100) {
    await node.write('tracker', Array.from({ length: 100 }, (_, k) => both(n + k)).flat());
    await run(3000);
    assert.equal(partners.reached('well.example').size, n + 100);
  }
});

test('a partner with a new host in every address has a bounded number of lanes', async () => {
  const hostOf = (n: number): string => `http://${n}.example/`;
  const records = Array.from({ length: 500 }, (_, n) => beaconRecord(n, { notice_url: hostOf(n) }));
  partners.behave = () => (clock.nowMs < START_MS + MINUTE_MS ? REFUSED : DELIVERED);
  await node.write('tracker', records);
  await run(10_000);
  assert.ok(store.lanes().length <= 65, `${store.lanes().length} lanes`);
  await run(3 * MINUTE_MS);
  assert.equal(new Set(partners.calls.map(({ host }) => host)).size, 500);
  assert.deepEqual(notices.figures.pending, { win: 0, billing: 0, loss: 0 });
});

test('what a destination takes no more of is called as soon as it does', async () => {
  const busy: NoticeReply = { kind: 'busy', inFlightMax: 1 };
  let room = 0;
  partners.behave = () => {
    room -= 1;
    return room < 0 ? busy : DELIVERED;
  };
  await node.write(
    'exchange',
    Array.from({ length: 10 }, (_, n) => auctionRecord(n, [{}])),
  );
  for (let round = 1; round <= 10; round += 1) {
    room = 1;
    await notices.step();
    await clock.advance(100);
    assert.equal(partners.calls.length, round);
  }
  assert.equal(notices.figures.outcomes.win.delivered, 10);
  assert.equal(notices.figures.tries, 10);
});

test('more than is kept is given up, the oldest first, with a record and a line', async () => {
  store.close();
  start(100);
  partners.behave = (_call, host) => (host === 'dead.example' ? REFUSED : DELIVERED);
  for (let n = 0; n < 300; n += 100) {
    const url = { notice_url: 'http://dead.example/' };
    await node.write(
      'tracker',
      Array.from({ length: 100 }, (_, k) => beaconRecord(n + k, { at_ms: clock.nowMs, ...url })),
    );
    await run(10_000);
  }
  const givenUp = (await node.deliveries()).map(({ auction_id }) => auction_id);
  assert.ok(givenUp.length >= 195 && givenUp.length <= 205, `${givenUp.length} given up`);
  assert.ok(givenUp.every((id) => id < auctionId(206)));
  assert.ok(node.log.includes('more notices wait than are kept; the oldest are given up'));
});

test('notices that fell due while the courier was away are called once at least', async () => {
  await node.write('exchange', [auctionRecord(1, [{}])]);
  await node.write('tracker', [beaconRecord(1)]);
  await clock.advance(5 * HOUR_MS);
  partners.behave = () => REFUSED;
  await run(2000);
  assert.deepEqual(partners.reached('a.example'), new Set([WIN, BILLING]));
  const outcomes = (await node.deliveries()).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, ['given_up', 'given_up']);
});

test('a clock that is set back keeps no notice waiting for longer than usual', async () => {
  partners.behave = () => (partners.calls.length < 1 ? REFUSED : DELIVERED);
  await node.write('tracker', [beaconRecord(1)]);
  await run(2000);
  clock.nowMs -= HOUR_MS;
  await run(2000);
  assert.equal(partners.calls.length, 2);
});

test('a segment has passed when what it makes due is on the disk', async () => {
  await node.write('tracker', [beaconRecord(1)]);
  const { names, sizeOf } = node.segments('tracker');
  const [name = ''] = names;
  const size = sizeOf(name);
  assert.equal(notices.hasPassed(name, size), false);
  partners.behave = () => 'hangs';
  await notices.step();
  assert.equal(notices.hasPassed(name, size), false);
  await run(1500);
  assert.equal(notices.hasPassed(name, size), true);
  assert.equal(notices.hasPassed(name, size + 1), false);
  restart();
  assert.equal(notices.hasPassed(name, size), false);
  await notices.step();
  assert.equal(notices.hasPassed(name, size), true);
  // The courier's own makes nothing due, and an idle tracker's holds nothing.
  const [own = ''] = node.segments('courier').names;
  assert.equal(notices.hasPassed(own, 1e9), true);
});

test('a courier that is stopped waits for what is under way, and saves the rest', async () => {
  partners.behave = (_call, host) => (host === 'slow.example' ? 'hangs' : DELIVERED);
  await node.write('tracker', [
    beaconRecord(1),
    beaconRecord(2, { notice_url: 'http://slow.example/' }),
  ]);
  await notices.step();
  const stopping = notices.stop(1_000);
  await clock.advance(1_500);
  await stopping;
  assert.deepEqual(
    (await node.deliveries()).map(({ auction_id }) => auction_id),
    [auctionId(1)],
  );
  assert.equal(store.count('billing'), 1);
  partners.behave = () => DELIVERED;
  restart();
  await notices.step();
  assert.equal(partners.calls.at(-1)?.id, `${auctionId(2)}-0-billing`);
});

test('while nothing can be saved no more is read than fits into memory, and nothing is lost', async () => {
  const fail = (_record: string, done?: (error: Error | null) => void): void =>
    done?.(new Error('ENOSPC'));
  const own = node.journal('courier');
  notices = new Notices({
    news: new JournalNews(),
    journalDirectory: node.journalDirectory,
    incarnation: node.incarnation,
    store,
    journal: { append: (record, done) => (isFull ? fail(record, done) : own.append(record, done)) },
    client: partners,
    logger: node.logger,
    now: () => clock.nowMs,
    monotonic: () => clock.monotonicMs,
  });
  let isFull = true;
  for (let n = 0; n < 30_000; n += 1000) {
    await node.write(
      'tracker',
      Array.from({ length: 1000 }, (_, k) => beaconRecord(n + k)),
    );
    await notices.step().catch(() => {});
    await clock.advance(500);
  }
  assert.ok(partners.calls.length < 21_000, `${partners.calls.length} read`);
  isFull = false;
  await run(60_000);
  assert.equal(partners.reached('a.example').size, 30_000);
  assert.equal((await node.deliveries()).length, 30_000);
});

test('while a loss is held the journal is looked at when it grows, not all the time', async (t) => {
  const sleeps = t.mock.method(JournalNews.prototype, 'after').mock;
  const loss = { event: 'loss', bid: 4, unless_won_by_ms: START_MS + HOUR_MS } as const;
  await node.write('exchange', [auctionRecord(1, [loss])]);
  await run(2_000);
  assert.equal(notices.figures.pending.loss, 1);
  const running = notices.run();
  try {
    await until('it sleeps', 5_000, () => sleeps.callCount() > 0);
  } finally {
    await notices.stop(0);
    await running;
  }
  await clock.advance(HOUR_MS);
  restart();
  await run(5_000);
  assert.equal(timesOf(`${auctionId(1)}-0-loss-4`).length, 1);
});
