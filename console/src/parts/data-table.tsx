import { Table, UnstyledButton } from '@mantine/core';
import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_basic,
  sortFn_text,
  tableFeatures,
  useTable,
  type ColumnDef,
  type SortingState,
} from '@tanstack/react-table';
import { ChevronDown, ChevronUp, ChevronsUpDown } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useState } from 'react';
import { formatAlike, type Format } from './format.ts';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** What is sorted by, and shown unless `cell` shows something else; it is given what would be. */
  readonly value: (row: Row) => string | number | null;
  readonly cell?: (row: Row, text: string) => ReactNode;
  /** Of figures: all of the column are written alike. */
  readonly format?: Format;
  /** Figures stand to the right, and sort from the most. */
  readonly isNumeric?: boolean;
  readonly isSortable?: boolean;
}

export interface DataTableProps<Row> {
  /** What the table is, for whoever cannot see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Makes rows buttons; put a link into a cell instead where a row is a page. */
  readonly onRowClick?: (row: Row) => void;
  readonly sortedBy?: { readonly id: string; readonly desc: boolean };
  /** Where the order is kept elsewhere, such as in the address. */
  readonly onSort?: (sorted: { readonly id: string; readonly desc: boolean } | null) => void;
  /** Below the rows: the totals, and a label in place of the other cells. */
  readonly total?: { readonly label: string; readonly row: Row } | undefined;
  /** In place of rows where there are none. */
  readonly empty?: ReactNode;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic, text: sortFn_text },
});

/** A table that sorts by a click on its heads; wide ones scroll by themselves, not the page. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onRowClick, sortedBy, onSort, total, empty } = props;
  const [sorting, setSorting] = useState<SortingState>(sortedBy === undefined ? [] : [sortedBy]);
  const definitions = useMemo(() => columns.map((column) => definitionOf(column)), [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    state: { sorting },
    onSortingChange: (change) => {
      const next = typeof change === 'function' ? change(sorting) : change;
      setSorting(next);
      onSort?.(next[0] ?? null);
    },
    getRowId: (row) => String(rowKey(row)),
  });
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const byId = new Map(columns.map((column) => [column.id, column]));
  const texts = textsOf(columns, total === undefined ? rows : [...rows, total.row]);
  return (
    <Table.ScrollContainer minWidth={Math.min(900, columns.length * 110)} type="native">
      <Table
        aria-label={label}
        highlightOnHover={onRowClick !== undefined}
        verticalSpacing="xs"
        horizontalSpacing={7}
        fz="sm"
      >
        <Table.Thead>
          <Table.Tr>
            {table.getFlatHeaders().map(({ id, column }) => {
              const isSorted = column.getIsSorted();
              const own = byId.get(id);
              return (
                <Table.Th
                  key={id}
                  className={own !== undefined && isNumeric(own) ? 'numeric' : ''}
                  aria-sort={
                    isSorted === false ? 'none' : isSorted === 'asc' ? 'ascending' : 'descending'
                  }
                >
                  {column.getCanSort() ? (
                    <UnstyledButton
                      className="sort-button"
                      onClick={column.getToggleSortingHandler()}
                    >
                      {own?.header}
                      <SortMark direction={isSorted} />
                    </UnstyledButton>
                  ) : (
                    own?.header
                  )}
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <Table.Tr
              key={id}
              {...(onRowClick === undefined ? {} : rowButton(() => onRowClick(original)))}
            >
              {columns.map((column) => (
                <Table.Td key={column.id} className={isNumeric(column) ? 'numeric' : ''}>
                  {cellOf(column, original, texts)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {total !== undefined && (
          <Table.Tfoot>
            <Table.Tr fw={600}>
              <Table.Th colSpan={columns.filter((column) => !isNumeric(column)).length} scope="row">
                {total.label}
              </Table.Th>
              {columns.filter(isNumeric).map((column) => (
                <Table.Td key={column.id} className="numeric">
                  {cellOf(column, total.row, texts)}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  );
}

function isNumeric<Row>({ format, isNumeric: isSaid = false }: Column<Row>): boolean {
  return isSaid || format !== undefined;
}

type Texts = ReadonlyMap<string, (value: number | null) => string>;

/** How the figures of each column are written. */
function textsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Texts {
  return new Map(
    columns.flatMap(({ id, format, value }) => {
      if (format === undefined) return [];
      const figures = rows.map((row) => figureOf(value(row)));
      return [[id, formatAlike(format, figures)] as const];
    }),
  );
}

function figureOf(value: string | number | null): number | null {
  return typeof value === 'number' ? value : null;
}

function cellOf<Row>({ id, value, cell }: Column<Row>, row: Row, texts: Texts): ReactNode {
  const plain = value(row);
  const text = texts.get(id)?.(figureOf(plain)) ?? String(plain ?? '');
  return cell === undefined ? text : cell(row, text);
}

function definitionOf<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    accessorFn: column.value,
    enableSorting: column.isSortable !== false,
    sortFn: isNumeric(column) ? 'basic' : 'text',
    sortDescFirst: isNumeric(column),
    sortUndefined: 'last',
  };
}

function rowButton(onPress: () => void) {
  return {
    tabIndex: 0,
    style: { cursor: 'pointer' },
    onClick: onPress,
    onKeyDown: (event: React.KeyboardEvent) => {
      // Not where a link or a button inside of the row was meant.
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.preventDefault();
      onPress();
    },
  };
}

function SortMark({ direction }: { readonly direction: false | 'asc' | 'desc' }) {
  if (direction === false) return <ChevronsUpDown size={13} aria-hidden opacity={0.5} />;
  return direction === 'asc' ? (
    <ChevronUp size={13} aria-hidden />
  ) : (
    <ChevronDown size={13} aria-hidden />
  );
}
