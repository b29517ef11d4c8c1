import { LISTS, INDUSTRY_LISTS } from '../../src/openrtb/lists.ts';
import { Origin, type Filling } from '../../src/openrtb/filling.ts';
import { OBJECTS, type ProtocolObject } from '../../src/openrtb/objects.ts';
import type { SchemaNode } from '../../src/openrtb/schema-node.ts';
import { VERSIONS, type OpenRtbVersion } from '../../src/openrtb/versions.ts';
import { variationOf } from '../../src/openrtb/variations.ts';
import { listAnchor } from './openrtb-lists.ts';
import { table } from './table.ts';

/** What each origin means, in the order in which the first table lists them. */
const ORIGINS: Readonly<Record<Origin, string>> = {
  [Origin.Configuration]: 'Identity and settings. A request cannot change them.',
  [Origin.Overridable]: 'Configuration or detection fills it; what the request says wins.',
  [Origin.Request]: "As the publisher's request says; nothing else fills it.",
  [Origin.Union]: 'Blocking: what configuration and request block, together.',
  [Origin.Exchange]: 'Set by the exchange for the auction.',
  [Origin.Unsent]: 'The exchange does not send it.',
  [Origin.Read]: "Read from a bidder's answer.",
  [Origin.Ignored]: "May stand in a bidder's answer; nothing follows from it.",
};

const NOT_THERE = '–';

/** `docs/reference/openrtb.md`: every field of the protocol, and how the exchange fills it. */
export function openrtbReference(): string {
  return [
    '# OpenRTB fields',
    '',
    '<!-- Written by "npm run gen" from the schemas in src/openrtb; change them there. -->',
    '',
    'Every field of OpenRTB 2.6, 2.5 and 2.2 as the exchange speaks it: what it sends to bidders, and what it',
    "does with their answers. A publisher's request has the same fields; what of it goes further is said",
    'here. The values of the lists are in [the lists](openrtb-lists.md), what privacy takes away in the',
    'privacy table beside this page. Section numbers are those of the specification of the message',
    'formats, or of OpenRTB 2.6 itself.',
    '',
    'A row has the field as the newest version that knows it; the last columns say what is otherwise in each:',
    '`–` is not there, a path is where it stands instead, and `as` names another field that says less.',
    '',
    '## Where values come from',
    '',
    'Version 2.6. Objects and their extensions are named where they stand themselves.',
    '',
    ...table(['Filled from', 'Means', 'Fields'], originRows()),
    '',
    ...OBJECTS.flatMap(sectionOf),
  ].join('\n');
}

/** The fields of each origin, by object. */
function originRows(): string[][] {
  return Object.values(Origin).map((origin) => {
    const fields = OBJECTS.flatMap(({ name, versions }) => {
      const node = versions['2.6'] ?? {};
      const names = Object.entries(node.properties ?? {})
        .filter(([, property]) => fillingOf(property, node)?.origin === origin)
        .map(([field]) => field);
      return names.length === 0 ? [] : [`${name}: ${names.map(code).join(' ')}`];
    });
    return [origin, ORIGINS[origin], fields.join('; ')];
  });
}

/** The versions as the columns have them. */
const NEWEST_FIRST = VERSIONS.toReversed();

function sectionOf(object: ProtocolObject): string[] {
  const { name, section, versions } = object;
  const known = NEWEST_FIRST.filter((version) => versions[version] !== undefined);
  const nodes = known.map((version) => versions[version] ?? {});
  const only = known.length === VERSIONS.length ? '' : ` In ${known.join(' and ')} only.`;
  const head = ['Field', 'Meaning', 'Scope', 'Type', 'Default', 'Filled from', 'How'];
  const fields = new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [
    `## ${name}`,
    '',
    `${nodes[0]?.description ?? ''}${only} ${/^\d/.test(section) ? 'Section ' : ''}${section}.`,
    '',
    ...table(
      [...head, ...NEWEST_FIRST.map((version) => `In ${version}`)],
      [...fields].map((field) => rowOf(field, object)),
    ),
    '',
  ];
}

/** A field as the newest version has it that does, and what is otherwise in each. */
function rowOf(field: string, object: ProtocolObject): string[] {
  const { versions } = object;
  const newest = NEWEST_FIRST.find((version) => versions[version]?.properties?.[field]);
  const node = (newest && versions[newest]) ?? {};
  const property = node.properties?.[field] ?? {};
  const filling = fillingOf(property, node);
  return [
    code(field),
    property.description ?? '',
    scopeOf(field, node),
    typeOf(property),
    property.default === undefined ? '' : code(JSON.stringify(property.default)),
    filling?.origin ?? '',
    filling?.how ?? '',
    ...NEWEST_FIRST.map((version) => differenceOf(field, node, { object, version })),
  ];
}

/** A field of an object that is never sent as a whole is not sent either. */
function fillingOf(property: SchemaNode, node: SchemaNode): Filling | undefined {
  const unsent = { origin: Origin.Unsent, how: 'Never sent with its object.' };
  return property['x-filled'] ?? (node['x-outgoing'] === undefined ? undefined : unsent);
}

function scopeOf(field: string, node: SchemaNode): string {
  if (node.required?.includes(field) === true) return 'required';
  return node.properties?.[field]?.['x-recommended'] === true ? 'recommended' : 'optional';
}

/** In the protocol's words, with the list that the values are from. */
function typeOf(property: SchemaNode): string {
  const { items = {} } = property;
  const list = [...LISTS, ...INDUSTRY_LISTS].find(
    ({ section }) => section === (property['x-list'] ?? items['x-list']),
  );
  const from = list === undefined ? '' : `, [list](openrtb-lists.md#${listAnchor(list)})`;
  return `${property.type === 'array' ? `array of ${nameOf(items)}` : nameOf(property)}${from}`;
}

/** What is not read is an extension, an object. */
function nameOf({ type = 'object' }: SchemaNode): string {
  const names = typeof type === 'string' ? [type] : type;
  return names.map((each) => (each === 'number' ? 'float' : each)).join(' or ');
}

/** What a version has otherwise than the row says, in a few words. */
function differenceOf(
  field: string,
  shown: SchemaNode,
  { object, version }: { readonly object: ProtocolObject; readonly version: OpenRtbVersion },
): string {
  const node = object.versions[version] ?? {};
  const property = node.properties?.[field];
  const said = shown.properties?.[field];
  if (property === undefined) return placeOf(field, object, version);
  const differences: string[] = [];
  const scope = scopeOf(field, node);
  if (scope !== scopeOf(field, shown)) differences.push(scope);
  if (typeOf(property) !== typeOf(said ?? {})) differences.push(typeOf(property));
  if (property.default !== said?.default) {
    const value = property.default;
    differences.push(value === undefined ? 'no default' : `default ${code(JSON.stringify(value))}`);
  }
  const how = property['x-filled']?.how;
  if (how !== said?.['x-filled']?.how && how !== undefined) differences.push(how);
  return differences.length === 0 ? 'same' : differences.join('; ');
}

/** Where a version has a field that its object does not have there. */
function placeOf(field: string, { schema }: ProtocolObject, version: OpenRtbVersion): string {
  const property = schema?.properties?.[field];
  const { at, isLossy } = property === undefined ? {} : variationOf(property, version);
  if (at === undefined || at === null || at === field) return NOT_THERE;
  return isLossy === true ? `as ${code(at)}` : code(at);
}

function code(text: string): string {
  return `\`${text}\``;
}
