import { sql, type Kysely } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import { ownField } from '../../base/fields.ts';
import { changeEach } from '../../configuration/change-each.ts';
import type { Finding } from '../../configuration/finding.ts';
import type { Plan } from '../../configuration/plan.ts';
import { planLineItem } from '../../configuration/resources/line-item.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { actorOf } from '../actor.ts';
import { BodyReader } from '../body-reader.ts';
import { problemsOf } from '../endpoints.ts';
import { demandPartnerOf } from '../owners.ts';
import { readNumericId, type Params } from '../resource.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { BULK_ERRORS_MAX, type BulkAnswer, type BulkResult } from './bulk-schema.ts';
import { LINE_ITEM_RULES, showLineItem } from './line-item.ts';

interface Sent {
  readonly caller: Caller;
  readonly params: Params;
  readonly items: readonly unknown[];
}

const bodies = new BodyReader(LINE_ITEM_RULES);

/**
 * Makes and changes line items of one demand partner, as many as can be.
 *
 * @throws RialtoError `not_found` where the partner is not the caller's.
 */
export async function changeLineItems(
  { db, now }: ResourceParts,
  { caller, params, items }: Sent,
): Promise<BulkAnswer> {
  const partnerId = await demandPartnerOf(db, caller, params);
  const bulk = new Bulk({ caller, partnerId, items });
  const results = await changeEach(
    db,
    { actor: actorOf(caller), nowMs: now() },
    {
      count: items.length,
      prepare: async (transaction) => {
        bulk.before = await rowsOf(transaction, partnerId, bulk.namedIds);
        return (plan, index) => bulk.planOne(plan, index);
      },
      read: async (_transaction, refused) => {
        return items.map((_item, index) => bulk.resultOf(index, refused.get(index)));
      },
    },
  );
  const count = (wanted: (status: number) => boolean): number =>
    results.filter(({ status }) => wanted(status)).length;
  return {
    created: count((status) => status === 201),
    changed: count((status) => status === 200),
    refused: count((status) => status >= 400),
    results,
  };
}

interface BulkParts {
  readonly caller: Caller;
  readonly partnerId: number;
  readonly items: readonly unknown[];
}

/** One request's line items, on their way into a plan and into the answer. */
class Bulk {
  /** What is changed, by its id, as it was. */
  before: LineItemRows = new Map();
  readonly #parts: BulkParts;
  /** What could not be planned at all, by its place. */
  readonly #errors = new Map<number, RialtoError>();
  /** For which there was no room in the plan under way; in the next one there may be. */
  readonly #withoutRoom = new Set<number>();
  /** What each line item was planned as. */
  readonly #ids = new Map<number, number>();
  /** The one under way, and how many line items the partner has in it. */
  #plan: Plan | null = null;
  #owned = 0;
  /** Where each id stands first. */
  readonly #firsts = new Map<number, number>();

  constructor(parts: BulkParts) {
    this.#parts = parts;
    for (const [index, item] of parts.items.entries()) {
      const id = idOf(item);
      if (id !== null && !this.#firsts.has(id)) this.#firsts.set(id, index);
    }
  }

  /** Of what is to be changed. */
  get namedIds(): readonly number[] {
    return [...this.#firsts.keys()];
  }

  planOne(plan: Plan, index: number): void {
    if (plan !== this.#plan) this.#begin(plan);
    if (this.#errors.has(index)) return;
    try {
      this.#planInto(plan, index);
    } catch (error) {
      if (!(error instanceof RialtoError)) throw error;
      this.#errors.set(index, error);
    }
  }

  resultOf(index: number, findings: readonly Finding[] | undefined): BulkResult {
    const found = findings && new RialtoError('invalid_request', problemsOf(findings));
    const error = this.#errors.get(index) ?? found;
    if (error !== undefined) {
      const { status, code, problems } = error;
      // What the rules have found begins with the number already.
      const place = error === found ? '/line_items' : `/line_items/${index}`;
      const errors = problems.slice(0, BULK_ERRORS_MAX).map(({ pointer, message }) => ({
        pointer: place + pointer,
        message,
      }));
      return { index, status, id: null, code, errors };
    }
    const id = this.#ids.get(index);
    if (id === undefined) throw new Error('a line item was neither planned nor refused');
    const status = isNew(this.#parts.items[index]) ? 201 : 200;
    return { index, status, id, code: null, errors: [] };
  }

  /** Those that a plan before has refused are left out of this one. */
  #begin(plan: Plan): void {
    this.#plan = plan;
    this.#owned = 0;
    for (const index of this.#withoutRoom) this.#errors.delete(index);
    this.#withoutRoom.clear();
    for (const row of plan.state.lineItems.values()) {
      if (row.demand_partner_id === this.#parts.partnerId) this.#owned += 1;
    }
  }

  #planInto(plan: Plan, index: number): void {
    const { caller, partnerId, items } = this.#parts;
    const item = items[index];
    const element = isNew(item) ? this.#readNew(plan, index, caller) : this.#readPatch(item, index);
    this.#ids.set(index, element.input.id);
    if (isNew(item)) this.#owned += 1;
    planLineItem(plan, { ...element, path: [index] }, partnerId);
  }

  #readNew(plan: Plan, index: number, caller: Caller) {
    const { most, plural } = LINE_ITEM_RULES;
    if (this.#owned >= most) {
      this.#withoutRoom.add(index);
      const message = `there are ${most} ${plural} already, the most there may be; change one that is archived instead`;
      throw new RialtoError('invalid_request', [{ pointer: '', message }]);
    }
    return bodies.readNew(
      this.#parts.items[index],
      caller,
      plan.nextId('line_items', plan.state.lineItems.values()),
    );
  }

  #readPatch(item: unknown, index: number) {
    const id = idOf(item) ?? 0;
    const row = this.before.get(id);
    if (row === undefined) throw new RialtoError('not_found');
    const first = this.#firsts.get(id);
    if (first !== index) {
      const message = `stands twice in this request; the first is number ${first}`;
      throw new RialtoError('invalid_request', [{ pointer: '/id', message }]);
    }
    return bodies.readPatch(item, {
      before: showLineItem(row),
      id: { id },
      caller: this.#parts.caller,
    });
  }
}

/** Without an id a line item is made. */
function isNew(item: unknown): boolean {
  return ownField(item, 'id') === undefined;
}

function idOf(item: unknown): number | null {
  const id = ownField(item, 'id');
  return typeof id === 'number' ? readNumericId(String(id)) : null;
}

type LineItemRows = ReadonlyMap<number, Database['line_items']>;

/** Of the partner's line items those with the ids. */
async function rowsOf(
  db: Kysely<Database>,
  partnerId: number,
  ids: readonly number[],
): Promise<LineItemRows> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Database['line_items']>`
    select * from line_items where demand_partner_id = ${partnerId} and id in (${sql.join(ids)})
  `.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
