import {
  formatFigure,
  type Line,
  type ReconcileReport,
  type Section,
} from '../commands/reconcile-section.ts';

const GAP = '  ';
const VERDICTS = { agrees: 'agrees', differs: 'DIFFERS' } as const;

/** A reconciliation as text: a table for each comparison, and what it all comes to. */
export function describeReport({ date, sections, agrees, isEmpty }: ReconcileReport): string {
  const differing = sections.flatMap(({ lines }) => lines.filter((line) => line.agrees === false));
  const agreement = isEmpty ? `Nothing was recorded on ${date}.` : 'Everything agrees.';
  const last = agrees
    ? agreement
    : `${differing.length} ${differing.length === 1 ? 'line differs' : 'lines differ'}.`;
  return [`Reconciliation of ${date} (UTC)`, ...sections.map(describeSection), last].join('\n\n');
}

function describeSection(section: Section): string {
  const { title, columns, lines, notes } = section;
  const rows = lines.map((line) => [
    line.what,
    ...line.figures.map((figure) => formatFigure(figure, line.unit)),
  ]);
  const widths = ['', ...columns].map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const align = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return index === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join(GAP);
  return [
    title,
    `${GAP}${align(['', ...columns])}`,
    ...lines.flatMap((line, index) => [
      `${GAP}${align(rows[index] ?? [])}${describeVerdict(line)}`,
      ...line.differences.map((difference) => `${GAP.repeat(3)}${difference}`),
    ]),
    ...notes.map((note) => `${GAP}note: ${note}`),
  ].join('\n');
}

function describeVerdict({ agrees, difference }: Line): string {
  if (agrees === null) return '';
  return agrees ? `${GAP}${VERDICTS.agrees}` : `${GAP}${VERDICTS.differs}: ${difference}`;
}
