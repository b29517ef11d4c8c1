/** What a reconciliation of one day found. */
export interface ReconcileReport {
  readonly date: string;
  /** The node whose journal was compared; empty for a data directory without one. */
  readonly node: string;
  readonly agrees: boolean;
  /** Nothing at all was recorded on the day, so that nothing was compared. */
  readonly isEmpty: boolean;
  readonly sections: readonly Section[];
}

/** One comparison of two places that should hold the same. */
export interface Section {
  readonly title: string;
  /** What the figures of each line are. */
  readonly columns: readonly string[];
  readonly lines: readonly Line[];
  readonly notes: readonly string[];
}

export type Unit = 'count' | 'cpm_micros';

export interface Line {
  readonly what: string;
  /** Money is a sum over impressions, in micro-dollars CPM: 1e9 of them are one dollar. */
  readonly unit: Unit;
  /** One for each column, as decimal integers. */
  readonly figures: readonly string[];
  /** Null for a figure that is there to be read. */
  readonly agrees: boolean | null;
  /** In what it differs; empty where it agrees. */
  readonly difference: string;
  /** The first of those that differ. */
  readonly differences: readonly string[];
}

const CPM_MICROS_PER_DOLLAR = 1_000_000_000n;
const CENT_DIGITS = 2;

/** 1,234 as it is written in tables; money in dollars, to the last digit that is not 0. */
export function formatFigure(figure: string, unit: Unit): string {
  if (unit === 'count') return withCommas(figure);
  const amount = BigInt(figure);
  const rest = String(amount % CPM_MICROS_PER_DOLLAR).padStart(9, '0');
  const digits = rest.replace(/0+$/, '').padEnd(CENT_DIGITS, '0');
  return `${withCommas(String(amount / CPM_MICROS_PER_DOLLAR))}.${digits} USD`;
}

function withCommas(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
