import type { RawBuilder } from 'kysely';
import type { TObject, TProperties, StaticEncode } from 'typebox';
import type { Kysely } from 'kysely';
import type { Computed, ResourceTable } from '../configuration/resource-rows.ts';
import type { Element, Plan } from '../configuration/plan.ts';
import type { Database } from '../configuration/schema.ts';
import type { Caller, CallerRole } from '../identity/caller.ts';
import type { Fields, FieldTable } from '../resources/field-table.ts';

export type Params = Readonly<Record<string, string>>;

/** What is shown of a row, completed with what stands elsewhere. */
type Completion<Table extends ResourceTable> = (row: Database[Table], shown: object) => object;

/** A kind of resource of the management API: what `resource-routes.ts` makes endpoints of. */
export interface Resource<
  Table extends ResourceTable,
  Schema extends TObject,
  Filters extends TProperties,
  Extra extends object = object,
> {
  readonly table: Table;
  /** The column that an address names a row by. */
  readonly key: keyof Database[Table] & string;
  /** `line item`, `line items`. */
  readonly noun: string;
  readonly plural: string;
  /** `LineItem`, for the names of operations. */
  readonly name: string;
  readonly tag: string;
  readonly description?: string;
  /** The collection, after `/api`: `/demand-partners/:demand_partner_id/line-items/xch`. */
  readonly path: string;
  /** The parameter of one of its items: `line_item_id`. */
  readonly param: string;
  /** Reads that parameter; null for what can be nobody's id. */
  readonly readId: (text: string) => string | number | null;
  /** What a file may say of it as well, its id included. */
  readonly schema: Schema;
  /** What is shown, all keys there. */
  readonly shown: TObject;
  readonly example: object;
  /** What a new one cannot be made without, its id aside, and what only operators change. */
  readonly fields: Pick<FieldTable<Fields>, 'needed' | 'operators'>;
  readonly readers: readonly CallerRole[];
  readonly creators: readonly CallerRole[];
  readonly writers: readonly CallerRole[];
  /** Columns of the table, or keys of what is computed. */
  readonly filters: Filters;
  readonly sorts: readonly (keyof Database[Table] & string)[];
  /**
   * The rows that the caller may see at this address.
   *
   * @throws RialtoError `not_found` for an address that is not the caller's, or where nothing is.
   */
  readonly within: (
    db: Kysely<Database>,
    caller: Caller,
    params: Params,
  ) => Promise<RawBuilder<unknown>>;
  /** What `show` needs of a row beside its columns, and what can be filtered by. */
  readonly computed?: Computed<Extra>;
  readonly show: (row: Database[Table] & Extra, caller: Caller) => object;
  /** Plans what is to be made or changed; its form is checked already. */
  readonly plan: (plan: Plan, element: Element<StaticEncode<Schema>>, params: Params) => void;
  /** The id of a new one; null where its creator chooses it, under the key `id`. */
  readonly newId: ((plan: Plan) => number) | null;
  /** How many there may be at one address, where those make them whom they cost nothing. */
  readonly most?: number;
  /**
   * Reads what takes more to show than the row; what it returns completes what `show` shows, for
   * every row of an answer.
   */
  readonly complete?: (db: Kysely<Database>, caller: Caller) => Promise<Completion<Table>>;
}

/** What one owner can make every process keep in memory, and every change look through. */
export const OWNED_MAX = 10_000;

/** Reads an id that the exchange gives or a file chooses. */
export function readNumericId(text: string): number | null {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : null;
}
