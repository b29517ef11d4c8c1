import Type from 'typebox';
import { addDays, dateOf, startOf } from '../../analytics/dates.ts';
import type { Finding } from '../../configuration/finding.ts';
import { invalidRequest } from '../endpoints.ts';

/** Months before the current one that reports reach back. */
const MONTHS_BACK = 4;

export const DATE = Type.String({
  format: 'date',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  description: 'a UTC day as YYYY-MM-DD',
});

export const MONTH = Type.String({
  pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
  description: 'a month as YYYY-MM',
});

/** Days or months of which both are included. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

/** @throws RialtoError for what is no day, or is not within the span; it names the span. */
export function readDate(name: string, text: string, { first, last }: Span): string {
  if (isDate(text) && text >= first && text <= last) return text;
  throw wrong(name, `must be a UTC day as YYYY-MM-DD, from ${first} to ${last}`);
}

/** The days of a month. @throws RialtoError for a month of which there is no report. */
export function readMonth(text: string, nowMs: number): Span {
  const months = Array.from({ length: MONTHS_BACK + 1 }, (_, back) => monthAt(nowMs, back));
  if (!months.includes(text)) {
    throw wrong('month', `must be a month as YYYY-MM, one of ${months.join(', ')}`);
  }
  const first = `${text}-01`;
  return { first, last: addDays(`${monthAt(startOf(first), -1)}-01`, -1) };
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && dateOf(atMs) === text;
}

export function wrong(name: string, message: string): Error {
  const finding: Finding = { path: [name], message };
  return invalidRequest([finding]);
}

function monthAt(ms: number, back: number): string {
  const at = new Date(ms);
  return dateOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1)).slice(
    0,
    'YYYY-MM'.length,
  );
}
