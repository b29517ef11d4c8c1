/**
 * Keeps of a publisher's untidy object what the exchange may send on. A publisher's request is
 * accepted with blanks, extensions and values that no list names (`validate-incoming.ts`); bidders
 * get none of that.
 */
import type { Static, TSchema } from 'typebox';
import { isRecord, nodeOf, type OnlyWith, type SchemaNode } from './schema-node.ts';
import { shapeCheckOf, type ShapeCheck } from './shape-check.ts';
import { strictSchema } from './strict-schema.ts';

/** Gives the value, or the part of it that may be sent; undefined when nothing may. */
type Keep = (value: unknown) => unknown;

/**
 * Makes the function that keeps of a value what the exchange may send by the annotations of the
 * schema: known fields, values that `x-outgoing` allows, of the extensions those that it describes,
 * nothing empty. Entries of a list that may not be sent are dropped from it; an object that then
 * lacks a required field is dropped itself. What is left is a copy that passes `strictSchema`.
 *
 * Make it once, at start: the schema is walked here, so that a call walks nothing but the value.
 *
 * @param schema of what is read; the parts of one are made with `Type.Pick`
 * @throws where the schema does not say what may be sent, as one of an unknown value
 */
export function createSendable<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Static<Schema> | undefined {
  const keep = keeperOf(strictSchema(nodeOf(schema)));
  return (value) => {
    const kept = keep(value);
    return isKeptOf(schema, kept) ? kept : undefined;
  };
}

/** A keeper gives what its schema describes, or undefined; the tests hold it to that. */
function isKeptOf<Schema extends TSchema>(_schema: Schema, kept: unknown): kept is Static<Schema> {
  return kept !== undefined;
}

function keeperOf(node: SchemaNode): Keep {
  if (node.const !== undefined) return listedKeeper([node.const]);
  if (node.enum !== undefined) return listedKeeper(node.enum, node['x-also-text']);
  if (node.properties !== undefined) return objectKeeper(node, node.properties);
  if (node.items !== undefined) return listKeeper(node, keeperOf(node.items));
  if (node.type !== undefined) return wholeKeeper(shapeCheckOf(node));
  throw new Error(`the schema does not say what may be sent as "${node.description}"`);
}

function objectKeeper(
  { required = [] }: SchemaNode,
  properties: Readonly<Record<string, SchemaNode>>,
): Keep {
  const keepers = new Map<string, Keep>();
  const conditions: [name: string, condition: OnlyWith][] = [];
  for (const [name, property] of Object.entries(properties)) {
    keepers.set(name, keeperOf(property));
    const condition = property['x-only-with'];
    if (condition !== undefined) conditions.push([name, condition]);
  }
  return (value) => {
    if (!isRecord(value)) return undefined;
    const kept: Record<string, unknown> = {};
    let count = 0;
    // The fields that are there are fewer than those that the schema names.
    for (const name in value) {
      const sent = keepers.get(name)?.(value[name]);
      if (sent === undefined) continue;
      kept[name] = sent;
      count += 1;
    }
    for (const [name, condition] of conditions) {
      if (kept[name] === undefined || isMet(condition, kept)) continue;
      delete kept[name];
      count -= 1;
    }
    const isWhole = required.every((name) => kept[name] !== undefined);
    return isWhole && count > 0 ? kept : undefined;
  };
}

function isMet({ field, value }: OnlyWith, kept: Readonly<Record<string, unknown>>): boolean {
  return value === undefined ? kept[field] !== undefined : kept[field] === value;
}

function listKeeper({ minItems = 0, maxItems = Infinity }: SchemaNode, keep: Keep): Keep {
  return (values) => {
    if (!Array.isArray(values)) return undefined;
    const kept: unknown[] = [];
    for (const value of values) {
      const sent = keep(value);
      if (sent !== undefined && kept.length < maxItems) kept.push(sent);
    }
    return kept.length >= minItems ? kept : undefined;
  };
}

/** Where a number may come as a text (`Content.context`), the text is taken for it. */
function listedKeeper(values: readonly unknown[], isAlsoText = false): Keep {
  const listed = new Map(values.map((value) => [value, value]));
  if (isAlsoText) for (const value of values) listed.set(String(value), value);
  return (value) => listed.get(value);
}

/** A text or a number goes as it is or not at all. */
function wholeKeeper(check: ShapeCheck): Keep {
  return (value) => (check(value) ? value : undefined);
}
