/** For property tests: documents generated from the schemas, and JSON that is anything at all. */
import fc from 'fast-check';
import type { SchemaNode } from '../../src/openrtb/schema-node.ts';
import { anyCharacter } from './any-character.ts';

const LENGTH_MAX = 12;
const ITEMS_MAX = 3;

/** Any document that the schema allows, with short texts and lists. */
export function documentOf(node: SchemaNode): fc.Arbitrary<unknown> {
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? ['unknown']);
  return fc.oneof(...types.map((type) => documentOfType(type, node)));
}

function documentOfType(type: string, node: SchemaNode): fc.Arbitrary<unknown> {
  const { minimum: min = -1000, maximum: max = 1000 } = node;
  switch (type) {
    case 'string':
      if (node.pattern !== undefined) return fc.stringMatching(new RegExp(node.pattern));
      return fc.string({
        unit: anyCharacter,
        minLength: node.minLength ?? 0,
        maxLength: Math.min(node.maxLength ?? LENGTH_MAX, LENGTH_MAX),
      });
    case 'integer':
      return fc.integer({ min, max });
    case 'number':
      return fc.double({ min, max, noNaN: true });
    case 'array':
      return fc.array(documentOf(node.items ?? {}), {
        minLength: node.minItems ?? 0,
        maxLength: Math.min(node.maxItems ?? ITEMS_MAX, ITEMS_MAX),
      });
    case 'object':
      return recordOf(node);
    default:
      return anyJson;
  }
}

function recordOf(node: SchemaNode): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], minProperties = 0 } = node;
  const fields = Object.entries(properties).map(
    ([name, property]) => [name, documentOf(property)] as const,
  );
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  if (minProperties <= required.length) return record;
  return record.filter((value) => Object.keys(value).length >= minProperties);
}

/** Any value that JSON.parse can return, Infinity from 1e400 included. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constantFrom(Infinity, -Infinity, 1e300, 2 ** 53, -0) },
);

/** The document with one of its values, wherever it stands, replaced or taken out. */
export function damaged(document: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(document, fc.array(fc.nat(), { maxLength: 8 }), fc.option(anyJson, { nil: undefined }))
    .map(([value, route, replacement]) => replaceAt(value, route, replacement));
}

/** Walks down by one step of `route` after the other; stops where nothing is below. */
function replaceAt(
  value: unknown,
  [step, ...rest]: readonly number[],
  replacement: unknown,
): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return replacement;
  if (Array.isArray(value)) {
    if (value.length === 0) return replacement;
    const index = step % value.length;
    const replaced = replaceAt(value[index], rest, replacement);
    return replaced === undefined ? value.toSpliced(index, 1) : value.with(index, replaced);
  }
  const entries = Object.entries(value);
  const entry = entries[step % Math.max(entries.length, 1)];
  if (entry === undefined) return replacement;
  const replaced = replaceAt(entry[1], rest, replacement);
  const others = entries.filter((other) => other !== entry);
  return Object.fromEntries(replaced === undefined ? others : [...others, [entry[0], replaced]]);
}

/** Whether a JSON pointer leads to a value in the document, or to a place right below one. */
export function pointsInto(document: unknown, pointer: string): boolean {
  if (pointer === '') return true;
  const steps = pointer.split('/').slice(1, -1);
  let value = document;
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return false;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return pointer.startsWith('/') && typeof value === 'object' && value !== null;
}
