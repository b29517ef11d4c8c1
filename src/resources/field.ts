import type { Static, TArray, TBoolean, TNull, TSchema, TUnion } from 'typebox';
import { BASIS_POINTS, dollarsFromMicros, microsFromDollars } from '../base/money.ts';
import { DOMAIN, FLOOR, SHARE, YES_OR_NO, nullable } from './vocabulary.ts';

/** 1 for yes, 0 for no. */
export type Flag = 0 | 1;

/** A list or an object as JSON text with sorted keys, in the form that people write. */
export type Json = string;

/** What a field is called where that is not its key, and who has to do with it. */
export interface FieldOptions {
  /** Its column; the key where nothing is said. */
  readonly column?: string;
  /** Its key in a snapshot; the column in camel case where nothing is said, null for in no snapshot. */
  readonly entity?: string | null;
  /** The object of a snapshot's entity that it stands in; the entity itself where nothing is said. */
  readonly group?: string;
  /** A new resource has to name it, so that what it begins with is never used. */
  readonly isNeeded?: true;
  /** Only operators change it. */
  readonly isOperators?: true;
}

/** One setting of a resource: its form on the wire, in its column, and in a snapshot. */
export interface Field<
  Schema extends TSchema = TSchema,
  Stored = unknown,
  Carried = unknown,
  Options extends FieldOptions = FieldOptions,
> {
  readonly schema: Schema;
  readonly type: 'text' | 'integer' | 'bigint';
  /** What the column of a new resource has where nothing is said. One that begins as null may be null. */
  readonly initial: Stored;
  readonly options: Options | undefined;
  write(value: Static<Schema>): Stored;
  read(stored: Stored): Static<Schema>;
  carry(stored: Stored): Carried;
}

/** A list without what could be done to it. */
export type Fixed<Value> = Value extends readonly (infer Item)[]
  ? readonly Item[]
  : Readonly<Value>;

/** A text, or one of some words, as it is written. */
export function text<Schema extends TSchema, const Options extends FieldOptions = {}>(
  schema: Schema,
  initial: Static<Schema>,
  options?: Options,
): Field<Schema, Static<Schema>, Static<Schema>, Options> {
  return { schema, type: 'text', initial, options, write: same, read: same, carry: same };
}

/** A text, or none. */
export function textOrNull<Schema extends TSchema, const Options extends FieldOptions = {}>(
  schema: Schema,
  options?: Options,
) {
  return text(nullable(schema), null, options);
}

/** A whole number as it is written. */
export function number<Schema extends TSchema, const Options extends FieldOptions = {}>(
  schema: Schema,
  initial: Static<Schema>,
  options?: Options,
): Field<Schema, Static<Schema>, Static<Schema>, Options> {
  return { ...text(schema, initial, options), type: 'integer' };
}

/** A whole number, or none. */
export function numberOrNull<Schema extends TSchema, const Options extends FieldOptions = {}>(
  schema: Schema,
  options?: Options,
) {
  return number(nullable(schema), null, options);
}

/** Yes or no. */
export function flag<const Options extends FieldOptions = {}>(
  initial: Flag,
  options?: Options,
  schema: TBoolean = YES_OR_NO,
): Field<TBoolean, Flag, boolean, Options> {
  const write = (value: boolean): Flag => (value ? 1 : 0);
  const read = (stored: Flag): boolean => stored === 1;
  return { schema, type: 'integer', initial, options, write, read, carry: read };
}

/** A price of USD CPM, kept and carried in micros. */
export function price<const Options extends FieldOptions = {}>(
  options?: Options,
): Field<typeof FLOOR, number, number, Options> {
  const [write, read] = [microsFromDollars, dollarsFromMicros];
  return { schema: FLOOR, type: 'bigint', initial: 0, options, write, read, carry: same };
}

/** A share of the whole, kept and carried in basis points. */
export function share<const Options extends FieldOptions = {}>(
  initial: number,
  options?: Options,
): Field<typeof SHARE, number, number, Options> {
  const write = (value: number): number => Math.round(value * BASIS_POINTS);
  const read = (stored: number): number => stored / BASIS_POINTS;
  return { schema: SHARE, type: 'integer', initial, options, write, read, carry: same };
}

/** A share, or none. */
export function shareOrNull<const Options extends FieldOptions = {}>(
  options?: Options,
): Field<TUnion<[typeof SHARE, TNull]>, number | null, number | null, Options> {
  const one = share(0);
  return {
    schema: nullable(SHARE),
    type: 'integer',
    initial: null,
    options,
    write: (value) => (value === null ? null : one.write(value)),
    read: (stored) => (stored === null ? null : one.read(stored)),
    carry: same,
  };
}

/** A list or an object that is never null. */
export function json<Schema extends TSchema, const Options extends FieldOptions = {}>(
  schema: Schema,
  initial: Json,
  options?: Options,
): Field<Schema, Json, Fixed<Static<Schema>>, Options> {
  const read = (stored: Json) => JSON.parse(stored);
  return { schema, type: 'text', initial, options, write: sortedJson, read, carry: read };
}

/** A list or an object, or none. */
export function jsonOrNull<Schema extends TSchema>(
  schema: Schema,
): Field<TUnion<[Schema, TNull]>, Json | null, Fixed<Static<Schema>> | null, {}> {
  return { ...settled(schema, same), carry: (stored) => JSON.parse(stored ?? 'null') };
}

/**
 * An object, or none.
 *
 * @param settle makes of what is written what a snapshot carries.
 */
export function settled<Schema extends TSchema, Carried>(
  schema: Schema,
  settle: (value: Static<Schema>) => Carried,
): Field<TUnion<[Schema, TNull]>, Json | null, Carried | null, {}> {
  return {
    schema: nullable(schema),
    type: 'text',
    initial: null,
    options: undefined,
    write: (value) => (value === null ? null : sortedJson(value)),
    read: (stored) => (stored === null ? null : JSON.parse(stored)),
    carry: (stored) => (stored === null ? null : settle(JSON.parse(stored))),
  };
}

/** Domains are compared in small letters, so that they are kept in them. */
export function domains<const Options extends FieldOptions = {}>(
  schema: TArray<typeof DOMAIN>,
  options?: Options,
): Field<TArray<typeof DOMAIN>, Json, readonly string[], Options> {
  const write = (value: readonly string[]): Json => sortedJson(value.map(inSmallLetters));
  return { ...json(schema, '[]', options), write };
}

/** One domain, or none. */
export function domainOrNull() {
  return {
    ...textOrNull(DOMAIN),
    write: (value: string | null): string | null => value?.toLowerCase() ?? null,
  };
}

function inSmallLetters(word: string): string {
  return word.toLowerCase();
}

function same<Value>(value: Value): Value {
  return value;
}

/** JSON text in which the order of keys says nothing: a file that moves a key changes no row. */
function sortedJson(value: unknown): Json {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
