import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { openTestStore } from '../../test/support/configuration-store.ts';
import {
  createSubscription,
  deleteSubscription,
  type SubscriptionOwner,
} from '../configuration/subscriptions.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { NoticeCall, NoticeReply } from '../ports/notice-client.ts';
import {
  partnerCondition,
  type Condition,
  type ConditionSource,
  type Reading,
} from './condition.ts';
import { DELIVERIES_KEPT, nextTryMs } from './deliveries.ts';
import { signatureOf } from './signature.ts';
import { DeliverySender, type Transport } from './delivery-sender.ts';
import { MAILS_OF_ACCOUNT_MAX, MAILS_OF_ADDRESS_MAX } from './sent-mails.ts';
import { ConditionWatch } from './condition-watch.ts';
import { createWebhookTransport } from './webhook-transport.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;
const OPERATORS: SubscriptionOwner = { demand_partner_id: null, publisher_id: null };
const ACTOR = { name: 'test', userId: null, clientId: null };

function unhealthy(id: number): Condition {
  const data = { demand_partner_id: id };
  return partnerCondition(id, `bidder ${id}`, { type: 'bidder.unhealthy', data });
}

/** A watch and a sender over a store, a source that tells what it is told, and a receiver. */
async function subscriptionsOf(t: TestContext) {
  const { db } = await openTestStore(t);
  const state: {
    nowMs: number;
    term: number | null;
    reading: Reading | null;
    reads: number;
    reply: NoticeReply;
    calls: NoticeCall[];
    /** While a call is under way. */
    onCall: () => Promise<void>;
    mails: string[];
    mailed: Awaited<ReturnType<Transport>>;
  } = {
    nowMs: NOON_MS,
    term: 1,
    reading: { holds: [] },
    reads: 0,
    reply: { kind: 'answer', status: 204, body: '' },
    calls: [],
    onCall: async () => {},
    mails: [],
    mailed: { status: 250, failure: null },
  };
  const leadership: Leadership = {
    get term() {
      return state.term;
    },
  };
  const source: ConditionSource = {
    kind: 'bidder',
    types: ['bidder.unhealthy', 'bidder.healthy'],
    everyMs: 10,
    read: async () => {
      state.reads += 1;
      return state.reading;
    },
  };
  const now = (): number => state.nowMs;
  const common = { db, leadership, logger: pino({ level: 'silent' }), now };
  const client = {
    call: (call: NoticeCall, settle: (reply: NoticeReply) => void) => {
      state.calls.push(call);
      void state.onCall().then(() => settle(state.reply));
    },
  };
  const open = () => ({
    watch: new ConditionWatch({ ...common, sources: [source] }),
    sender: new DeliverySender({
      ...common,
      transports: {
        webhook: createWebhookTransport({ client, monotonic: () => 0 }),
        email: async (recipient, { type }) => {
          state.mails.push(`${type} to ${recipient.address}`);
          return state.mailed;
        },
      },
      random: () => 0.5,
    }),
  });
  let { watch, sender } = open();
  return {
    db,
    state,
    /** As after a restart of control. */
    restart: () => void ({ watch, sender } = open()),
    look: async (holds: readonly Condition[], more: Partial<Reading> = {}) => {
      state.nowMs += 10;
      state.reading = { holds, ...more };
      await watch.look();
    },
    send: async () => {
      await sender.send();
      await sender.settled();
      return state.calls.splice(0);
    },
    add: async (owner: SubscriptionOwner, events: readonly string[] = ['bidder.unhealthy']) => {
      const choice = {
        name: 'Hook',
        address: 'http://hook.example/',
        status: 'ACTIVE',
        events,
      } as const;
      const by = { actor: ACTOR, nowMs: state.nowMs };
      const row = await createSubscription(
        db,
        { ...owner, channel: 'webhook', choice, secret: 'secret' },
        by,
      );
      if (typeof row === 'string') assert.fail(row);
      return row;
    },
    addRecipient: async (owner: SubscriptionOwner, address = 'ana@acme.example') => {
      const choice = {
        name: 'Ana',
        address,
        status: 'ACTIVE',
        events: ['bidder.unhealthy'],
      } as const;
      const made = { ...owner, channel: 'email', choice, secret: null } as const;
      const row = await createSubscription(db, made, { actor: ACTOR, nowMs: state.nowMs });
      if (typeof row === 'string') assert.fail(row);
      return row;
    },
    deliveries: () => db.selectFrom('deliveries').selectAll().orderBy('created_at').execute(),
  };
}

/** Some demand partners, for subscriptions to belong to. */
async function addPartners({ db }: Awaited<ReturnType<typeof subscriptionsOf>>): Promise<void> {
  const times = { created_at: 1, updated_at: 1 };
  await db
    .insertInto('demand_partners')
    .values([1001, 1002].map((id) => ({ id, name: `P${id}`, status: 'ACTIVE', ...times })))
    .execute();
}

/** A user of the first demand partner. */
async function addUser(
  { db }: Awaited<ReturnType<typeof subscriptionsOf>>,
  email: string,
): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: 1,
      email,
      role: 'DEMAND_PARTNER',
      demand_partner_id: 1001,
      publisher_id: null,
      status: 'ACTIVE',
      password_hash: null,
      created_at: 1,
      updated_at: 1,
    })
    .execute();
}

function bodyOf(call: NoticeCall | undefined): ReturnType<typeof JSON.parse> {
  return JSON.parse(call?.post?.body ?? 'null');
}

test('a change is told once to those whose business it is, signed, and with an id', async (t) => {
  const hooks = await subscriptionsOf(t);
  await addPartners(hooks);
  await hooks.add(OPERATORS);
  await hooks.add({ demand_partner_id: 1001, publisher_id: null });
  await hooks.add({ demand_partner_id: 1002, publisher_id: null });
  await hooks.add(OPERATORS, ['bidder.healthy']);
  await hooks.look([unhealthy(1001)]);
  const calls = await hooks.send();
  assert.equal(calls.length, 2, 'the operator, and the partner');
  const [first, second] = calls;
  const { id, ...said } = bodyOf(first);
  assert.match(id, /^evt_[0-9a-f-]{36}$/);
  assert.deepEqual(said, {
    type: 'bidder.unhealthy',
    created_at: '2026-11-20T12:00:00.010Z',
    data: { demand_partner_id: 1001 },
  });
  assert.equal(bodyOf(second).id, id);
  const headers = first?.post?.headers ?? [];
  const signed = headers[headers.indexOf('rialto-signature') + 1];
  assert.equal(signed, signatureOf(['secret'], NOON_MS / 1_000, first?.post?.body ?? ''));
  hooks.restart();
  await hooks.look([unhealthy(1001)]);
  assert.deepEqual(await hooks.send(), [], 'it is no news, also after a restart');
});

test('the end of a condition is told where it is known, and what nobody can tell of stays', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.add(OPERATORS, ['bidder.unhealthy', 'bidder.healthy']);
  await hooks.look([unhealthy(1001), unhealthy(1002)]);
  await hooks.send();
  const over = ({ key }: Condition) => ({ type: 'bidder.healthy', data: { key } }) as const;
  await hooks.look([], { keeps: () => true, over });
  assert.deepEqual(await hooks.send(), []);
  await hooks.look([], { keeps: ({ key }) => key === 'bidder 1002', over });
  const [call, ...more] = await hooks.send();
  assert.deepEqual([bodyOf(call).type, bodyOf(call).data.key], ['bidder.healthy', 'bidder 1001']);
  assert.deepEqual(more, []);
  await hooks.look([], { over: () => null });
  assert.deepEqual(await hooks.send(), [], 'a partner that is gone is not well');
  await hooks.look([unhealthy(1002)]);
  assert.equal((await hooks.send()).length, 1, 'it is news again');
});

test('what grows is told again as it is then, and not too soon', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.add(OPERATORS);
  const waiting = (count: number): Condition =>
    partnerCondition(1001, 'x', { type: 'bidder.unhealthy', data: { count } });
  const again: Reading['again'] = {
    afterMs: HOUR_MS,
    isNews: (known, now) => JSON.stringify(known) !== JSON.stringify(now),
  };
  const told = async (count: number) => {
    await hooks.look([waiting(count)], { again });
    return (await hooks.send()).map((call) => bodyOf(call).data.count);
  };
  assert.deepEqual([await told(1), await told(2), await told(3)], [[1], [], []]);
  hooks.state.nowMs += HOUR_MS;
  assert.deepEqual([await told(4), await told(5)], [[4], []]);
  hooks.state.nowMs += HOUR_MS;
  assert.deepEqual([await told(4), await told(5)], [[], [5]], 'the same is no news');
});

test('nothing is looked at for nobody, by a control that does not lead, or more often than said', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.look([unhealthy(1001)]);
  assert.equal(hooks.state.reads, 0);
  const { id } = await hooks.add(OPERATORS);
  hooks.state.term = null;
  await hooks.look([unhealthy(1001)]);
  assert.equal(hooks.state.reads, 0);
  hooks.state.term = 1;
  await hooks.look([unhealthy(1001)]);
  hooks.state.nowMs -= 1;
  await hooks.look([unhealthy(1001)]);
  assert.equal(hooks.state.reads, 1);
  hooks.state.term = null;
  assert.deepEqual(await hooks.send(), [], 'another control sends it');
  hooks.state.term = 1;
  assert.equal((await hooks.send()).length, 1);
  // Who asks for it after a time in which nobody did is told what holds.
  await hooks.db.updateTable('subscriptions').set({ status: 'PAUSED' }).execute();
  await hooks.look([unhealthy(1001)]);
  await hooks.db
    .updateTable('subscriptions')
    .set({ status: 'ACTIVE' })
    .where('id', '=', id)
    .execute();
  await hooks.look([unhealthy(1001)]);
  assert.equal((await hooks.send()).length, 1);
});

test('what is not taken is sent again, later and later, with the same id, and given up after a day', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.add(OPERATORS);
  await hooks.look([unhealthy(1001)]);
  hooks.state.reply = { kind: 'answer', status: 302, body: '' };
  const [first] = await hooks.send();
  assert.deepEqual(await hooks.send(), [], 'not at once');
  hooks.state.nowMs += 7_500;
  hooks.state.reply = { kind: 'timeout' };
  const [second] = await hooks.send();
  assert.equal(bodyOf(second).id, bodyOf(first).id);
  const headers = second?.post?.headers ?? [];
  assert.equal(headers[headers.indexOf('rialto-try') + 1], '2');
  const [waiting] = await hooks.deliveries();
  assert.deepEqual(
    [waiting?.state, waiting?.tries, waiting?.answer_status, waiting?.failure],
    ['pending', 2, null, 'timeout'],
  );
  hooks.state.nowMs += 24 * HOUR_MS;
  await hooks.send();
  const [given] = await hooks.deliveries();
  assert.deepEqual([given?.state, given?.next_try_at], ['given_up', null]);
  hooks.state.nowMs += 24 * HOUR_MS;
  assert.deepEqual(await hooks.send(), []);
});

test('waits double from ten seconds to an hour, spread over their second half', () => {
  const waits = [1, 2, 3, 10, 30].map((tries) => nextTryMs(0, tries, 0, 1));
  assert.deepEqual(waits, [10_000, 20_000, 40_000, HOUR_MS, HOUR_MS]);
  assert.equal(nextTryMs(0, 1, 0, 0), 5_000);
  assert.equal(nextTryMs(0, 40, 24 * HOUR_MS, 0), null);
});

test('while a secret is rolled deliveries are signed with both', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.add(OPERATORS);
  const untilMs = NOON_MS + 60_000;
  const rolled = { secret: 'new', previous_secret: 'secret', previous_secret_until: untilMs };
  await hooks.db.updateTable('subscriptions').set(rolled).execute();
  const signature = async (id: number): Promise<[string | undefined, NoticeCall | undefined]> => {
    await hooks.look([unhealthy(id)], { keeps: () => true });
    const [call] = await hooks.send();
    const headers = call?.post?.headers ?? [];
    return [headers[headers.indexOf('rialto-signature') + 1], call];
  };
  const [both, call] = await signature(1);
  assert.equal(both, signatureOf(['new', 'secret'], NOON_MS / 1_000, call?.post?.body ?? ''));
  hooks.state.nowMs = untilMs;
  const [one] = await signature(2);
  assert.match(one ?? '', /^t=\d+,v1=[0-9a-f]{64}$/);
});

test('one that is paused gets what waits when it goes on', async (t) => {
  const hooks = await subscriptionsOf(t);
  const paused = await hooks.add(OPERATORS);
  await hooks.add(OPERATORS);
  await hooks.look([unhealthy(1001)]);
  const set = async (status: 'PAUSED' | 'ACTIVE'): Promise<void> => {
    await hooks.db
      .updateTable('subscriptions')
      .set({ status })
      .where('id', '=', paused.id)
      .execute();
  };
  await set('PAUSED');
  assert.equal((await hooks.send()).length, 1);
  await set('ACTIVE');
  assert.equal((await hooks.send()).length, 1);
});

test('what waits for a subscription that is removed meanwhile goes to nobody, and its id to none', async (t) => {
  const hooks = await subscriptionsOf(t);
  await addPartners(hooks);
  const first = await hooks.add({ demand_partner_id: 1001, publisher_id: null });
  await hooks.look([unhealthy(1001), { ...unhealthy(1001), key: 'another' }]);
  let second: typeof first | undefined;
  hooks.state.onCall = async () => {
    const by = { actor: ACTOR, nowMs: hooks.state.nowMs };
    await hooks.db
      .transaction()
      .execute((transaction) => deleteSubscription(transaction, first, by));
    second = await hooks.add({ demand_partner_id: 1002, publisher_id: null });
  };
  assert.equal((await hooks.send()).length, 1, 'the one that was under way');
  assert.equal(second?.id, first.id + 1);
});

test('a subscription that answers nobody is asked once a round, and its log is bounded', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.add(OPERATORS);
  const many = Array.from({ length: 20 }, (_, index) => unhealthy(index + 1));
  await hooks.look(many);
  hooks.state.reply = { kind: 'error', code: 'ECONNREFUSED' };
  assert.equal((await hooks.send()).length, 1);
  const rounds = Math.ceil(DELIVERIES_KEPT / 200) + 1;
  for (let round = 1; round <= rounds; round += 1) {
    const next = Array.from({ length: 200 }, (_, index) => unhealthy(round * 1_000 + index));
    await hooks.look(next, { keeps: () => true });
  }
  const kept = await hooks.deliveries();
  assert.equal(kept.length, DELIVERIES_KEPT);
});

test('a recipient of e-mail gets one mail for each event, and no more than so many an hour', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.addRecipient(OPERATORS);
  const many = Array.from({ length: MAILS_OF_ADDRESS_MAX + 5 }, (_, index) => unhealthy(index + 1));
  await hooks.look(many);
  await hooks.send();
  await hooks.send();
  await hooks.send();
  assert.equal(hooks.state.mails.length, MAILS_OF_ADDRESS_MAX);
  assert.equal(hooks.state.mails[0], 'bidder.unhealthy to ana@acme.example');
  hooks.state.nowMs += HOUR_MS;
  await hooks.send();
  assert.equal(hooks.state.mails.length, MAILS_OF_ADDRESS_MAX + 5, 'the rest is sent later');
});

test('an address gets no more mails for being removed and made again, or for having two accounts', async (t) => {
  const hooks = await subscriptionsOf(t);
  await addPartners(hooks);
  await addUser(hooks, 'eve@acme.example');
  const many = Array.from({ length: MAILS_OF_ADDRESS_MAX - 5 }, () => unhealthy(1001)).map(
    (each, index) => ({ ...each, key: `${index}` }),
  );
  const partner = { demand_partner_id: 1001, publisher_id: null };
  const first = await hooks.addRecipient(partner);
  await hooks.look(many);
  await hooks.send();
  await hooks.send();
  const by = { actor: ACTOR, nowMs: hooks.state.nowMs };
  await hooks.db.transaction().execute((transaction) => deleteSubscription(transaction, first, by));
  await hooks.addRecipient(partner, 'Ana@acme.example');
  await hooks.addRecipient(OPERATORS);
  await hooks.look([]);
  await hooks.look(many);
  await hooks.send();
  await hooks.send();
  assert.equal(hooks.state.mails.length, MAILS_OF_ADDRESS_MAX);
});

test('an account sends so many mails an hour to all its addresses', async (t) => {
  const hooks = await subscriptionsOf(t);
  const addresses = Math.ceil(MAILS_OF_ACCOUNT_MAX / MAILS_OF_ADDRESS_MAX) + 1;
  for (let index = 0; index < addresses; index += 1) {
    await hooks.addRecipient(OPERATORS, `ana${index}@acme.example`);
  }
  await hooks.look(
    Array.from({ length: MAILS_OF_ADDRESS_MAX }, (_, index) => unhealthy(index + 1)),
  );
  await hooks.send();
  await hooks.send();
  assert.equal(hooks.state.mails.length, MAILS_OF_ACCOUNT_MAX);
});

test('an address that is none of the account’s any more gets nothing', async (t) => {
  const hooks = await subscriptionsOf(t);
  await addPartners(hooks);
  await addUser(hooks, 'eve@acme.example');
  await hooks.addRecipient({ demand_partner_id: 1001, publisher_id: null });
  await hooks.look([unhealthy(1001)]);
  await hooks.send();
  assert.equal(hooks.state.mails.length, 1);
  await hooks.db.updateTable('users').set({ status: 'ARCHIVED' }).execute();
  await hooks.look([]);
  await hooks.look([unhealthy(1001)]);
  await hooks.send();
  assert.equal(hooks.state.mails.length, 1);
  const [, refused] = await hooks.deliveries();
  assert.deepEqual([refused?.state, refused?.failure], ['given_up', 'ERR_ADDRESS_NOT_ALLOWED']);
});

test('a mail to an address that is not there is given up at once, and a server that is down asked once a round', async (t) => {
  const hooks = await subscriptionsOf(t);
  await hooks.addRecipient(OPERATORS);
  await hooks.look([unhealthy(1), unhealthy(2)]);
  hooks.state.mailed = { status: null, failure: 'ECONNREFUSED', verdict: 'down' };
  await hooks.send();
  assert.equal(hooks.state.mails.length, 1);
  hooks.state.nowMs += 60_000;
  hooks.state.mailed = { status: 550, failure: null, verdict: 'gone' };
  await hooks.send();
  const states = (await hooks.deliveries()).map(({ state, answer_status: status }) => [
    state,
    status,
  ]);
  assert.deepEqual(states, [
    ['given_up', 550],
    ['given_up', 550],
  ]);
});
