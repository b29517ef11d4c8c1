import type { ReactNode } from 'react';
import type { Query } from '../api/client.ts';
import { useAsk, type AnswerOf, type AskedPath } from '../api/use-ask.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Loaded, TableSkeleton } from './loaded.tsx';
import { Pager } from './pager.tsx';
import { useSearchOf } from './use-search-of.ts';

const NO_FILTERS: Query = {};

/** What a list at an address has for rows. */
type RowOf<Path extends AskedPath> =
  AnswerOf<Path> extends readonly (infer Row extends object)[] ? Row : never;

interface PagedProps<Path extends AskedPath> {
  /** Of a list at the API. */
  readonly path: Path;
  /** Its filters and its order. */
  readonly query?: Query;
  /** Rows of a page. */
  readonly size?: number;
  readonly children: (rows: readonly RowOf<Path>[]) => ReactNode;
}

/** A list of the API, page by page; the address of the page says which. */
export function Paged<Path extends AskedPath>({
  path,
  query = NO_FILTERS,
  size = 50,
  children,
}: PagedProps<Path>) {
  const [{ page }, change] = useSearchOf(readPage);
  const asked = useAsk(path, { ...query, limit: size, offset: page * size });
  return (
    <Loaded asked={asked} skeleton={<TableSkeleton />}>
      {(body, { total, next }) => {
        const rows: readonly RowOf<Path>[] = Array.isArray(body) ? body : [];
        return (
          <>
            {children(rows)}
            <Pager
              {...{ page, total, next }}
              size={size}
              shown={rows.length}
              onPage={(to) =>
                change({ page: to === 0 ? undefined : to }, { isStep: true, fromTop: true })
              }
            />
          </>
        );
      }}
    </Loaded>
  );
}

interface PagedTableProps<Path extends AskedPath>
  extends Omit<PagedProps<Path>, 'children'>, Omit<DataTableProps<RowOf<Path>>, 'rows'> {}

/** The same as a table. */
export function PagedTable<Path extends AskedPath>(props: PagedTableProps<Path>) {
  return <Paged {...props}>{(rows) => <DataTable {...props} rows={rows} />}</Paged>;
}

/** Pages are counted from 0 in the address. */
function readPage({ page }: Record<string, unknown>): { page: number } {
  return { page: typeof page === 'number' && Number.isInteger(page) && page > 0 ? page : 0 };
}
