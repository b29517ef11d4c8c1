import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { textOf } from './cells.ts';
import { ROLLUPS } from './rollups.ts';

/** What a rollup is filled by: the columns that its views give, and one SELECT over all of them. */
export interface RollupSelect {
  readonly columns: string;
  readonly select: string;
}

/** The columns of a table or view, with their types. */
type Columns = ReadonlyMap<string, string>;

/**
 * The SELECT of every rollup. Its views are known by their names; each leaves out the columns that its
 * records say nothing of.
 */
export async function readRollupSelects(
  store: AnalyticsStore,
): Promise<ReadonlyMap<string, RollupSelect>> {
  const rows = await store.query(
    `SELECT table, name, type FROM system.columns
     WHERE database = currentDatabase() ORDER BY table, position`,
  );
  const columnsOf = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const table = textOf(row, 'table');
    const columns = columnsOf.get(table) ?? new Map<string, string>();
    columnsOf.set(table, columns.set(textOf(row, 'name'), textOf(row, 'type')));
  }
  return new Map(
    ROLLUPS.map(({ table }) => {
      const views = [...columnsOf].filter(([name]) => name.startsWith(`${table}_from_`));
      const target = columnsOf.get(table);
      if (target === undefined || views.length === 0) throw new Error(`No view feeds ${table}.`);
      return [table, unite(target, views)];
    }),
  );
}

function unite(target: Columns, views: readonly (readonly [string, Columns])[]): RollupSelect {
  const columns = [...target].filter(([name]) => views.some(([, own]) => own.has(name)));
  const selects = views.map(([view, own]) => {
    const cells = columns.map(([name, type]) => `${cellOf(name, type, own)} AS ${quote(name)}`);
    return `SELECT ${cells.join(', ')} FROM ${view}`;
  });
  return {
    columns: columns.map(([name]) => quote(name)).join(', '),
    select: selects.join(' UNION ALL '),
  };
}

/** Of one type in all views: a sum may be signed in one and not in another. */
function cellOf(name: string, type: string, own: Columns): string {
  const given = own.get(name);
  const literal = `'${type.replaceAll("'", String.raw`\'`)}'`;
  if (given === undefined) return `defaultValueOfTypeName(${literal})`;
  return given === type ? quote(name) : `CAST(${quote(name)}, ${literal})`;
}

function quote(name: string): string {
  return `\`${name}\``;
}
