import type { StoreRow } from '../ports/analytics-store.ts';

/** A cell of a row as text: a column that is not there is a programmer's error. */
export function textOf(row: StoreRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`The store gave no text in the column ${column}.`);
}

/** A count; 64-bit integers come as numbers or as text. */
export function countOf(row: StoreRow, column: string): number {
  const value = Number(textOf(row, column));
  if (!Number.isSafeInteger(value)) throw new TypeError(`${column} holds no count: ${value}.`);
  return value;
}

/** A sum of money, which can outgrow the integers of a double. */
export function integerOf(row: StoreRow, column: string): bigint {
  return BigInt(textOf(row, column));
}
