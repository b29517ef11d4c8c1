import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import type { Journal } from '../journal/journal.ts';
import type { NoticeReply } from '../ports/notice-client.ts';
import { JournalNews } from './journal-news.ts';
import { noticeDatabasePath } from './notice-database.ts';
import {
  auctionId,
  auctionRecord,
  beaconRecord,
  DELIVERED,
  REFUSED,
  TestClock,
  TestNode,
  TestPartners,
} from './notice-fixture.ts';
import { NoticeStore } from './notice-store.ts';
import { Notices } from './notices.ts';
import { runs } from '../../test/support/effort.ts';

/** Where a checkpoint is when the courier is killed. */
type KillPoint = 'before the record' | 'after the record' | 'after the commit';

const HELD_FOR_MS = 60_000;

/** A courier that is killed now and then, over partners that answer now and then. */
class Courier {
  readonly node = new TestNode();
  readonly clock = new TestClock();
  readonly partners = new TestPartners(this.clock);
  /** Ids of all win and billing notices that have fallen due. */
  readonly due = new Set<string>();
  /** Of loss notices that must not be called, since their bid won in time. */
  readonly withdrawn = new Set<string>();
  #store: NoticeStore;
  #notices: Notices;
  #killPoint: KillPoint | null = null;
  #auctions = 0;

  constructor() {
    this.#store = new NoticeStore(noticeDatabasePath(this.node.dataDirectory));
    this.#notices = this.#start();
  }

  get pending() {
    return this.#notices.figures.pending;
  }

  async write(count: number, partner: number, fd: boolean): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      this.#auctions += 1;
      const id = this.#auctions;
      const url = `http://${partner}.example/${id}`;
      const common = { demand_partner_id: partner, url };
      const unless_won_by_ms = this.clock.nowMs + HELD_FOR_MS;
      const notice = fd ? { event: 'loss' as const, unless_won_by_ms } : {};
      const at_ms = this.clock.nowMs;
      const beacon = { at_ms, demand_partner_id: partner, notice_url: url };
      await this.node.write('exchange', [auctionRecord(id, [{ ...common, ...notice }], { at_ms })]);
      await this.node.write('tracker', [
        ...(fd ? [beaconRecord(id, { ...beacon, kind: 'win' })] : []),
        beaconRecord(id, beacon),
      ]);
      this.due.add(`${auctionId(id)}-0-win`).add(`${auctionId(id)}-0-billing`);
      if (fd) this.withdrawn.add(`${auctionId(id)}-0-loss-0`);
    }
  }

  async work(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_500) {
      await this.#notices.step();
      await this.clock.advance(1_500);
    }
  }

  /** Kills it in the checkpoint after a look at the journal. */
  async kill(at: KillPoint): Promise<void> {
    await this.#notices.step();
    this.#killPoint = at;
    await this.clock.advance(1_000);
    await this.#notices.step().catch(() => {});
    this.#killPoint = null;
    this.#store.close();
    this.#store = new NoticeStore(noticeDatabasePath(this.node.dataDirectory));
    this.#notices = this.#start();
  }

  close(): void {
    this.#store.close();
    this.node.close();
  }

  #start(): Notices {
    const { node, clock, partners } = this;
    const store = this.#store;
    const own = node.journal('courier');
    const journal: Pick<Journal, 'append'> = {
      append: (record, done) => {
        const killed = new Error('killed');
        if (this.#killPoint === 'before the record') done?.(killed);
        else if (this.#killPoint === 'after the record') own.append(record, () => done?.(killed));
        else own.append(record, done);
      },
    };
    // What a courier that was killed still has under way is answered, but nobody hears it.
    const client = {
      call: (call: Parameters<TestPartners['call']>[0], settle: (reply: NoticeReply) => void) =>
        partners.call(call, (reply) => {
          if (store === this.#store) settle(reply);
        }),
    };
    return new Notices({
      news: new JournalNews(),
      journalDirectory: node.journalDirectory,
      incarnation: node.incarnation,
      store,
      journal,
      client,
      logger: node.logger,
      now: () => clock.nowMs,
      monotonic: () => clock.monotonicMs,
    });
  }
}

const partner = fc.integer({ min: 1, max: 3 });
const command = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    count: fc.integer({ min: 1, max: 20 }),
    partner,
    fd: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('work' as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
  fc.record({
    kind: fc.constant('kill' as const),
    at: fc.constantFrom<KillPoint>('before the record', 'after the record', 'after the commit'),
  }),
  fc.record({
    kind: fc.constant('behave' as const),
    partner,
    reply: fc.constantFrom<NoticeReply | 'hangs'>(DELIVERED, REFUSED, 'hangs', {
      kind: 'answer',
      status: 500,
      body: '',
    }),
  }),
);

test('whenever a courier is killed, every notice is called at least once, and recorded', async () => {
  const property = fc.asyncProperty(
    fc.array(command, { minLength: 3, maxLength: 20 }),
    async (commands) => {
      const courier = new Courier();
      try {
        const replies = new Map<string, NoticeReply | 'hangs'>();
        courier.partners.behave = (_call, host) => replies.get(host) ?? DELIVERED;
        for (const each of commands) {
          if (each.kind === 'write') await courier.write(each.count, each.partner, each.fd);
          else if (each.kind === 'work') await courier.work(each.ms);
          else if (each.kind === 'kill') await courier.kill(each.at);
          else replies.set(`${each.partner}.example`, each.reply);
        }
        replies.clear();
        await courier.work(6 * 60_000);
        await check(courier);
      } finally {
        courier.close();
      }
    },
  );
  await fc.assert(property, { numRuns: runs(6) });
});

async function check(courier: Courier): Promise<void> {
  const called = new Set(courier.partners.calls.map(({ id }) => id));
  const deliveries = await courier.node.deliveries();
  const recorded = new Map(
    deliveries.map((each) => [`${each.auction_id}-${each.imp}-${each.event}`, each.outcome]),
  );
  for (const id of courier.due) {
    const outcome = recorded.get(id);
    assert.ok(outcome !== undefined, `${id} is not recorded`);
    if (outcome === 'delivered') assert.ok(called.has(id), `${id} was not called`);
    // A win may be given up where its partner failed for a minute.
    else assert.ok(id.endsWith('win'), `${id} is given up`);
  }
  assert.equal(recorded.size, courier.due.size);
  for (const id of courier.withdrawn) assert.ok(!called.has(id), `${id} was called`);
  assert.deepEqual(courier.pending, { win: 0, billing: 0, loss: 0 });
}
