import { ownField } from '../base/fields.ts';
import type { Finding, Path } from './finding.ts';
import type { Database } from './schema.ts';
import type { Row, State } from './state.ts';

/** One resource of a file or of a request, as far as its schema had nothing against it. */
export interface Element<Input> {
  readonly path: Path;
  readonly input: Input;
  /** Keys that are given but broke the schema, or are missing; nothing more is said of them. */
  readonly unsound: ReadonlySet<string>;
}

/** A row to be inserted or changed. */
export interface Write {
  readonly action: 'created' | 'updated';
  readonly table: keyof Database;
  readonly key: readonly [column: string, value: Cell];
  /** All columns of a new row, the changed ones of another. */
  readonly columns: readonly (readonly [column: string, value: Cell])[];
  /** A column that gets the hash of a secret. */
  readonly secret: Secret | undefined;
  /** What people call it: a line item, 501. */
  readonly noun: string;
  readonly name: string | number;
  /** The resource as people read it, without secrets, before and after; for the audit log. */
  readonly before: object | null;
  readonly after: object;
}

export type Cell = string | number | null;

interface Secret {
  readonly column: string;
  readonly plain: string;
}

/** A secret that is set already and stays as it is; the operator hears of it if it differs. */
export interface SecretToCompare {
  readonly path: Path;
  readonly plain: string;
  readonly hash: string;
}

interface Saving<Table extends keyof Database> {
  readonly table: Table;
  readonly stored: Row<Table> | undefined;
  readonly next: Row<Table>;
  readonly noun: string;
  readonly name: string | number;
  readonly path: Path;
  readonly secret?: Secret | undefined;
  /** The row as people read it, without secrets. */
  readonly document: (row: Row<Table>) => object;
}

/** Ids that the exchange gives start here, away from those that people choose. */
export const FIRST_ID = 1_000_001;

/**
 * Works out what a change does, without doing it: the rows to write, and everything that is wrong.
 * `state` starts as what the store holds and becomes what it will hold, so that rules between
 * resources see both. When there are findings the writes mean nothing.
 */
export class Plan {
  readonly state: State;
  readonly findings: Finding[] = [];
  readonly notes: Finding[] = [];
  readonly writes: Write[] = [];
  readonly secretsToCompare: SecretToCompare[] = [];
  unchanged = 0;
  readonly #origins = new Map<object, Path>();
  readonly #lastIds = new Map<string, number>();

  constructor(state: State) {
    this.state = state;
  }

  find(path: Path, message: string): void {
    this.findings.push({ path, message });
  }

  /** The same of keys of what stands at `path`. */
  findAll(path: Path, faults: readonly Finding[]): void {
    for (const fault of faults) this.find([...path, ...fault.path], fault.message);
  }

  note(path: Path, message: string): void {
    this.notes.push({ path, message });
  }

  /** What a resource that does not exist yet cannot be made without. */
  require<Input extends object>(
    { path, input, unsound }: Element<Input>,
    keys: readonly (keyof Input & string)[],
  ): void {
    const missing = keys.filter((key) => !Object.hasOwn(input, key) && !unsound.has(key));
    if (missing.length > 0) this.find(path, `is new, so that it needs ${missing.join(', ')}`);
  }

  /** The next row of a resource; the caller puts it into `state` under its id. */
  save<Table extends keyof Database>(saving: Saving<Table>): Row<Table> {
    const { table, stored, next, noun, name, path, secret, document } = saving;
    this.#origins.set(next, path);
    const columns: (readonly [string, Cell])[] = [];
    for (const [column, value] of Object.entries(next)) {
      if (ownField(stored, column) !== value || stored === undefined) {
        columns.push([column, cell(value)]);
      }
    }
    if (columns.length === 0 && secret === undefined) {
      this.unchanged += 1;
      return next;
    }
    const keyColumn = table === 'bidders' ? 'demand_partner_id' : 'id';
    const key = [keyColumn, cell(Reflect.get(next, keyColumn))] as const;
    const action = stored === undefined ? 'created' : 'updated';
    const documents = {
      before: stored === undefined ? null : document(stored),
      after: document(next),
    };
    this.writes.push({ action, table, key, columns, secret, noun, name, ...documents });
    return next;
  }

  /** Where the resource of a row stands in the file; none for those that only the store has. */
  originOf(row: object): Path | undefined {
    return this.#origins.get(row);
  }

  /** An id for a new row of a table whose ids the file does not choose. */
  nextId(table: keyof Database, rows: Iterable<{ readonly id: number }>): number {
    let last = this.#lastIds.get(table) ?? FIRST_ID - 1;
    if (!this.#lastIds.has(table)) for (const { id } of rows) last = Math.max(last, id);
    this.#lastIds.set(table, last + 1);
    return last + 1;
  }
}

function cell(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`a column cannot hold ${typeof value}`);
}
