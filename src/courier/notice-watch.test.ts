import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { pino } from 'pino';

import { JournalNews } from './journal-news.ts';
import { noticeDatabasePath } from './notice-database.ts';
import {
  auctionRecord,
  beaconRecord,
  DELIVERED,
  REFUSED,
  TestClock,
  TestNode,
  TestPartners,
} from './notice-fixture.ts';
import type { NoticeLane } from './notice-lane.ts';
import { NoticeLanes } from './notice-lanes.ts';
import { NoticeStore } from './notice-store.ts';
import { NoticeWatch } from './notice-watch.ts';
import { Notices } from './notices.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
}

const [INFO, WARN] = [30, 40];
const MINUTE_MS = 60_000;

let lanes: NoticeLanes;
let watch: NoticeWatch;
let log: Line[];
let nowMs: number;

beforeEach(() => {
  lanes = new NoticeLanes();
  log = [];
  nowMs = 1_000;
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => log.push(JSON.parse(line)) },
  );
  watch = new NoticeWatch({ lanes, logger, monotonic: () => nowMs });
});

function laneTo(host: string, partnerId = 1): NoticeLane {
  return lanes.lane({ partnerId, destination: `http://${host}` });
}

function fail(lane: NoticeLane): void {
  for (let n = 0; n < 5; n += 1) {
    watch.failed(lane, REFUSED);
    lane.failed(nowMs, nowMs);
  }
}

/** Lets time pass as the courier does: it is asked to tell every second. */
function pass(ms: number): void {
  for (const untilMs = nowMs + ms; nowMs < untilMs; nowMs += 1_000) watch.tell();
  watch.tell();
}

describe('the log', () => {
  test('says once that a destination fails, with its partner and why, and that it answers again', () => {
    const lane = laneTo('a.example', 1001);
    lane.pending = 7;
    fail(lane);
    pass(5 * MINUTE_MS);
    const place = { demandPartnerId: 1001, destination: 'http://a.example', waiting: 7 };
    const failing = {
      level: WARN,
      ...place,
      failure: 'ECONNREFUSED',
      msg: 'a demand partner does not answer its notices',
    };
    assert.deepEqual(log, [failing]);
    lane.answered();
    pass(MINUTE_MS);
    const answering = {
      level: INFO,
      ...place,
      msg: 'a demand partner answers its notices again',
    };
    assert.deepEqual(log, [failing, answering]);
  });

  test('tells an error by its status, and a silent server as a timeout', () => {
    const [busy, silent] = [laneTo('a.example'), laneTo('b.example')];
    fail(busy);
    fail(silent);
    watch.failed(busy, { kind: 'answer', status: 503, body: '' });
    watch.failed(silent, { kind: 'timeout' });
    watch.tell();
    const failures = log.map((line) => 'failure' in line && line.failure);
    assert.deepEqual(failures, ['status 503', 'timeout']);
  });

  test('counts what is given up in a line a minute', () => {
    const lane = laneTo('a.example');
    watch.failed(lane, REFUSED);
    for (let n = 0; n < 130; n += 1) {
      watch.gaveUp(lane);
      pass(1_000);
    }
    const counts = log.map((line) => 'givenUp' in line && line.givenUp);
    assert.deepEqual(counts, [1, 59, 60]);
    assert.ok(log.every(({ level }) => level === WARN));
  });

  test('has a line for notices that cannot be called at all', () => {
    watch.gaveUpUncallable(1001);
    watch.tell();
    assert.deepEqual(log, [
      {
        level: WARN,
        demandPartnerId: 1001,
        destination: '',
        waiting: 0,
        failure: 'ERR_INVALID_URL',
        givenUp: 1,
        msg: 'notices of a demand partner were given up',
      },
    ]);
  });

  test('is not flooded by a destination that flaps, and has the last word right', () => {
    const lane = laneTo('a.example');
    for (let n = 0; n < 300; n += 1) {
      fail(lane);
      pass(1_000);
      lane.answered();
      pass(1_000);
    }
    assert.ok(log.length <= 2 * 11, `${log.length} lines in ten minutes`);
    pass(2 * MINUTE_MS);
    assert.equal(log.at(-1)?.level, INFO);
  });

  test('is not flooded by a partner with many destinations, and keeps room for others', () => {
    const all = Array.from({ length: 64 }, (_, n) => laneTo(`${n}.example`));
    for (const lane of all) fail(lane);
    pass(1_000);
    assert.equal(log.length, 10);
    fail(laneTo('well.example', 2));
    pass(1_000);
    assert.equal(log.length, 11);
    pass(10 * MINUTE_MS);
    // All were told in the end, each once.
    assert.equal(log.length, 65);
    for (const lane of all) lane.answered();
    pass(10 * MINUTE_MS);
    assert.equal(log.length, 129);
  });

  test('has no password and no long address of a partner', () => {
    const secret = laneTo(`user:password@${'a'.repeat(5_000)}`);
    fail(secret);
    watch.tell();
    const text = JSON.stringify(log);
    assert.ok(!text.includes('password') && text.length < 500, text);
  });
});

describe('figures', () => {
  test('add up the lanes of a partner', () => {
    const [one, other] = [laneTo('a.example', 1001), laneTo('b.example', 1001)];
    [one.pending, other.pending] = [3, 4];
    fail(one);
    watch.gaveUp(other);
    watch.gaveUpUncallable(1001);
    laneTo('well.example', 1002);
    assert.deepEqual(watch.figures, [
      { demandPartnerId: 1001, waiting: 7, failing: 1, givenUp: 2 },
    ]);
  });

  test('name the fifty that are worst off', () => {
    for (let id = 1; id <= 60; id += 1) laneTo('a.example', id).pending = id;
    fail(laneTo('a.example', 5));
    const ids = watch.figures.map(({ demandPartnerId }) => demandPartnerId);
    assert.equal(ids.length, 50);
    assert.deepEqual(ids.slice(0, 3), [5, 60, 59]);
  });
});

test('a partner that takes no notices is named while the courier works', async (t) => {
  const [node, clock] = [new TestNode(), new TestClock()];
  const partners = new TestPartners(clock);
  const store = new NoticeStore(noticeDatabasePath(node.dataDirectory));
  t.after(() => {
    store.close();
    node.close();
  });
  const notices = new Notices({
    news: new JournalNews(),
    journalDirectory: node.journalDirectory,
    incarnation: node.incarnation,
    store,
    journal: node.journal('courier'),
    client: partners,
    logger: node.logger,
    now: () => clock.nowMs,
    monotonic: () => clock.monotonicMs,
  });
  const run = async (minutes: number): Promise<void> => {
    for (let seconds = 0; seconds < minutes * 60; seconds += 1) {
      await notices.step();
      await clock.advance(1_000);
    }
  };
  const numbers = [...Array(8).keys()];
  const auctions = numbers.map((n) => auctionRecord(n, [{}]));
  const beacons = numbers.map((n) => beaconRecord(n));
  partners.behave = () => REFUSED;
  await Promise.all([node.write('exchange', auctions), node.write('tracker', beacons)]);
  await run(3);
  const failing = { demandPartnerId: 1001, waiting: 8, failing: 1, givenUp: 8 };
  assert.deepEqual(notices.figures.partners, [failing]);
  partners.behave = () => DELIVERED;
  await run(5);
  assert.deepEqual(notices.figures.partners, [{ ...failing, waiting: 0, failing: 0 }]);
  const told = [
    'a demand partner does not answer its notices',
    'notices of a demand partner were given up',
    'a demand partner answers its notices again',
  ];
  assert.deepEqual([...new Set(node.log)], told);
});
