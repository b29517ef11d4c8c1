import { isRecord, type SchemaNode } from './schema-node.ts';

/**
 * The document without the blanks of optional fields: a writer that says null there, or nothing
 * between the quotes of an id or a URL, means that there is no value. What holds no blank is
 * returned as it is and shared with the original, which is never changed; only objects on the way
 * to a dropped field are copied. Required fields, list entries, texts that may be empty and what
 * the schema does not describe (`ext`) are kept.
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
  for (const [name, property] of Object.entries(properties)) {
    const value = record[name];
    if (value === undefined || property.type === undefined) continue;
    const isDropped = isBlank(property, value) && !required.includes(name);
    const cleaned = isDropped ? undefined : withoutBlanks(property, value);
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
export function copyWith(
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
