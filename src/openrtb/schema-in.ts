import type { TSchema } from 'typebox';
import { Origin } from './filling.ts';
import { isRecord, nodeOf, type SchemaNode } from './schema-node.ts';
import type { OpenRtbVersion } from './versions.ts';
import { placeOf, variationOf } from './variations.ts';

/** A field that a version has in the object above the one whose table names it. */
interface Hoisted {
  readonly place: readonly string[];
  readonly node: SchemaNode;
}

/**
 * The schema of an object as a version has it: without the fields that it does not know, the others
 * where it has them and with what it says otherwise of them.
 */
export function schemaIn(schema: TSchema, version: OpenRtbVersion): SchemaNode {
  return nodeIn(nodeOf(schema), version, []);
}

/** @param hoisted gets what belongs into the object above */
function nodeIn(node: SchemaNode, version: OpenRtbVersion, hoisted: Hoisted[]): SchemaNode {
  const { items, properties, 'x-outgoing': outgoing } = node;
  if (items !== undefined) return { ...node, items: nodeIn(items, version, hoisted) };
  if (properties !== undefined) return objectIn({ ...node, properties }, version, hoisted);
  if (node.type !== undefined || !isRecord(outgoing)) return node;
  return { ...node, 'x-outgoing': nodeIn(outgoing, version, []) };
}

function objectIn(
  node: SchemaNode & { readonly properties: Readonly<Record<string, SchemaNode>> },
  version: OpenRtbVersion,
  hoisted: Hoisted[],
): SchemaNode {
  const placed: Hoisted[] = [];
  const required = new Set(node.required);
  for (const [name, property] of Object.entries(node.properties)) {
    const below: Hoisted[] = [];
    const place = placeOf(name, property, version);
    const field = withVariation(nodeIn(property, version, below), version);
    if (place !== null) placed.push({ place, node: field });
    if (variationOf(property, version).isRequired === true) required.add(name);
    placed.push(...below);
  }
  let properties: Readonly<Record<string, SchemaNode>> = {};
  // What stands in an object comes after the object.
  placed.sort((a, b) => a.place.length - b.place.length);
  for (const { place, node: field } of placed) {
    if (place[0] === '..') hoisted.push({ place: place.slice(1), node: field });
    else properties = placedAt(properties, place, field);
  }
  const present = [...required].filter((name) => properties[name] !== undefined);
  return { ...node, properties, required: present };
}

function withVariation(node: SchemaNode, version: OpenRtbVersion): SchemaNode {
  const { 'x-versions': _, ...field } = node;
  const {
    at: _a,
    write: _w,
    strictness: _s,
    isLossy: _l,
    takes: _t,
    isRequired: _r,
    ...changes
  } = variationOf(node, version);
  return { ...field, ...changes };
}

/** The fields with one more, which may stand in an object among them, or in the extension of one. */
function placedAt(
  properties: Readonly<Record<string, SchemaNode>>,
  [name = '', ...below]: readonly string[],
  field: SchemaNode,
): Readonly<Record<string, SchemaNode>> {
  const standing = properties[name];
  if (below.length === 0) return { ...properties, [name]: field };
  if (standing === undefined) throw new Error(`no "${name}" to put ${below.join('/')} into`);
  return { ...properties, [name]: withField(standing, below, field) };
}

/** An extension is not read, so that what it carries stands in what may be sent of it. */
function withField(node: SchemaNode, place: readonly string[], field: SchemaNode): SchemaNode {
  if (node.properties !== undefined) {
    return { ...node, properties: placedAt(node.properties, place, field) };
  }
  const before = isRecord(node['x-outgoing']) ? node['x-outgoing'] : EXTENSION;
  const carried = withField(before, place, field);
  return { ...node, 'x-outgoing': carried, ...fillingOf(carried) };
}

/** An extension is filled as what it carries. */
function fillingOf({ properties = {} }: SchemaNode): SchemaNode {
  const sent = Object.entries(properties)
    .map(([name, field]) => ({ name, origin: field['x-filled']?.origin ?? Origin.Unsent }))
    .filter(({ origin }) => origin !== Origin.Unsent);
  const [first] = sent;
  if (first === undefined) return {};
  const how = `Its ${sent.map(({ name }) => `\`${name}\``).join(', ')}.`;
  return { 'x-filled': { origin: first.origin, how } };
}

const EXTENSION: SchemaNode = {
  type: 'object',
  description: 'An extension.',
  properties: {},
};
