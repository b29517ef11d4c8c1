import { shown } from './terminal-text.ts';

const GAP = '  ';

/** A column of a table for people. */
export interface TextColumn {
  readonly title: string;
  /** Numbers are read from the right. */
  readonly alignsRight?: boolean;
}

/**
 * A table as text, a line for each row, columns padded to one width. What others wrote stays on its
 * line and commands no terminal.
 */
export function describeTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => row.map(shown))];
  const widths = columns.map((_, index) =>
    lines.reduce((width, cells) => Math.max(width, cells[index]?.length ?? 0), 0),
  );
  return lines
    .map((cells) =>
      columns
        .map(({ alignsRight = false }, index) => {
          const [cell = '', width = 0] = [cells[index], widths[index]];
          return alignsRight ? cell.padStart(width) : cell.padEnd(width);
        })
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}
