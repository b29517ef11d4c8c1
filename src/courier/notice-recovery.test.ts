import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { JournalNews } from './journal-news.ts';
import { noticeDatabasePath } from './notice-database.ts';
import {
  auctionRecord,
  beaconRecord,
  REFUSED,
  TestClock,
  TestNode,
  TestPartners,
} from './notice-fixture.ts';
import { openNoticeStore } from './notice-recovery.ts';
import type { NoticeStore } from './notice-store.ts';
import { Notices } from './notices.ts';

let node: TestNode;
let clock: TestClock;
let partners: TestPartners;
let store: NoticeStore;

beforeEach(() => {
  node = new TestNode();
  clock = new TestClock();
  partners = new TestPartners(clock);
});
afterEach(() => {
  store.close();
  node.close();
});

/** A courier that opens what the one before it left. */
async function open(): Promise<Notices> {
  const { dataDirectory, journalDirectory, incarnation, logger } = node;
  const now = (): number => clock.nowMs;
  store = await openNoticeStore({ dataDirectory, journalDirectory, logger, now });
  return new Notices({
    news: new JournalNews(),
    journalDirectory,
    incarnation,
    store,
    journal: node.journal('courier'),
    client: partners,
    logger,
    now,
    monotonic: () => clock.monotonicMs,
  });
}

async function run(notices: Notices, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    await notices.step();
    await clock.advance(1000);
  }
}

/** The ids of what was called since the last time. */
function called(): string[] {
  return partners.calls.splice(0).map(({ id }) => id.replace(/^0*/, ''));
}

const HELD = { event: 'loss', imp: 1, unless_won_by_ms: Number.MAX_SAFE_INTEGER } as const;

/** Billing 1 is delivered, 2 waits; so it is with wins; a loss is delivered, and one is held. */
async function work(notices: Notices): Promise<void> {
  partners.behave = (_call, host) =>
    host === 'dead.example' ? REFUSED : { kind: 'answer', status: 200, body: '' };
  const dead = 'http://dead.example/';
  await node.write('exchange', [
    auctionRecord(1, [{}, { event: 'loss', imp: 3 }, HELD]),
    auctionRecord(2, [{ url: dead }]),
  ]);
  await node.write('tracker', [beaconRecord(1), beaconRecord(2, { notice_url: dead })]);
  await run(notices, 3);
  called();
}

test('a new node begins with an empty store, without a word', async () => {
  node.journal('courier');
  await open();
  assert.equal(store.isRecovering, false);
  assert.deepEqual(node.log, []);
});

describe('a store that', () => {
  const damages: readonly [what: string, damage: (path: string) => void][] = [
    ['is gone', (path) => nodeFs.rmSync(path)],
    ['is no database', (path) => nodeFs.writeFileSync(path, 'garbage'.repeat(1000))],
    [
      'is damaged',
      (path) => {
        const bytes = nodeFs.readFileSync(path);
        bytes.fill(0xff, 4096);
        nodeFs.writeFileSync(path, bytes);
      },
    ],
    [
      'is of another version',
      (path) => {
        const bytes = nodeFs.readFileSync(path);
        bytes.writeUInt32BE(99, 60);
        nodeFs.writeFileSync(path, bytes);
      },
    ],
    ['is empty', (path) => nodeFs.truncateSync(path)],
  ];
  for (const [what, damage] of damages) {
    test(`${what} is filled again from the journal`, async () => {
      await work(await open());
      store.close();
      const path = noticeDatabasePath(node.dataDirectory);
      for (const suffix of ['-wal', '-shm']) nodeFs.rmSync(path + suffix, { force: true });
      damage(path);
      const notices = await open();
      assert.equal(store.isRecovering, true);
      await run(notices, 3);
      // What was done is not called again; what was not is, and the loss is held still.
      assert.deepEqual(called().sort(), ['2-0-billing', '2-0-win']);
      assert.deepEqual(notices.figures.pending, { win: 1, billing: 1, loss: 1 });
      assert.equal(store.isRecovering, false);
      assert.ok(node.log.some((line) => line.includes('read again from the journal')));
      const aside = nodeFs
        .readdirSync(join(node.dataDirectory, 'courier'))
        .filter((name) => /unreadable-[\dTZ.-]+$/.test(name));
      assert.equal(aside.length, /gone|empty/.test(what) ? 0 : 1);
    });
  }
});

test('wins whose minute is over are not due again, billing notices are', async () => {
  await work(await open());
  store.close();
  nodeFs.rmSync(noticeDatabasePath(node.dataDirectory));
  await clock.advance(90_000);
  const notices = await open();
  await run(notices, 3);
  assert.deepEqual(called(), ['2-0-billing']);
});

test('a recovery that was cut short begins anew', async () => {
  await work(await open());
  store.close();
  nodeFs.rmSync(noticeDatabasePath(node.dataDirectory));
  await open();
  store.close();
  const notices = await open();
  assert.equal(store.isRecovering, true);
  await run(notices, 3);
  assert.deepEqual(called().sort(), ['2-0-billing', '2-0-win']);
});

test('a store that cannot be opened for another reason stays where it is', async () => {
  await open();
  store.close();
  const path = noticeDatabasePath(node.dataDirectory);
  nodeFs.renameSync(path, `${path}.kept`);
  nodeFs.mkdirSync(path);
  await assert.rejects(open());
  assert.ok(nodeFs.statSync(path).isDirectory());
  nodeFs.rmdirSync(path);
  nodeFs.renameSync(`${path}.kept`, path);
  await open();
});
