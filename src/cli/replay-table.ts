import { formatFigure, type Unit } from '../commands/reconcile-section.ts';
import { dollarsFromMicros } from '../base/money.ts';
import type { Comparison, Figures, ReplayReport, Traced } from './replay-report.ts';

const GAP = '  ';
/** As many ad spaces and partners are shown; `--json` has all. */
const ENTRIES_MAX = 10;

type Cells = readonly string[];

/** A replay as text: what was decided, what is on record, and what would change. */
export function describeReplay(report: ReplayReport): string {
  const { auctions, change, disagreements } = report;
  const parts = [titleOf(report), section('Auctions', auctionRows(report))];
  if (auctions.disagreeing > 0) {
    const named = disagreements.map(({ auction_id: id, detail }) => `${GAP}${id}: ${detail}`);
    parts.push([`The first auctions that disagree`, ...named].join('\n'));
  }
  parts.push(section('On record', recordRows(report)));
  if (change !== null) parts.push(...changeSections(report));
  parts.push(['Notes', ...notesOf(report).map((note) => `${GAP}${note}`)].join('\n'));
  parts.push(verdictOf(report));
  return parts.join('\n\n');
}

function titleOf({ from, to, change, ...report }: ReplayReport): string {
  const chosen = [
    describeId('publisher', report.publisher_id),
    describeId('ad space', report.ad_space_id),
    describeId('demand partner', report.demand_partner_id),
  ].filter((each) => each !== '');
  const first = [`Replay from ${from} to ${to}`, ...chosen].join(', ');
  if (change === null) return `${first}\nas it was`;
  const { floor_micros: floorMicros, auction_type: type } = change;
  const changes = [];
  if (floorMicros !== null) {
    changes.push(`a publisher's floor of ${dollarsFromMicros(floorMicros)} USD CPM`);
  }
  if (type !== null) changes.push(type === 'first_price' ? 'first price' : 'second price plus');
  return `${first}\nwith ${changes.join(' and ')} for open bids`;
}

function describeId(name: string, id: number | null): string {
  return id === null ? '' : `${name} ${id}`;
}

function auctionRows({ auctions }: ReplayReport): Cells[] {
  const { matching, read, agreeing, uncontested, disagreeing } = auctions;
  return [
    ['recorded', count(matching)],
    ...(read === matching ? [] : [['of them read, a sample', count(read)]]),
    ['decided again, and agree', count(agreeing)],
    [`${GAP}of them with nothing to decide`, count(uncontested)],
    [disagreeing > 0 ? 'decided again, and DISAGREE' : 'disagree', count(disagreeing)],
    ['not decided: no trace kept', count(auctions.no_trace)],
    ['not decided: more bids than a record holds', count(auctions.bids_dropped)],
  ];
}

function recordRows({ recorded }: ReplayReport): Cells[] {
  const { impressions, filled, billed } = recorded;
  return [
    ['impressions asked for', count(impressions)],
    ['filled', count(filled)],
    ['of them billed so far', `${count(billed)} (${percent(billed, filled)})`],
    ['gross revenue of wins', money(recorded.gross_cpm_micros)],
    ['payout of wins', money(recorded.payout_cpm_micros)],
  ];
}

function changeSections(report: ReplayReport): string[] {
  const { replayed, scaled, is_whole: isWhole } = report;
  const sections = [section('What changes, in the auctions decided again', changeRows(replayed))];
  if (!isWhole && scaled !== null) {
    sections.push(section('Estimated for all recorded auctions', changeRows(scaled)));
  }
  for (const [title, entries] of [
    ['By ad space, in the auctions decided again', report.ad_spaces],
    ['By demand partner, in the auctions decided again', report.demand_partners],
  ] as const) {
    if (entries.length > 0) sections.push(section(title, entryRows(entries)));
  }
  return sections;
}

function changeRows({ recorded, changed, at_most: atMost }: Comparison): Cells[] {
  const row = (what: string, unit: Unit, figure: (figures: Figures) => string): Cells => [
    what,
    formatFigure(figure(recorded), unit),
    formatFigure(figure(changed), unit),
    difference(figure(recorded), figure(changed), unit),
    formatFigure(figure(atMost), unit),
  ];
  return [
    ['', 'as it was', 'changed', 'difference', 'at most'],
    row('filled impressions', 'count', ({ filled }) => String(filled)),
    row('gross revenue of wins', 'cpm_micros', ({ gross_cpm_micros: sum }) => sum),
    row('payout of wins', 'cpm_micros', ({ payout_cpm_micros: sum }) => sum),
  ];
}

function entryRows(entries: readonly (Comparison & { readonly id: number })[]): Cells[] {
  const rows = entries
    .slice(0, ENTRIES_MAX)
    .map(({ id, recorded, changed, at_most: atMost }) => [
      String(id),
      count(recorded.filled),
      count(changed.filled),
      money(recorded.gross_cpm_micros),
      money(changed.gross_cpm_micros),
      money(atMost.gross_cpm_micros),
    ]);
  const more = entries.length - rows.length;
  return [
    ['', 'filled', 'changed', 'gross', 'changed', 'at most'],
    ...rows,
    ...(more > 0 ? [[`and ${count(more)} more (--json has all)`]] : []),
  ];
}

function notesOf(report: ReplayReport): string[] {
  const { change, traced, replayed, recorded, is_whole: isWhole, scaled } = report;
  const notes = [
    `Revenue is of wins; reports count the impressions that were billed, ${percent(recorded.billed, recorded.filled)} of them so far.`,
  ];
  if (!isWhole) {
    notes.push(
      `Decided again: ${share(traced.filled)} of the auctions that filled an impression, ` +
        `${share(traced.unfilled)} of the others in which there was something to decide.`,
    );
  }
  if (change === null) return notes;
  if (scaled === null) {
    notes.push('Of one of these kinds there is no trace, so that nothing is estimated for all.');
  }
  notes.push('Bids are taken as they were: bidders who know of the change would bid otherwise.');
  if (change.floor_micros !== null) {
    notes.push(
      '"At most" counts wins of bids that were refused at the floor, ' +
        `${count(replayed.unchecked_wins)} of them: whether their creatives are sound nobody has looked at.`,
    );
  }
  return notes;
}

function share({ auctions, replayed }: Traced): string {
  return `${count(replayed)} (${percent(replayed, auctions)})`;
}

function verdictOf({ auctions: { agreeing, disagreeing, matching } }: ReplayReport): string {
  if (disagreeing > 0) {
    const many =
      disagreeing === 1 ? '1 auction disagrees' : `${count(disagreeing)} auctions disagree`;
    return `${many} with the records.`;
  }
  if (agreeing > 0) return 'Every auction that was decided again agrees with its records.';
  return matching === 0 ? 'No auction was recorded.' : 'No auction could be decided again.';
}

function section(title: string, rows: readonly Cells[]): string {
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return index === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join(GAP)
      .trimEnd(),
  );
  return [title, ...lines.map((line) => `${GAP}${line}`)].join('\n');
}

function difference(from: string, to: string, unit: Unit): string {
  const change = BigInt(to) - BigInt(from);
  const size = formatFigure(String(change < 0n ? -change : change), unit);
  const relative = percent(Number(change), Number(from));
  const sign = change < 0n ? '-' : '+';
  return change === 0n ? '0' : `${sign}${size} (${change < 0n ? '' : '+'}${relative})`;
}

function count(value: number): string {
  return formatFigure(String(value), 'count');
}

function money(cpmMicros: string): string {
  return formatFigure(cpmMicros, 'cpm_micros');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((part / whole) * 100).toFixed(1)} %`;
}
