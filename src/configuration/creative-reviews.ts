import type { Kysely, Transaction } from 'kysely';
import { createCreativeReviews, type CreativeReviews } from '../auction/creative-reviews.ts';
import type { Problem } from '../base/problem.ts';
import {
  creativeReviewEntity,
  subjectOf,
  type CreativeReviewInput,
  type ReviewRemoval,
  type ReviewSubject,
} from './resources/creative-review.ts';
import type { Database } from './schema.ts';
import { readOnly, type Row } from './state.ts';
import { raiseVersion } from './version.ts';

/** All of them are in every snapshot, and in the memory of every exchange process. */
export const REVIEWS_MAX = 10_000;

/** What became of a decision; `unchanged` where it stood like this already. */
export type ReviewOutcome =
  | {
      readonly ok: true;
      readonly outcome: 'created' | 'updated' | 'removed' | 'unchanged';
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

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
  nowMs: number,
): Promise<ReviewOutcome> {
  const subject = subjectOf(input);
  if ('message' in subject) return refused(subject);
  return db.transaction().execute(async (transaction) => {
    const unknown = await findUnknownOwners(transaction, input);
    if (unknown.length > 0) return { ok: false, problems: unknown };
    const stored = await find(transaction, subject);
    const { verdict, by } = input;
    if (stored === undefined) return create(transaction, { subject, input, nowMs });
    // Who blocks again without giving a reason has not taken the former one back.
    const kept = stored.verdict === verdict ? stored.reason : '';
    const reason = input.reason ?? kept;
    if (stored.verdict === verdict && stored.reason === reason) return done('unchanged');
    await transaction
      .updateTable('creative_reviews')
      .set({ verdict, reason, created_by: by, created_at: nowMs, updated_at: nowMs })
      .where('id', '=', stored.id)
      .execute();
    await raiseVersion(transaction);
    return done('updated');
  });
}

/** Takes a decision back; one of the other verdict stays. */
export async function removeReview(
  db: Kysely<Database>,
  input: ReviewRemoval,
): Promise<ReviewOutcome> {
  const subject = subjectOf(input);
  if ('message' in subject) return refused(subject);
  return db.transaction().execute(async (transaction) => {
    const unknown = await findUnknownOwners(transaction, input);
    if (unknown.length > 0) return { ok: false, problems: unknown };
    const stored = await find(transaction, subject);
    if (stored?.verdict !== input.verdict) return done('unchanged');
    await transaction.deleteFrom('creative_reviews').where('id', '=', stored.id).execute();
    await raiseVersion(transaction);
    return done('removed');
  });
}

/** All decisions, the latest first. */
export async function listReviews(db: Kysely<Database>): Promise<StoredReview[]> {
  const rows = await db
    .selectFrom('creative_reviews')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    publisher: row.publisher_id === 0 ? null : row.publisher_id,
    demand_partner: row.demand_partner_id === 0 ? null : row.demand_partner_id,
    target: row.target,
    value: row.value,
    verdict: row.verdict,
    reason: row.reason,
    by: row.created_by,
    created_at: row.created_at,
  }));
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

interface NewReview {
  readonly subject: ReviewSubject;
  readonly input: CreativeReviewInput;
  readonly nowMs: number;
}

async function create(
  transaction: Transaction<Database>,
  { subject, input, nowMs }: NewReview,
): Promise<ReviewOutcome> {
  const { count, last } = await transaction
    .selectFrom('creative_reviews')
    .select(({ fn }) => [fn.countAll().as('count'), fn.max('id').as('last')])
    .executeTakeFirstOrThrow();
  if (Number(count) >= REVIEWS_MAX) {
    const message = `There are ${REVIEWS_MAX} reviews already; take back some that nobody needs.`;
    return refused({ pointer: '', message });
  }
  const { verdict, reason = '', by } = input;
  const decision = { verdict, reason, created_by: by, created_at: nowMs, updated_at: nowMs };
  const id = (last ?? 0) + 1;
  await transaction
    .insertInto('creative_reviews')
    .values({ id, ...subject, ...decision })
    .execute();
  await raiseVersion(transaction);
  return done('created');
}

function find(
  transaction: Transaction<Database>,
  { publisher_id, demand_partner_id, target, value }: ReviewSubject,
): Promise<Row<'creative_reviews'> | undefined> {
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
export async function findUnknownOwners(
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

function done(outcome: 'created' | 'updated' | 'removed' | 'unchanged'): ReviewOutcome {
  return { ok: true, outcome };
}

function refused(problem: Problem): ReviewOutcome {
  return { ok: false, problems: [problem] };
}
