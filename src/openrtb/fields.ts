/**
 * The vocabulary that the OpenRTB schemas are written in. Each helper makes a JSON schema fragment
 * that carries its documentation with it, and a field stands once, with all that is said of it:
 * `optional(text('Name.'), advisory, since('2.5'), requested())`. Annotations go beyond JSON Schema:
 *
 * - `x-versions` on a field says in which versions it stands otherwise than in the newest, or not at
 *   all (`variations.ts`);
 * - `x-recommended` marks a field of scope "recommended" (required ones are in JSON Schema's own
 *   `required`);
 * - `x-outgoing` on any fragment says what the exchange itself may send there, beyond what it
 *   reads: a schema fragment that narrows it, or `NEVER_SENT`. Publishers' requests are untidy in
 *   places where nothing is at stake (an ad position that no list names, a language in the wrong
 *   case), so only `sendable.ts` and the strict validator of outgoing requests apply it;
 * - `x-only-with` on a field names another one without which the exchange does not send it;
 * - `x-advisory` marks an optional field that nothing depends on: one that cannot be read is taken as
 *   absent, where others are told as problems;
 * - `x-filled` says where the exchange takes the value from, or what it does with it (`filling.ts`);
 * - `x-also-text` marks a number that some write as a text;
 * - `x-list` names the enumerated list that a value is from, `x-allowed` says in words what a
 *   pattern allows.
 */
import Type, {
  type TArrayOptions,
  type TNumberOptions,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
} from 'typebox';
import { CONTENT_CATEGORIES } from './content-taxonomy.ts';
import { listedValues, type EnumeratedList } from './enumerated-list.ts';
import { unsent } from './filling.ts';
import { ALPHA_2_LANGUAGES, ALPHA_3_COUNTRIES, patternOf } from './iso-codes.ts';
import {
  CODE_LENGTH_MAX,
  ID_LENGTH_MAX,
  INTEGER_MAX,
  ITEMS_MAX,
  LONG_TEXT_LENGTH_MAX,
  PRICE_MAX_USD,
  TEXT_LENGTH_MAX,
} from './limits.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';

/** Value of `x-outgoing` for a field that the spec names and the exchange never sends. */
export const NEVER_SENT = 'never';

/** Narrows a text to what the exchange may send: a pattern, and its meaning in words. */
interface OutgoingPattern {
  readonly pattern: string;
  readonly 'x-allowed': string;
}

export const ALPHA_2_LANGUAGE: OutgoingPattern = {
  pattern: patternOf(ALPHA_2_LANGUAGES),
  'x-allowed': 'an ISO 639-1 language code of two small letters, such as "en"',
};

export const ALPHA_3_COUNTRY: OutgoingPattern = {
  pattern: patternOf(ALPHA_3_COUNTRIES),
  'x-allowed': 'an ISO 3166-1 alpha-3 country code, such as "USA"',
};

const CATEGORY: OutgoingPattern = {
  pattern: patternOf(CONTENT_CATEGORIES.keys()),
  'x-allowed': 'a code of the content taxonomy 1.0, such as "IAB7" or "IAB7-39"',
};

/** What is said of a field beside its shape. */
export type Mark = Partial<
  Pick<SchemaNode, 'x-recommended' | 'x-advisory' | 'x-filled' | 'x-versions'>
>;

/** Of scope "recommended". */
export const recommended: Mark = { 'x-recommended': true };

/** Nothing depends on it: a value that cannot be read counts as none. */
export const advisory: Mark = { 'x-advisory': true };

/** A field that may be left out. The schema is copied, because objects share them. */
export function optional<Schema extends TSchema>(schema: Schema, ...marks: readonly Mark[]) {
  const field = Type.Optional(schema);
  marks.forEach((mark) => addTo(field, mark));
  return field;
}

/** A field that must be there. */
export function required<Schema extends TSchema>(
  schema: Schema,
  ...marks: readonly Mark[]
): Schema {
  marks.forEach((mark) => addTo(schema, mark));
  return schema;
}

/** What is said of a version is added to what is said of others. */
function addTo(field: TSchema, mark: Mark): void {
  const before = nodeOf(field)['x-versions'];
  const added = mark['x-versions'];
  const versions = added === undefined ? {} : { 'x-versions': { ...before, ...added } };
  Object.assign(field, mark, versions);
}

/** An object. */
export function object<Properties extends TProperties>(
  description: string,
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { description, ...options });
}

/**
 * The extension object, which stays unread until a named decoder reads it.
 *
 * @param outgoing what the exchange itself sends in it; nothing, unless it is given
 */
export function ext(description = 'Extension fields.', outgoing: object | string = NEVER_SENT) {
  return optional(Type.Unknown({ description, 'x-outgoing': outgoing }), unsent());
}

/** An id: a text of at least one character. */
export function id(description: string, options: TStringOptions = {}) {
  return Type.String({ description, minLength: 1, maxLength: ID_LENGTH_MAX, ...options });
}

/** A text of a few words: a name, a domain, a model, a user agent. */
export function text(description: string, options: TStringOptions = {}) {
  return Type.String({ description, maxLength: TEXT_LENGTH_MAX, ...options });
}

/** A text that may be long: a URL, keywords. */
export function longText(description: string, options: TStringOptions = {}) {
  return Type.String({ description, maxLength: LONG_TEXT_LENGTH_MAX, ...options });
}

/** A short code: a language, a country, a version. */
export function code(description: string, outgoing: object = {}, options: TStringOptions = {}) {
  const limits = { maxLength: CODE_LENGTH_MAX, 'x-outgoing': outgoing };
  return Type.String({ description, ...limits, ...options });
}

/** A text that is left blank on purpose, as the names of a publisher that hides them are. */
export function blankableText(description: string) {
  return text(description, { 'x-outgoing': { minLength: 0 } });
}

/** A whole number within 32 bits; seconds, kbps and the like, where less than zero has a meaning. */
export function integer(description: string, options: TNumberOptions = {}) {
  return Type.Integer({ description, minimum: -INTEGER_MAX, maximum: INTEGER_MAX, ...options });
}

/** A whole number that counts or measures something, so that it is not below zero. */
export function count(description: string, options: TNumberOptions = {}) {
  return integer(description, { minimum: 0, ...options });
}

/** 0 or 1 where something depends on it: money or privacy. */
export function flag(description: string, options: TNumberOptions = {}) {
  return integer(description, { minimum: 0, maximum: 1, ...options });
}

/** 0 or 1 where a publisher's other value does no harm. */
export function advisoryFlag(description: string, options: TNumberOptions = {}) {
  return integer(description, { 'x-outgoing': { enum: [0, 1] }, ...options });
}

/** A price or floor in USD CPM. */
export function cpm(description: string, options: TNumberOptions = {}) {
  return Type.Number({ description, minimum: 0, maximum: PRICE_MAX_USD, ...options });
}

/** The one currency that the exchange transacts in (spec, section 1 rule 4). */
export function usd(description: string) {
  return Type.Literal('USD', { description, default: 'USD' });
}

/** A value of an enumerated list; values that the list does not name are read and never sent. */
export function listed(
  list: EnumeratedList,
  description: string = list.title,
  options: TNumberOptions = {},
) {
  const outgoing = { enum: listedValues(list) };
  return integer(description, { 'x-list': list.section, 'x-outgoing': outgoing, ...options });
}

/** Values of an enumerated list. */
export function listedArray(
  list: EnumeratedList,
  description: string = list.title,
  options: TArrayOptions = {},
) {
  return array(listed(list), description, options);
}

/** Codes of the content taxonomy. Publishers also send those of later ones, which go no further. */
export function categories(description: string, options: TArrayOptions = {}) {
  return array(text('A category.', { 'x-outgoing': CATEGORY }), description, options);
}

/** A list of texts. */
export function texts(description: string, options: TArrayOptions = {}) {
  return array(text('One entry.'), description, options);
}

/** A list; the exchange sends none that is empty, since leaving it out says the same. */
export function array<Item extends TSchema>(
  item: Item,
  description: string,
  options: TArrayOptions = {},
) {
  const outgoing = { minItems: 1 };
  return Type.Array(item, {
    description,
    maxItems: ITEMS_MAX,
    'x-outgoing': outgoing,
    ...options,
  });
}
