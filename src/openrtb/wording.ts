import { isRecord, type SchemaNode } from './schema-node.ts';

const QUOTED_LENGTH_MAX = 40;

/** What stands in the document, short enough for one line. */
export function describeFound(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    return Number.isFinite(value) ? `the number ${value}` : 'a number too large to be read';
  }
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'entry', 'entries')}`;
  if (isRecord(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  if (typeof value !== 'string') return `a ${typeof value}`;
  if (value === '') return 'an empty text';
  if (value.length <= QUOTED_LENGTH_MAX) return `the text ${JSON.stringify(value)}`;
  const start = JSON.stringify(`${value.slice(0, QUOTED_LENGTH_MAX)}…`);
  return `the text ${start} of ${grouped(value.length)} characters`;
}

/** What a schema allows, in words. */
export function describeAllowed(node: SchemaNode): string {
  if (node['x-allowed'] !== undefined) return node['x-allowed'];
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) {
    const values = node.enum.map((value) => JSON.stringify(value)).join(', ');
    return node.enum.length === 1 ? values : `one of ${values}`;
  }
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
  return types.map((type) => describeType(type, node)).join(' or ');
}

function describeType(type: string, node: SchemaNode): string {
  switch (type) {
    case 'string':
      return `a text${range(node.minLength, node.maxLength, 'characters')}`;
    case 'integer':
      return `a whole number${range(node.minimum, node.maximum)}`;
    case 'number':
      return `a number${range(node.minimum, node.maximum)}`;
    case 'array':
      return `a list${range(node.minItems, node.maxItems, 'entries')}`;
    default:
      return node.minProperties === undefined ? `an ${type}` : `an ${type} with fields`;
  }
}

/** Bounds in words; `unit` is what a length counts, without it the bounds are values. */
function range(min: number | undefined, max: number | undefined, unit?: string): string {
  const suffix = unit === undefined ? '' : ` ${unit}`;
  if (min !== undefined && max !== undefined) {
    const from = unit === undefined ? ' from' : ' of';
    return `${from} ${grouped(min)} to ${grouped(max)}${suffix}`;
  }
  if (max !== undefined) return ` of at most ${grouped(max)}${suffix}`;
  if (min !== undefined) return ` of at least ${grouped(min)}${suffix}`;
  return '';
}

function counted(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** 65536 as "65,536". (`toLocaleString` costs a hundred times as much as the check that failed.) */
function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
