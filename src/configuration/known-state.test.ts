import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Kysely } from 'kysely';
import {
  applyQuickly,
  openTestStore,
  problemsOf,
  QUICK_TOOLS,
  readExample,
} from '../../test/support/configuration-store.ts';
import { changeConfiguration } from './change.ts';
import { loadKnownState } from './known-state.ts';
import type { Plan } from './plan.ts';
import { planLineItem } from './resources/line-item.ts';
import type { LineItemInput } from '../resources/line-item.ts';
import type { Database } from './schema.ts';
import { loadState, type State } from './state.ts';
import { stopBidder } from './stopped-bidders.ts';

const BY = { actor: QUICK_TOOLS.actor, nowMs: 1_000 };

async function exampleStore(t: TestContext): Promise<Kysely<Database>> {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  return db;
}

function change(db: Kysely<Database>, ...inputs: readonly LineItemInput[]) {
  const plan = (into: Plan): void => {
    for (const input of inputs) planLineItem(into, { path: [], input, unsound: new Set() }, 1001);
  };
  return changeConfiguration(db, BY, { plan, read: () => Promise.resolve(null) });
}

/** What is known of a store and what is in it, without the times, which no rule looks at. */
async function states(db: Kysely<Database>): Promise<[unknown, unknown]> {
  return db.transaction().execute(async (transaction) => {
    const [known, stored] = [await loadKnownState(db, transaction), await loadState(transaction)];
    return [timeless(known), timeless(stored)];
  });
}

function timeless({ version, exchange, ...maps }: State): unknown {
  return JSON.parse(
    JSON.stringify({ version, exchange, ...maps }, (key, value: unknown) => {
      if (key === 'created_at' || key === 'updated_at') return undefined;
      if (value instanceof Set) return [...value];
      return value instanceof Map ? [...value].toSorted(byKey) : value;
    }),
  );
}

function byKey([a]: [unknown, unknown], [b]: [unknown, unknown]): number {
  return String(a) < String(b) ? -1 : 1;
}

test('what is known after changes of this process and of others is what the store holds', async (t) => {
  const db = await exampleStore(t);
  const steps: readonly (() => Promise<unknown>)[] = [
    () => change(db, { id: 501, name: 'A', capping: { max_qps: 3 } }),
    () => change(db, { id: 501, name: 'A' }),
    () => change(db, { id: 601, name: 'B', seat: 'b' }, { id: 501, targeting: { secure: true } }),
    () => stopBidder(db, 1001, 'why', BY),
    () => change(db, { id: 601, seat: null }),
    () =>
      applyQuickly(
        db,
        'demand_partners: [{ id: 1002, name: C, line_items: [{ id: 502, name: D }] }]',
      ),
    () => change(db, { id: 601, status: 'ARCHIVED' }),
    () => change(db, { id: 601, seat: 'bolt-1', status: 'ACTIVE' }),
  ];
  for (const step of steps) {
    await step();
    const [known, stored] = await states(db);
    assert.deepEqual(known, stored);
  }
});

test('a change that is refused or fails leaves nothing of itself behind', async (t) => {
  const db = await exampleStore(t);
  await change(db, { id: 501, name: 'A' });
  const refused = await change(db, { id: 601, name: 'B', seat: 'bolt-1' });
  assert.equal(refused.ok, false);
  const failing = changeConfiguration(db, BY, {
    plan: (plan) =>
      planLineItem(plan, { path: [], input: { id: 602, name: 'C' }, unsound: new Set() }, 1001),
    read: () => Promise.reject(new Error('the answer could not be read')),
  });
  await assert.rejects(failing, /could not be read/);
  const [known, stored] = await states(db);
  assert.deepEqual(known, stored);
  assert.doesNotMatch(JSON.stringify(known), /60[12]/);
});
