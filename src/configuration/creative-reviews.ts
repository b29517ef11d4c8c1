import type { Kysely, Transaction } from 'kysely';
import { createCreativeReviews, type CreativeReviews } from '../auction/creative-reviews.ts';
import type { Problem } from '../base/problem.ts';
import { fieldChanges, writeAudit, type Actor } from './audit.ts';
import {
  creativeReviewEntity,
  subjectOf,
  type ReviewSubject,
} from './resources/creative-review.ts';
import type { CreativeReviewInput, ReviewRemoval } from './resources/creative-review-schema.ts';
import type { AuditAction, Database } from './schema.ts';
import { readOnly, type Row } from './state.ts';
import { raiseVersion } from './version.ts';

/** Those that hold everywhere. All are in every snapshot, and in the memory of every exchange process. */
export const REVIEWS_MAX = 10_000;

/** Those for the ad spaces of one publisher, who leaves room for others and for the operator. */
export const PUBLISHER_REVIEWS_MAX = 1_000;

/** What became of a decision; `unchanged` where it stood like this already. */
export type ReviewOutcome =
  | {
      readonly ok: true;
      readonly outcome: Outcome;
      /** The decision as it stands now, or stood until it was taken back; null if there was none. */
      readonly review: StoredReview | null;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type StoredRow = Database['creative_reviews'];

type Outcome = 'created' | 'updated' | 'removed' | 'unchanged';

/** Who decides, and when. */
export interface ReviewContext {
  readonly actor: Actor;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
}

/** A review as people see it. */
export interface StoredReview {
  readonly id: number;
  /** Null: everywhere. */
  readonly publisher: number | null;
  /** Null: of any partner. */
  readonly demand_partner: number | null;
  readonly target: 'crid' | 'domain';
  readonly value: string;
  readonly verdict: 'blocked' | 'approved';
  readonly reason: string;
  readonly by: string;
  /** Unix time in milliseconds. */
  readonly created_at: number;
}

/**
 * Decides about a creative or an advertiser; a decision about the same is replaced. It holds on every
 * node within two seconds.
 */
export async function saveReview(
  db: Kysely<Database>,
  input: CreativeReviewInput,
  context: ReviewContext,
): Promise<ReviewOutcome> {
  const subject = subjectOf(input);
  if ('message' in subject) return refused(subject);
  return db.transaction().execute(async (transaction) => {
    const unknown = await findUnknownOwners(transaction, input);
    if (unknown.length > 0) return { ok: false, problems: unknown };
    const stored = await find(transaction, subject);
    const { verdict, by } = input;
    if (stored === undefined) return create(transaction, { subject, input, context });
    // Who blocks again without giving a reason has not taken the former one back.
    const kept = stored.verdict === verdict ? stored.reason : '';
    const reason = input.reason ?? kept;
    if (stored.verdict === verdict && stored.reason === reason) return done('unchanged', stored);
    const { nowMs } = context;
    const next = { verdict, reason, created_by: by, created_at: nowMs, updated_at: nowMs };
    await transaction
      .updateTable('creative_reviews')
      .set(next)
      .where('id', '=', stored.id)
      .execute();
    const updated = { ...stored, ...next };
    await note(transaction, { action: 'updated', before: stored, after: updated }, context);
    return done('updated', updated);
  });
}

/** Takes a decision back; one of the other verdict stays. */
export async function removeReview(
  db: Kysely<Database>,
  input: ReviewRemoval,
  context: ReviewContext,
): Promise<ReviewOutcome> {
  const subject = subjectOf(input);
  if ('message' in subject) return refused(subject);
  return db.transaction().execute(async (transaction) => {
    const unknown = await findUnknownOwners(transaction, input);
    if (unknown.length > 0) return { ok: false, problems: unknown };
    const stored = await find(transaction, subject);
    if (stored?.verdict !== input.verdict) return done('unchanged', stored ?? null);
    await remove(transaction, stored, context);
    return done('removed', stored);
  });
}

/**
 * Takes back the decision that `choose` reads in the transaction that removes it.
 *
 * @throws whatever `choose` throws; then it stays.
 */
export async function removeChosenReview(
  db: Kysely<Database>,
  choose: (transaction: Transaction<Database>) => Promise<StoredRow>,
  context: ReviewContext,
): Promise<void> {
  await db
    .transaction()
    .execute(async (transaction) => remove(transaction, await choose(transaction), context));
}

/** All decisions, the latest first. */
export async function listReviews(db: Kysely<Database>): Promise<StoredReview[]> {
  const rows = await db
    .selectFrom('creative_reviews')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => describeReview(row));
}

/** A decision as people see it. */
export function describeReview(row: StoredRow): StoredReview {
  return {
    id: row.id,
    publisher: row.publisher_id === EVERYWHERE ? null : row.publisher_id,
    demand_partner: row.demand_partner_id === 0 ? null : row.demand_partner_id,
    target: row.target,
    value: row.value,
    verdict: row.verdict,
    reason: row.reason,
    by: row.created_by,
    created_at: row.created_at,
  };
}

/** In order of id. Call it within a transaction. */
export async function loadReviews(
  transaction: Kysely<Database>,
): Promise<readonly Row<'creative_reviews'>[]> {
  return transaction.selectFrom('creative_reviews').selectAll().orderBy('id').execute();
}

/** The decisions as auctions see them, to say of creatives that were seen where they stand. */
export async function readCreativeReviews(db: Kysely<Database>): Promise<CreativeReviews> {
  return readOnly(db, async (transaction) => {
    const settings = await transaction
      .selectFrom('exchange_settings')
      .select('creative_review')
      .executeTakeFirst();
    const publishers = await transaction
      .selectFrom('publishers')
      .select(['id', 'creative_review'])
      .execute();
    const partners = await transaction
      .selectFrom('demand_partners')
      .select(['id', 'name'])
      .execute();
    const names = new Map(partners.map(({ id, name }) => [id, name]));
    const sources = {
      operatorRequires: settings?.creative_review === 'required',
      publishers: publishers.map((row) => ({ id: row.id, creativeReview: row.creative_review })),
      reviews: (await loadReviews(transaction)).map((row) => creativeReviewEntity(row)),
      partnerName: (id: number) => names.get(id) ?? `partner ${id}`,
    };
    return createCreativeReviews(sources, () => Promise.resolve());
  });
}

/** In the place of a publisher's id. */
const EVERYWHERE = 0;

interface NewReview {
  readonly subject: ReviewSubject;
  readonly input: CreativeReviewInput;
  readonly context: ReviewContext;
}

async function create(
  transaction: Transaction<Database>,
  { subject, input, context }: NewReview,
): Promise<ReviewOutcome> {
  const { publisher_id: publisher } = subject;
  const { count, last } = await transaction
    .selectFrom('creative_reviews')
    .select(({ fn }) => [
      fn.count<number>('id').filterWhere('publisher_id', '=', publisher).as('count'),
      fn.max('id').as('last'),
    ])
    .executeTakeFirstOrThrow();
  const most = publisher === EVERYWHERE ? REVIEWS_MAX : PUBLISHER_REVIEWS_MAX;
  if (count >= most) {
    const whose = publisher === EVERYWHERE ? '' : ` of publisher ${publisher}`;
    const message = `There are ${most} reviews${whose} already; take back some that nobody needs.`;
    return refused({ pointer: '', message });
  }
  const { verdict, reason = '', by } = input;
  const { nowMs } = context;
  const decision = { verdict, reason, created_by: by, created_at: nowMs, updated_at: nowMs };
  const row = { id: (last ?? 0) + 1, ...subject, ...decision };
  await transaction.insertInto('creative_reviews').values(row).execute();
  await note(transaction, { action: 'created', before: null, after: row }, context);
  return done('created', row);
}

async function remove(
  transaction: Transaction<Database>,
  stored: StoredRow,
  context: ReviewContext,
): Promise<void> {
  await transaction.deleteFrom('creative_reviews').where('id', '=', stored.id).execute();
  await note(transaction, { action: 'deleted', before: stored, after: null }, context);
}

/** What was changed: at least one of the two is there. */
interface NotedChange {
  readonly action: AuditAction;
  readonly before: StoredRow | null;
  readonly after: StoredRow | null;
}

/** Tells the exchange and the audit log. */
async function note(
  transaction: Transaction<Database>,
  { action, before, after }: NotedChange,
  context: ReviewContext,
): Promise<void> {
  const [was, is] = [auditedReview(before), auditedReview(after)];
  // Of what is no longer there every key is worth telling, without one after it.
  const gone = Object.entries(was ?? {}).map(([field, value]) => ({ field, before: value }));
  const changes = is === null ? gone : fieldChanges(was, is);
  const resourceId = after?.id ?? before?.id ?? 0;
  const entry = { action, resource: 'creative review', resourceId, changes };
  await writeAudit(transaction, entry, context);
  await raiseVersion(transaction);
}

function auditedReview(row: StoredRow | null): object | null {
  if (row === null) return null;
  const { publisher, demand_partner, target, value, verdict, reason, by } = describeReview(row);
  return { publisher, demand_partner, target, value, verdict, reason, by };
}

function find(
  transaction: Transaction<Database>,
  { publisher_id, demand_partner_id, target, value }: ReviewSubject,
): Promise<StoredRow | undefined> {
  return transaction
    .selectFrom('creative_reviews')
    .selectAll()
    .where('publisher_id', '=', publisher_id)
    .where('demand_partner_id', '=', demand_partner_id)
    .where('target', '=', target)
    .where('value', '=', value)
    .executeTakeFirst();
}

/** What is named and does not exist would hold nowhere, and nobody would hear of it. */
async function findUnknownOwners(
  transaction: Kysely<Database>,
  { publisher, demand_partner: partner }: Pick<ReviewRemoval, 'publisher' | 'demand_partner'>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [table, key, noun, id] of [
    ['publishers', 'publisher', 'publisher', publisher],
    ['demand_partners', 'demand_partner', 'demand partner', partner],
  ] as const) {
    if (id === undefined) continue;
    const row = await transaction
      .selectFrom(table)
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (row !== undefined) continue;
    problems.push({ pointer: `/${key}`, message: `There is no ${noun} ${id}.` });
  }
  return problems;
}

function done(outcome: Outcome, row: StoredRow | null): ReviewOutcome {
  return { ok: true, outcome, review: row === null ? null : describeReview(row) };
}

function refused(problem: Problem): ReviewOutcome {
  return { ok: false, problems: [problem] };
}
