import { NEVER_SENT } from './fields.ts';
import { isRecord, type SchemaNode } from './schema-node.ts';

/**
 * The schema of what the exchange itself may send, made from the schema of what it reads:
 * `x-outgoing` is applied, what is never sent is gone, fields that are not named are refused, and
 * nothing is empty unless it is left blank on purpose.
 */
export function strictSchema(node: SchemaNode): SchemaNode {
  const outgoing = node['x-outgoing'];
  const narrowed: SchemaNode = isRecord(outgoing) ? { ...node, ...outgoing } : node;
  if (narrowed.properties !== undefined) return strictObject(narrowed);
  if (narrowed.items !== undefined) {
    return { minItems: 1, ...narrowed, items: strictSchema(narrowed.items) };
  }
  return narrowed.type === 'string' ? { minLength: 1, ...narrowed } : narrowed;
}

function strictObject(node: SchemaNode): SchemaNode {
  const properties = Object.entries(node.properties ?? {})
    .filter(([, property]) => property['x-outgoing'] !== NEVER_SENT)
    .map(([name, property]): [string, SchemaNode] => [name, strictSchema(property)]);
  return {
    ...node,
    minProperties: 1,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}
