/** How numbers and times are written; the same on every page. */

const LOCALE = 'en-US';

/** What stands where a figure is not known, or is no number. */
export const NOTHING = '–';

/** Writes one figure, and knows how to write several in the same way. */
export interface Format {
  (value: number): string;
  /** With exactly so many digits after the point. */
  readonly with: (digits: number) => (value: number) => string;
  /** How many all figures of a column have, so that they can be compared at a glance. */
  readonly digitsOf: (values: readonly number[]) => number;
}

interface FormatParts {
  readonly options?: Intl.NumberFormatOptions;
  /** After a lone figure’s point, at least and at most. */
  readonly digits: readonly [min: number, max: number];
  readonly digitsOf: Format['digitsOf'];
  readonly unit?: string;
}

function createFormat({ options = {}, digits, digitsOf, unit = '' }: FormatParts): Format {
  const [min, max] = digits;
  const numbers = (least: number, most: number): Intl.NumberFormat =>
    new Intl.NumberFormat(LOCALE, {
      ...options,
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
  const lone = numbers(min, max);
  return Object.assign((value: number) => lone.format(value) + unit, {
    with: (exactly: number) => {
      const all = numbers(exactly, exactly);
      return (value: number): string => all.format(value) + unit;
    },
    digitsOf,
  });
}

const USD = { style: 'currency', currency: 'USD' } as const;

/** `1,234,567`. */
export const formatCount = createFormat({ digits: [0, 0], digitsOf: () => 0 });

/** `1.2M`, where there is room for no more. */
export const formatShort = createFormat({
  options: { notation: 'compact' },
  digits: [0, 1],
  digitsOf: () => 1,
});

const formatCents = createFormat({ options: USD, digits: [2, 2], digitsOf: () => 2 });
const formatBelowCent = createFormat({ options: USD, digits: [2, 6], digitsOf: () => 6 });

/** US dollars; a lone amount below a cent with all its digits. */
export const formatUsd: Format = Object.assign(
  (value: number) =>
    (Math.abs(value) > 0 && Math.abs(value) < 0.01 ? formatBelowCent : formatCents)(value),
  { with: formatCents.with, digitsOf: centsOf },
);

/** A price of a thousand impressions, in US dollars. */
export const formatCpm = createFormat({
  options: USD,
  digits: [2, 4],
  digitsOf: (values) => (values.every((value) => isInteger(value * 100)) ? 2 : 4),
});

/** `12.3%` of a share from 0 to 1; null where it is not known. */
export const formatPart = knownOnly(
  createFormat({ options: { style: 'percent' }, digits: [0, 1], digitsOf: () => 1 }),
);

/** `12.3 ms`; null where it is not known. */
export const formatMs = knownOnly(createFormat({ digits: [0, 1], digitsOf: () => 1, unit: ' ms' }));

/** `12.3`. */
export const formatDecimal = createFormat({ digits: [0, 1], digitsOf: () => 1 });

/** `12.3%` of a part of the whole; nothing of nothing. */
export function formatShare(part: number, whole: number): string {
  return formatPart(whole === 0 ? null : part / whole);
}

/** All figures of a column in one form; those that are not known are `NOTHING`. */
export function formatAlike(
  format: Format,
  values: Iterable<number | null | undefined>,
): (value: number | null | undefined) => string {
  const known = [...values].filter((value) => typeof value === 'number');
  const write = format.with(format.digitsOf(known));
  return (value) => (value === null || value === undefined ? NOTHING : write(value));
}

/** As many digits as the labels of an axis need to be what they stand at, the same for each. */
export function formatApart(format: Format, values: readonly number[]): readonly string[] {
  const lone = values.map((value) => format(value));
  const whole = values.map((value) => bare(format.with(DIGITS_MAX)(value)));
  const isWhole = (labels: readonly string[]): boolean =>
    labels.every((label, index) => bare(label) === whole[index]);
  if (isWhole(lone) && areAlike(lone)) return lone;
  for (let digits = 0; digits < DIGITS_MAX; digits += 1) {
    const labels = values.map((value) => format.with(digits)(value));
    if (isWhole(labels)) return labels;
  }
  return values.map((value) => format.with(DIGITS_MAX)(value));
}

const DIGITS_MAX = 6;

/** Without zeros at its end that say nothing. */
function bare(label: string): string {
  return label.replace(/\.(\d*?)0*(?=\D*$)/, (_, digits: string) =>
    digits === '' ? '' : `.${digits}`,
  );
}

/** Whether labels have as many digits after the point, which the first one at 0 often has not. */
function areAlike(labels: readonly string[]): boolean {
  const digits = labels.map((label) => /\.(\d+)/.exec(label)?.[1]?.length ?? 0);
  return new Set(digits).size <= 1;
}

/** Cents, unless all of it is less than a dollar; then what is left of the least of it. */
function centsOf(values: readonly number[]): number {
  const most = Math.max(0, ...values.map((value) => Math.abs(value)));
  if (most === 0 || most >= 1) return 2;
  return most >= 0.01 ? 4 : 6;
}

function isInteger(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6;
}

function knownOnly(format: Format): Format & ((value: number | null | undefined) => string) {
  const { with: exactly, digitsOf } = format;
  const write = (value: number | null | undefined): string =>
    value === null || value === undefined ? NOTHING : format(value);
  return Object.assign(write, { with: exactly, digitsOf });
}

/** `2026-11-22 04:19:54` of an ISO 8601 time, in UTC. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toISOString().slice(0, 19).replace('T', ' ');
}

/** `3 minutes ago`, `in 2 hours`. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1_000);
  const [amount, unit] = inUnits(seconds);
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(amount, unit);
}

/** `1 h 5 min`, `12 s`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(seconds / 3_600);
  if (hours < 48) return `${hours} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatDecimal(bytes / 1_000 ** power)} ${units[power] ?? 'B'}`;
}

function inUnits(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const size = Math.abs(seconds);
  if (size < 60) return [seconds, 'second'];
  if (size < 3_600) return [Math.round(seconds / 60), 'minute'];
  if (size < 86_400) return [Math.round(seconds / 3_600), 'hour'];
  return [Math.round(seconds / 86_400), 'day'];
}
