import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Kysely } from 'kysely';
import { decodeSnapshot, encodeSnapshot } from '../snapshot/wire.ts';
import {
  applyQuickly,
  openTestStore,
  problemsOf,
  readExample,
} from '../../test/support/configuration-store.ts';
import { compileSnapshot } from './compile.ts';
import {
  listReviews,
  readCreativeReviews,
  removeReview,
  PUBLISHER_REVIEWS_MAX,
  REVIEWS_MAX,
  saveReview,
  type ReviewOutcome,
} from './creative-reviews.ts';
import { readReview, readReviewRemoval } from './resources/creative-review.ts';
import type { Database } from './schema.ts';
import { readVersion } from './version.ts';

const AT_MS = 1_800_000_000_000;
const CONTEXT = { actor: { name: 'a test', userId: null, clientId: null }, nowMs: AT_MS };
const CREATIVE = { demand_partner: 1001, crid: 'c-1' };

async function exampleStore(t: TestContext): Promise<Kysely<Database>> {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  return db;
}

function block(db: Kysely<Database>, subject: object, reason?: string): Promise<ReviewOutcome> {
  return save(db, { ...subject, verdict: 'blocked', ...(reason === undefined ? {} : { reason }) });
}

async function save(db: Kysely<Database>, input: object): Promise<ReviewOutcome> {
  const review = readReview({ by: 'ops', ...input });
  return review.ok ? saveReview(db, review.value, CONTEXT) : review;
}

async function unblock(db: Kysely<Database>, subject: object): Promise<ReviewOutcome> {
  const review = readReviewRemoval({ ...subject, verdict: 'blocked' });
  return review.ok ? removeReview(db, review.value, CONTEXT) : review;
}

function outcomeOf(outcome: ReviewOutcome): string {
  if (outcome.ok) return outcome.outcome;
  return outcome.problems.map(({ message }) => message).join('; ');
}

test('a decision is stored with who has taken it, when and why', async (t) => {
  const db = await exampleStore(t);
  const { seq } = await readVersion(db);
  assert.equal(outcomeOf(await block(db, CREATIVE, 'fake dialog')), 'created');
  assert.equal((await readVersion(db)).seq, seq + 1, 'the exchange hears of it');
  assert.deepEqual(await listReviews(db), [
    {
      id: 1,
      publisher: null,
      demand_partner: 1001,
      target: 'crid',
      value: 'c-1',
      verdict: 'blocked',
      reason: 'fake dialog',
      by: 'ops',
      created_at: AT_MS,
    },
  ]);
});

test('the same decision again changes nothing, not even the version', async (t) => {
  const db = await exampleStore(t);
  await block(db, CREATIVE, 'fake dialog');
  const version = await readVersion(db);
  assert.equal(outcomeOf(await block(db, CREATIVE, 'fake dialog')), 'unchanged');
  assert.equal(outcomeOf(await block(db, CREATIVE)), 'unchanged', 'the reason stays');
  assert.equal(outcomeOf(await unblock(db, { ...CREATIVE, crid: 'c-2' })), 'unchanged');
  assert.deepEqual(await readVersion(db), version);
});

test('a decision replaces the one about the same, and no other', async (t) => {
  const db = await exampleStore(t);
  await block(db, CREATIVE, 'fake dialog');
  await block(db, { ...CREATIVE, publisher: 2001 });
  await block(db, { domain: 'shop.example' });
  assert.equal(outcomeOf(await save(db, { ...CREATIVE, verdict: 'approved' })), 'updated');
  const reviews = await listReviews(db);
  assert.deepEqual(
    reviews.map(({ publisher, value, verdict, reason }) => [publisher, value, verdict, reason]),
    [
      [null, 'shop.example', 'blocked', ''],
      [2001, 'c-1', 'blocked', ''],
      [null, 'c-1', 'approved', ''],
    ],
  );
});

test('a block is taken back, an approval of the same stays', async (t) => {
  const db = await exampleStore(t);
  await block(db, CREATIVE);
  assert.equal(outcomeOf(await unblock(db, CREATIVE)), 'removed');
  await save(db, { ...CREATIVE, verdict: 'approved' });
  assert.equal(outcomeOf(await unblock(db, CREATIVE)), 'unchanged');
  assert.equal((await listReviews(db)).length, 1);
});

test('a domain is known whatever its case, and with or without www', async (t) => {
  const db = await exampleStore(t);
  await block(db, { domain: 'WWW.Shop.Example' });
  assert.equal(outcomeOf(await block(db, { domain: 'shop.example' })), 'unchanged');
});

test('what is wrong with a decision is told, and what would be right', async (t) => {
  const db = await exampleStore(t);
  for (const [subject, message] of [
    [{}, /either a crid or a domain/],
    [{ ...CREATIVE, domain: 'shop.example' }, /either a crid or a domain/],
    [{ crid: 'c-1' }, /known by its demand partner alone/],
    [{ ...CREATIVE, demand_partner: 99 }, /There is no demand partner 99/],
    [{ domain: 'shop.example', publisher: 98 }, /There is no publisher 98/],
    [{ domain: 'https://shop.example/' }, /domain must be a domain such as/],
    [{ ...CREATIVE, demand_partner: 'acme' }, /demand_partner must be a whole number/],
    [{ ...CREATIVE, colour: 'red' }, /colour is not a key of a review/],
    [{ ...CREATIVE, reason: 'two\nlines' }, /reason must be up to 200 characters on one line/],
  ] as const) {
    const outcome = await block(db, subject);
    assert.ok(!outcome.ok, JSON.stringify(subject));
    assert.match(outcomeOf(outcome), message);
  }
  assert.deepEqual(await listReviews(db), []);
});

test('decisions go into the snapshot, and those about what is archived do not', async (t) => {
  const db = await exampleStore(t);
  await block(db, CREATIVE, 'fake dialog');
  await block(db, { domain: 'shop.example', publisher: 2001 });
  await block(db, { demand_partner: 1002, crid: 'c-2' });
  const archive = 'demand_partners: [{ id: 1002, status: ARCHIVED }]';
  assert.ok((await applyQuickly(db, archive)).ok);
  const { version, entities } = await compileSnapshot(db);
  const snapshot = await decodeSnapshot(encodeSnapshot(version, entities));
  assert.deepEqual(snapshot.creativeReviews, [
    {
      kind: 'creativeReview',
      id: 1,
      publisherId: null,
      demandPartnerId: 1001,
      target: 'crid',
      value: 'c-1',
      verdict: 'blocked',
      reason: 'fake dialog',
    },
    {
      kind: 'creativeReview',
      id: 2,
      publisherId: 2001,
      demandPartnerId: null,
      target: 'domain',
      value: 'shop.example',
      verdict: 'blocked',
      reason: '',
    },
  ]);
});

test('applying a file leaves decisions as they are', async (t) => {
  const db = await exampleStore(t);
  await block(db, CREATIVE);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  assert.equal((await listReviews(db)).length, 1);
});

test('who lists creatives sees where they stand, by decisions and settings', async (t) => {
  const db = await exampleStore(t);
  assert.equal((await readCreativeReviews(db)).rulesFor(2001), null);
  assert.ok((await applyQuickly(db, 'exchange: { creative_review: required }')).ok);
  const rules = (await readCreativeReviews(db)).rulesFor(2001);
  assert.equal(rules?.operatorRequires, true);
  assert.notEqual(rules.partnerName(1001), 'partner 1001');
});

/** Decisions about creatives that nobody has seen. */
async function decideMany(
  db: Kysely<Database>,
  { count, publisher, firstId }: { count: number; publisher: number; firstId: number },
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => firstId + index);
  for (let start = 0; start < rows.length; start += 1_000) {
    const values = rows.slice(start, start + 1_000).map((id) => ({
      id,
      publisher_id: publisher,
      demand_partner_id: 1001,
      target: 'crid' as const,
      value: `many-${id}`,
      verdict: 'blocked' as const,
      reason: '',
      created_by: 'ops',
      created_at: AT_MS,
      updated_at: AT_MS,
    }));
    await db.insertInto('creative_reviews').values(values).execute();
  }
}

test('there is a limit to decisions, which says what to do', async (t) => {
  const db = await exampleStore(t);
  await decideMany(db, { count: REVIEWS_MAX, publisher: 0, firstId: 1 });
  assert.match(outcomeOf(await block(db, CREATIVE)), /There are 10000 reviews already/);
  assert.equal(outcomeOf(await block(db, { demand_partner: 1001, crid: 'many-1' })), 'unchanged');
  assert.equal(outcomeOf(await block(db, { ...CREATIVE, publisher: 2001 })), 'created');
});

test('a publisher who decides about all it can leaves room to everybody else', async (t) => {
  const db = await exampleStore(t);
  await decideMany(db, { count: PUBLISHER_REVIEWS_MAX, publisher: 2001, firstId: 1 });
  const refused = outcomeOf(await block(db, { ...CREATIVE, publisher: 2001 }));
  assert.match(refused, /There are 1000 reviews of publisher 2001 already/);
  assert.equal(outcomeOf(await block(db, CREATIVE)), 'created');
});
