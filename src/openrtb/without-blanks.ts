import { isRecord, type SchemaNode } from './schema-node.ts';
import { shapeCheckOf, type ShapeCheck } from './shape-check.ts';

/**
 * The document without the blanks of optional fields: a writer that says null there, or nothing
 * between the quotes of an id or a URL, means that there is no value. Gone as well are the advisory
 * fields (`x-advisory`) that cannot be read: nothing depends on them, so nothing is refused for them.
 *
 * What holds nothing of the kind is returned as it is and shared with the original, which is never
 * changed; only objects on the way to a dropped field are copied. Required fields, list entries,
 * texts that may be empty and what the schema does not describe (`ext`) are kept.
 */
export function withoutBlanks(node: SchemaNode, value: unknown): unknown {
  if (Array.isArray(value)) return node.items === undefined ? value : listOf(node.items, value);
  return node.properties !== undefined && isRecord(value) ? recordOf(node, value) : value;
}

/** Whether the value stands for none. */
function isBlank(node: SchemaNode, value: unknown): boolean {
  if (value === '') return (node.minLength ?? 0) > 0 || node.const !== undefined;
  return value === null;
}

const checks = new WeakMap<SchemaNode, ShapeCheck>();

function isReadable(node: SchemaNode, value: unknown): boolean {
  let check = checks.get(node);
  if (check === undefined) {
    check = shapeCheckOf(node);
    checks.set(node, check);
  }
  return check(value);
}

function listOf(items: SchemaNode, values: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, value] of values.entries()) {
    const cleaned = withoutBlanks(items, value);
    if (cleaned === value) continue;
    copy ??= [...values];
    copy[index] = cleaned;
  }
  return copy ?? values;
}

function recordOf(
  { properties = {}, required = [] }: SchemaNode,
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let changes: Map<string, unknown> | undefined;
  // The fields that are there are fewer than those that the schema names.
  for (const [name, value] of Object.entries(record)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (value === undefined || property?.type === undefined) continue;
    const isDropped = isBlank(property, value) && !required.includes(name);
    const read = isDropped ? undefined : withoutBlanks(property, value);
    const isLost = property['x-advisory'] === true && !isReadable(property, read);
    const cleaned = isLost ? undefined : read;
    if (cleaned === value) continue;
    changes ??= new Map();
    changes.set(name, cleaned);
  }
  return changes === undefined ? record : copyWith(record, changes);
}

/**
 * A copy in which the named fields are replaced, or left out where the replacement is undefined.
 * Entries are defined, not assigned, so that a field called `__proto__` stays a field.
 */
function copyWith(
  record: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(record)
    .map(([name, value]): [string, unknown] => [
      name,
      changes.has(name) ? changes.get(name) : value,
    ])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}
