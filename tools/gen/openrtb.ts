import type { TObject } from 'typebox';
import { LISTS, INDUSTRY_LISTS } from '../../src/openrtb/lists.ts';
import { Origin, type Filling } from '../../src/openrtb/filling.ts';
import { OBJECTS, type ProtocolObject } from '../../src/openrtb/objects.ts';
import { nodeOf, type SchemaNode } from '../../src/openrtb/schema-node.ts';
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
    'Every field of OpenRTB 2.5 and 2.2 as the exchange speaks it: what it sends to bidders, and what it',
    "does with their answers. A publisher's request has the same fields; what of it goes further is said",
    'here. The values of the lists are in [the lists](openrtb-lists.md), what privacy takes away in the',
    'privacy table beside this page. Section numbers are those of the specification of the message',
    'formats.',
    '',
    '## Where values come from',
    '',
    'Version 2.5. Objects and their extensions are named where they stand themselves.',
    '',
    ...table(['Filled from', 'Means', 'Fields'], originRows()),
    '',
    ...OBJECTS.flatMap(sectionOf),
  ].join('\n');
}

/** The fields of each origin, by object. */
function originRows(): string[][] {
  return Object.values(Origin).map((origin) => {
    const fields = OBJECTS.flatMap(({ name, v25 }) => {
      const names = Object.entries(nodeOf(v25 ?? {}).properties ?? {})
        .filter(([, property]) => fillingOf(property, v25)?.origin === origin)
        .map(([field]) => field);
      return names.length === 0 ? [] : [`${name}: ${names.map(code).join(' ')}`];
    });
    return [origin, ORIGINS[origin], fields.join('; ')];
  });
}

function sectionOf(object: ProtocolObject): string[] {
  const { name, section, v25, v22 } = object;
  const description = nodeOf(v25 ?? v22 ?? {}).description ?? '';
  const version = v22 === null ? ' Not in 2.2.' : v25 === null ? ' In 2.2 only.' : '';
  const head = ['Field', 'Meaning', 'Scope', 'Type', 'Default', 'Filled from', 'How', 'In 2.2'];
  const fields = new Set([...fieldsOf(v25), ...fieldsOf(v22)]);
  return [
    `## ${name}`,
    '',
    `${description}${version} Section ${section}.`,
    '',
    ...table(
      head,
      [...fields].map((field) => rowOf(field, object)),
    ),
    '',
  ];
}

function fieldsOf(schema: TObject | null): string[] {
  return Object.keys(nodeOf(schema ?? {}).properties ?? {});
}

/** A field as 2.5 has it and how 2.2 differs, or as 2.2 has it where only that does. */
function rowOf(field: string, { v25, v22 }: ProtocolObject): string[] {
  const later = nodeOf(v25 ?? {}).properties?.[field];
  const earlier = nodeOf(v22 ?? {}).properties?.[field];
  const property = later ?? earlier ?? {};
  const schema = later === undefined ? v22 : v25;
  const filling = fillingOf(property, schema);
  return [
    code(field),
    property.description ?? '',
    scopeOf(field, schema),
    typeOf(property),
    property.default === undefined ? '' : code(JSON.stringify(property.default)),
    filling?.origin ?? '',
    filling?.how ?? '',
    earlier === undefined
      ? NOT_THERE
      : later === undefined
        ? 'only'
        : differenceOf(field, [later, v25], [earlier, v22]),
  ];
}

/** A field of an object that is never sent as a whole is not sent either. */
function fillingOf(property: SchemaNode, schema: TObject | null): Filling | undefined {
  const whole = nodeOf(schema ?? {})['x-outgoing'];
  const unsent = { origin: Origin.Unsent, how: 'Never sent with its object.' };
  return property['x-filled'] ?? (whole === undefined ? undefined : unsent);
}

function scopeOf(field: string, schema: TObject | null): string {
  const node = nodeOf(schema ?? {});
  if (node.required?.includes(field) === true) return 'required';
  return node['x-recommended']?.includes(field) === true ? 'recommended' : 'optional';
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

type Placed = readonly [property: SchemaNode, schema: TObject | null];

/** What 2.2 has otherwise, in a few words. */
function differenceOf(field: string, [later, v25]: Placed, [earlier, v22]: Placed): string {
  const differences: string[] = [];
  const scope = scopeOf(field, v22);
  if (scope !== scopeOf(field, v25)) differences.push(scope);
  if (earlier.default !== later.default) {
    const value = earlier.default;
    differences.push(value === undefined ? 'no default' : `default ${code(JSON.stringify(value))}`);
  }
  const how = earlier['x-filled']?.how;
  if (how !== later['x-filled']?.how && how !== undefined) differences.push(how);
  return differences.length === 0 ? 'same' : differences.join('; ');
}

function code(text: string): string {
  return `\`${text}\``;
}
