import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BidRequestSchema } from './bid-request.ts';
import { BidResponseSchema } from './bid-response.ts';
import { NEVER_SENT } from './fields.ts';
import { IncomingRequestSchema } from './incoming-request.ts';
import { NativeRequestSchema } from './native-request.ts';
import { NativeResponseSchema } from './native-response.ts';
import { OBJECTS } from './objects.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';
import { schemaIn } from './schema-in.ts';
import { specObjects, words } from './spec-fixtures.ts';
import { VERSIONS, type OpenRtbVersion } from './versions.ts';

for (const version of VERSIONS) {
  test(`the schemas of ${version} have the fields, types, scopes and defaults of the spec, no fewer and no more`, () => {
    for (const { name, types, required, recommended, defaults } of specObjects(version)) {
      const node = OBJECTS.find((object) => object.name === name)?.versions[version];
      assert.ok(node !== undefined, `${name} has no schema`);
      const properties = Object.entries(node.properties ?? {});
      const found = properties.map(([field, property]) => [field, typeOf(property)]);
      assert.deepEqual(Object.fromEntries(found), Object.fromEntries(types), name);
      assert.deepEqual([...(node.required ?? [])].sort(), required, name);
      const advised = properties.filter(([, property]) => property['x-recommended'] === true);
      assert.deepEqual(advised.map(([field]) => field).sort(), recommended, name);
      const preset = properties
        .filter(([, property]) => property.default !== undefined)
        .map(([field, property]) => [field, property.default]);
      assert.deepEqual(Object.fromEntries(preset), defaults, name);
    }
  });

  test(`${version} has no other objects, but for companions and what extensions carry`, () => {
    const named = new Set(specObjects(version).map(({ name }) => name));
    const others = OBJECTS.filter(({ name, versions }) => {
      return versions[version] !== undefined && !named.has(name);
    });
    assert.deepEqual(
      others.map(({ name }) => name),
      OTHERS[version],
    );
  });
}

const OTHERS: Readonly<Record<OpenRtbVersion, readonly string[]>> = {
  '2.2': ['BidRequest.ext', 'SupplyChain', 'SupplyChainNode', 'Imp.ext', 'Companion', 'Video.ext'],
  '2.5': ['Source.ext', 'SupplyChain', 'SupplyChainNode', 'Companion', 'Video.ext', 'EID', 'UID'],
  '2.6': ['Companion', 'Video.ext'],
};

/** The type of a field in the spec's words; what is not read is an extension. */
function typeOf({ type, items }: SchemaNode): string {
  if (type === undefined) return 'object';
  if (type === 'array') return `array of ${typeOf(items ?? {})}`;
  if (type === 'number') return 'float';
  return typeof type === 'string' ? type : type.join(' or ');
}

test('every field of every object says how it is filled, unless the whole object is never sent', () => {
  for (const { name, versions } of OBJECTS) {
    for (const node of Object.values(versions)) {
      if (node['x-outgoing'] === NEVER_SENT) continue;
      for (const [field, property] of Object.entries(node.properties ?? {})) {
        const how = property['x-filled']?.how ?? '';
        assert.match(how, /^[A-Z0-9`].*\.$/, `${name}.${field}`);
      }
    }
  }
});

/** Everything that `explain` understands, and what is documentation only. */
const KEYWORDS = new Set(
  words(
    'type enum const minimum maximum minLength maxLength minItems maxItems items properties required description default x-recommended x-advisory x-outgoing x-only-with x-also-text x-versions x-filled x-list x-allowed',
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
  visit(nodeOf(IncomingRequestSchema), '', ({ properties = {}, required }, path) => {
    for (const [name, property] of Object.entries(properties)) {
      if (property['x-advisory'] !== true) continue;
      assert.ok(required?.includes(name) !== true, `${path}.${name} is required`);
    }
  });
});

test('every field is described, bounded, and written in keywords that errors can explain', () => {
  const roots = [
    nodeOf(IncomingRequestSchema),
    ...VERSIONS.map((version) => schemaIn(BidRequestSchema, version)),
    ...VERSIONS.map((version) => schemaIn(BidResponseSchema, version)),
    nodeOf(NativeRequestSchema),
    nodeOf(NativeResponseSchema),
  ];
  for (const root of roots) {
    visit(root, '', (node, path) => {
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
