import { jsonText, type Json, type JsonObject } from '../../openapi/plain-schema.ts';
import { members, objectAt, objectsAt, schemaName, textAt, textsAt } from './document-reader.ts';
import { safeHtml, type Html } from '../../base/html.ts';
import { inline } from './prose.ts';

/** Deeper than any schema goes without a name. */
const DEPTH_MAX = 8;

/** One line of a table: a key, what may stand there, and what it means. */
interface Row {
  readonly key: string;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
}

/** The keys of a schema as a table; of one without keys, what it is. Named schemas are links. */
export function schemaTable(schema: JsonObject, label: string): Html {
  const rows = rowsOf(schema, '', 0);
  if (rows.length === 0) {
    const meaning = meaningOf(schema);
    return safeHtml`<p>${typeOf(schema)}${meaning.length === 0 ? '' : ': '}${meaning}</p>`;
  }
  return safeHtml`<div class="table" tabindex="0" role="region" aria-label="${label}">
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">Key</th>
          <th scope="col" role="columnheader">Type</th>
          <th scope="col" role="columnheader">Meaning</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(rowHtml)}
      </tbody>
    </table>
  </div>`;
}

/** A type in a few words: `string or null`, `list of LineItem`. */
export function typeOf(schema: JsonObject): Html {
  const name = schemaName(schema);
  if (name !== null) return safeHtml`<a href="#schema-${name}">${name}</a>`;
  const choices = [...objectsAt(schema, 'anyOf'), ...objectsAt(schema, 'oneOf')];
  if (choices.length > 0) {
    const [first, ...others] = choices.map(typeOf);
    return safeHtml`${first ?? ''}${others.map((each) => safeHtml` or ${each}`)}`;
  }
  if (typeNames(schema).includes('array')) {
    const items = objectAt(schema, 'items');
    const orNull = typeNames(schema).includes('null') ? ' or null' : '';
    return safeHtml`list of ${typeOf(items)}${orNull}`;
  }
  const names = typeNames(schema);
  const format = textAt(schema, 'format');
  if (names.length > 0)
    return safeHtml`${names.join(' or ')}${format === '' ? '' : ` (${format})`}`;
  return safeHtml`${schema['enum'] === undefined && schema['const'] === undefined ? 'anything' : 'string'}`;
}

/** What its description says, and the constants and bounds that it does not. */
export function meaningOf(schema: JsonObject): Html[] {
  const described = textAt(schema, 'description') || describedInside(schema);
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const constants: readonly Json[] = schema['const'] === undefined ? values : [schema['const']];
  // A description that names the values needs no list of them.
  const shown = constants.map(jsonText).filter((value) => !described.includes(value));
  const says = inline(described);
  if (shown.length === 0) return says;
  const list = shown.map(
    (value, index) => safeHtml`${index === 0 ? '' : ', '}<code>${value}</code>`,
  );
  return described === '' ? list : says.concat(safeHtml`: `, list);
}

function describedInside(schema: JsonObject): string {
  const choices = objectsAt(schema, 'anyOf').map((choice) => textAt(choice, 'description'));
  return choices.find((text) => text !== '') ?? textAt(objectAt(schema, 'items'), 'description');
}

function rowsOf(schema: JsonObject, prefix: string, depth: number): readonly Row[] {
  const required = textsAt(schema, 'required');
  const rows: Row[] = [];
  for (const [name, inner] of members(objectAt(schema, 'properties'))) {
    const { node, mark } = innermost(inner);
    const key = `${prefix}${name}${mark}`;
    rows.push({ key, isRequired: required.includes(name), schema: inner });
    if (depth < DEPTH_MAX) rows.push(...rowsOf(node, `${key}.`, depth + 1));
  }
  return rows;
}

/** What a key holds, seen through "or null" and through the list around it. */
function innermost(schema: JsonObject): { readonly node: JsonObject; readonly mark: string } {
  const choices = objectsAt(schema, 'anyOf').filter((choice) => textAt(choice, 'type') !== 'null');
  const chosen = choices.length === 1 ? (choices[0] ?? schema) : schema;
  if (!typeNames(chosen).includes('array')) return { node: chosen, mark: '' };
  const { node, mark } = innermost(objectAt(chosen, 'items'));
  return { node, mark: `[]${mark}` };
}

function rowHtml({ key, isRequired, schema }: Row): Html {
  const mark = isRequired ? safeHtml` <span class="required">required</span>` : '';
  return safeHtml`<tr role="row">
    <th scope="row" role="rowheader"><code>${key}</code>${mark}</th>
    <td role="cell">${typeOf(schema)}</td>
    <td role="cell">${meaningOf(schema)}</td>
  </tr>`;
}

function typeNames(schema: JsonObject): readonly string[] {
  const { type } = schema;
  return typeof type === 'string' ? [type] : textsAt(schema, 'type');
}
