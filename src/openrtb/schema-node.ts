import type { TSchema } from 'typebox';
import type { Filling } from './filling.ts';
import type { OpenRtbVersion } from './versions.ts';

/** The part of JSON Schema that the schemas of this folder use. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly description?: string;
  /** Of scope "recommended". */
  readonly 'x-recommended'?: boolean;
  /** Nothing depends on the field: a value that cannot be read counts as absent. */
  readonly 'x-advisory'?: boolean;
  /** How versions have the field where they have it otherwise than the newest. */
  readonly 'x-versions'?: Variations;
  /** What is allowed, in words, where the keywords alone would not be understood. */
  readonly 'x-allowed'?: string;
  /** What the exchange itself may send: a fragment that narrows this one, or "never". */
  readonly 'x-outgoing'?: unknown;
  /** What else the exchange must send for this field to mean anything. */
  readonly 'x-only-with'?: OnlyWith;
  /** A number that is read from a text as well. */
  readonly 'x-also-text'?: boolean;
  /** Number of the enumerated list that the values are from. */
  readonly 'x-list'?: string;
  /** How the exchange fills the field. */
  readonly 'x-filled'?: Filling;
  readonly default?: unknown;
}

/** How one version has a field. What is not said is as in the newest. */
export interface Variation extends SchemaNode {
  /**
   * Where it stands, as a path from its object: `deliver`, `ext/gdpr`, `../ext/schain`. Null where the
   * version does not know it. Left out: under its own name.
   */
  readonly at?: string | null;
  /**
   * Writes the value in this version; undefined where the version cannot say it.
   *
   * @param value undefined only where the version must have one
   */
  readonly write?: (value: unknown, around: Surroundings) => unknown;
  /**
   * How far a value protects the user. Where two places say different things, the one that goes
   * further is kept; else the one of the version.
   */
  readonly strictness?: (value: unknown) => number;
  /** The place is another field's, which says less: what is written there cannot be told back. */
  readonly isLossy?: boolean;
  /** Fields of the same object that mean nothing without this one, and go with it. */
  readonly takes?: readonly string[];
  /** It must be there, where the newest may leave it out. */
  readonly isRequired?: boolean;
}

/** What is known where a value is written. */
export interface Surroundings {
  /** What stands in the place already. */
  readonly standing: unknown;
  /** The object that has the field. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** By version. */
export type Variations = { readonly [Version in OpenRtbVersion]?: Variation };

/** Another field of the same object: with any value, or with the one named. */
export interface OnlyWith {
  readonly field: string;
  readonly value?: unknown;
}

/** The schema as a plain tree of keywords, which the library's types hide. */
export function nodeOf(schema: TSchema): SchemaNode {
  return schema;
}

/** Whether the value is an object with fields, as JSON understands it. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
