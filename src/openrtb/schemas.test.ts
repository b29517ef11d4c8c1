import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TObject } from 'typebox';
import { BidRequest22Schema } from './bid-request-22.ts';
import { BidRequestSchema } from './bid-request.ts';
import { BidResponseSchema } from './bid-response.ts';
import { NEVER_SENT } from './fields.ts';
import { IncomingRequestSchema } from './incoming-request.ts';
import { NativeRequestSchema } from './native-request.ts';
import { NativeResponseSchema } from './native-response.ts';
import { OBJECTS } from './objects.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';
import { SPEC_TABLES, words, type SpecTable } from './spec-fixtures.ts';

/** The schemas of an object of the spec. */
function schemasOf({ name }: SpecTable): { v25: TObject | null; v22: TObject | null } {
  const found = OBJECTS.find((object) => object.name === name);
  assert.ok(found !== undefined, `${name} has no schema`);
  return found;
}

/** The spec's tables as they are in a version, without the objects that it does not have. */
function tablesOf(version: '2.5' | '2.2'): { table: SpecTable; node: SchemaNode }[] {
  return SPEC_TABLES.flatMap((table) => {
    const { in22 } = table;
    if (version === '2.5') {
      const { v25 } = schemasOf(table);
      assert.ok(v25 !== null, table.name);
      return [{ table, node: nodeOf(v25) }];
    }
    const { v22 } = schemasOf(table);
    assert.equal(v22 === null, in22?.absent === '*', table.name);
    if (v22 === null) return [];
    const absent = words(in22?.absent ?? '');
    const without = (fields: string): string =>
      words(fields)
        .filter((field) => !absent.includes(field))
        .join(' ');
    const recommended = without(in22?.recommended ?? table.recommended);
    const optional = without(`${table.optional} ${table.recommended} ${in22?.added ?? ''}`);
    return [
      {
        table: {
          ...table,
          recommended,
          optional: words(optional)
            .filter((field) => !words(recommended).includes(field))
            .join(' '),
          defaults:
            in22?.defaults ??
            Object.fromEntries(
              Object.entries(table.defaults).filter(([field]) => !absent.includes(field)),
            ),
        },
        node: nodeOf(v22),
      },
    ];
  });
}

for (const version of ['2.5', '2.2'] as const) {
  test(`the schemas of ${version} have the fields, scopes and defaults of the spec, no fewer and no more`, () => {
    for (const { table, node } of tablesOf(version)) {
      const { name, required, recommended, optional, defaults } = table;
      const properties = node.properties ?? {};
      const fields = Object.keys(properties).sort();
      assert.deepEqual(fields, words(`${required} ${recommended} ${optional}`), name);
      assert.deepEqual([...(node.required ?? [])].sort(), words(required), name);
      assert.deepEqual([...(node['x-recommended'] ?? [])].sort(), words(recommended), name);
      const found = Object.entries(properties)
        .filter(([, property]) => property.default !== undefined)
        .map(([field, property]) => [field, property.default]);
      assert.deepEqual(Object.fromEntries(found), defaults, name);
    }
  });
}

test('every field has the type that the spec gives it', () => {
  for (const { table, node } of tablesOf('2.5')) {
    for (const [type, fields] of Object.entries(table.types)) {
      for (const field of words(fields)) {
        const property = node.properties?.[field];
        assert.equal(typeOf(property ?? {}), type, `${table.name}.${field}`);
      }
    }
    const typed = words(Object.values(table.types).join(' '));
    assert.deepEqual(typed, Object.keys(node.properties ?? {}).sort(), table.name);
  }
});

/** The type of a field in the spec's words; what is not read is an extension. */
function typeOf({ type, items }: SchemaNode): string {
  if (type === undefined) return 'object';
  if (type === 'array') return `array of ${typeOf(items ?? {})}`;
  if (type === 'number') return 'float';
  return typeof type === 'string' ? type : type.join(' or ');
}

test('every field of every object says how it is filled, unless the whole object is never sent', () => {
  for (const { name, v25, v22 } of OBJECTS) {
    for (const schema of [v25, v22]) {
      if (schema === null || nodeOf(schema)['x-outgoing'] === NEVER_SENT) continue;
      for (const [field, property] of Object.entries(nodeOf(schema).properties ?? {})) {
        const how = property['x-filled']?.how ?? '';
        assert.match(how, /^[A-Z0-9`].*\.$/, `${name}.${field}`);
      }
    }
  }
});

/** Everything that `explain` understands, and what is documentation only. */
const KEYWORDS = new Set(
  words(
    'type enum const minimum maximum minLength maxLength minItems maxItems items properties required description default x-recommended x-advisory x-outgoing x-only-with x-filled x-list x-allowed',
  ),
);

function visit(
  node: SchemaNode,
  path: string,
  look: (node: SchemaNode, path: string) => void,
): void {
  look(node, path);
  if (node.items !== undefined) visit(node.items, `${path}[]`, look);
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    visit(property, `${path}.${name}`, look);
  }
}

test('only optional fields of an object are advisory', () => {
  visit(
    nodeOf(IncomingRequestSchema),
    '',
    ({ 'x-advisory': names = [], properties, required }, path) => {
      for (const name of names) {
        assert.ok(properties?.[name] !== undefined, `${path} has no ${name}`);
        assert.ok(required?.includes(name) !== true, `${path}.${name} is required`);
      }
    },
  );
});

test('every field is described, bounded, and written in keywords that errors can explain', () => {
  const roots = [
    IncomingRequestSchema,
    BidRequestSchema,
    BidRequest22Schema,
    BidResponseSchema,
    NativeRequestSchema,
    NativeResponseSchema,
  ];
  for (const root of roots) {
    visit(nodeOf(root), '', (node, path) => {
      for (const keyword of Object.keys(node))
        assert.ok(KEYWORDS.has(keyword), `${path}: ${keyword}`);
      assert.ok(
        node.description !== undefined && node.description !== '',
        `${path} is not described`,
      );
      if (node.const !== undefined) return;
      if (node.type === 'string')
        assert.ok(node.maxLength !== undefined, `${path} has no longest text`);
      if (node.type === 'array')
        assert.ok(node.maxItems !== undefined, `${path} has no longest list`);
      if (node.type === 'integer')
        assert.ok(node.maximum !== undefined, `${path} has no highest value`);
    });
  }
});
