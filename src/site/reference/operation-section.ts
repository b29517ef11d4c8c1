import { jsonText, type Json, type JsonObject } from '../../openapi/plain-schema.ts';
import { curlOf, FORM_TYPE, schemeOf, type ShownOperation } from './curl.ts';
import {
  members,
  objectAt,
  objectsAt,
  schemaName,
  textAt,
  textsAt,
  type DocumentReader,
} from './document-reader.ts';
import { safeHtml, type Html } from '../../base/html.ts';
import { inline, prose } from './prose.ts';
import { meaningOf, schemaTable, typeOf } from './schema-table.ts';

/** All that the page says of one operation. */
export function operationSection(
  shown: ShownOperation,
  reader: DocumentReader,
  address: string,
): Html {
  const { method, path, operation } = shown;
  const id = textAt(operation, 'operationId');
  return safeHtml`<section class="operation" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><a href="#${id}">${textAt(operation, 'summary')}</a></h3>
    <p class="call">
      <span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code>
    </p>
    ${prose(textAt(operation, 'description')).filter((each) => each.toString() !== '<p></p>')}
    <dl class="access">
      <div>
        <dt>For</dt>
        <dd>${whoOf(operation)}</dd>
      </div>
      <div>
        <dt>Needs</dt>
        <dd>${needOf(operation)}</dd>
      </div>
    </dl>
    ${parametersOf(operation)} ${bodyOf(operation, reader)}
    <h4>Answers</h4>
    ${members(objectAt(operation, 'responses')).map(([status, response]) => answerOf(status, reader.follow(response), reader))}
    <h4>Try it</h4>
    <pre
      tabindex="0"
      aria-label="Command that calls it"
    ><code>${curlOf(shown, address)}</code></pre>
  </section>`;
}

/** A path may be longer than a phone is wide; it breaks after its slashes. */
function breakable(path: string): Html[] {
  return path.split(/(?<=\/)/).map((piece) => safeHtml`${piece}<wbr />`);
}

function whoOf(operation: JsonObject): string {
  const roles = textsAt(operation, 'x-roles');
  if (roles.length > 0) return roles.map((role) => PEOPLE[role] ?? role).join(', ');
  return CALLERS[schemeOf(operation)] ?? 'applications';
}

const CALLERS: Readonly<Record<string, string>> = {
  accountToken: 'the account of the token',
  session: 'everybody who is signed in',
  '': 'everybody',
};

const PEOPLE: Readonly<Record<string, string>> = {
  operator: 'operators',
  'demand-partner': 'demand partners',
  publisher: 'publishers',
};

function needOf(operation: JsonObject): Html {
  const scheme = schemeOf(operation);
  if (scheme === 'accountToken') return safeHtml`the account's reporting token`;
  if (scheme === '') return safeHtml`nothing`;
  if (scheme === 'session') return safeHtml`a session, with the console's cookie`;
  if (scheme === 'client') return safeHtml`client id and secret, in the body or by HTTP Basic`;
  const [scope = ''] = textsAt(objectsAt(operation, 'security')[0] ?? {}, scheme);
  return safeHtml`an access token with scope <code>${scope}</code>`;
}

function parametersOf(operation: JsonObject): Html | string {
  const parameters = objectsAt(operation, 'parameters');
  if (parameters.length === 0) return '';
  const rows = parameters.map((parameter) => {
    const schema = objectAt(parameter, 'schema');
    const isRequired = parameter['required'] === true;
    const mark = isRequired ? safeHtml` <span class="required">required</span>` : '';
    const described = textAt(parameter, 'description');
    const says = described === '' ? meaningOf(schema) : inline(described);
    return safeHtml`<tr role="row">
      <th scope="row" role="rowheader"><code>${textAt(parameter, 'name')}</code>${mark}</th>
      <td role="cell">${textAt(parameter, 'in')}</td>
      <td role="cell">${typeOf(schema)}</td>
      <td role="cell">${says}</td>
    </tr>`;
  });
  return safeHtml`<h4>Parameters</h4>
    <div class="table" tabindex="0" role="region" aria-label="Parameters">
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Name</th>
            <th scope="col" role="columnheader">In</th>
            <th scope="col" role="columnheader">Type</th>
            <th scope="col" role="columnheader">Meaning</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function bodyOf(operation: JsonObject, reader: DocumentReader): Html | string {
  const contents = members(objectAt(objectAt(operation, 'requestBody'), 'content'));
  const [first] = contents;
  if (first === undefined) return '';
  const types = contents.map(
    ([type], index) => safeHtml`${index === 0 ? '' : ' or '}<code>${type}</code>`,
  );
  return safeHtml`<h4>Body</h4>
    ${contentOf(types, first, reader)}`;
}

function answerOf(status: string, response: JsonObject, reader: DocumentReader): Html {
  const contents = members(objectAt(response, 'content'));
  const [meaning = '', ...more] = textAt(response, 'description').split(/\n{2,}/);
  const headers = members(objectAt(response, 'headers'));
  const isSuccess = status.startsWith('2');
  const isPlain = headers.length === 0 && contents.length === 0;
  const head = safeHtml`<span class="status ${isSuccess ? 'good' : 'bad'}">${status}</span>
    <span>${inline(meaning)}${more.map((each) => safeHtml`<br />${inline(each)}`)}</span>`;
  if (isPlain || (!isSuccess && isProblem(contents) && headers.length === 0)) {
    return safeHtml`<p class="answer">${head}</p>`;
  }
  return safeHtml`<details class="answer">
    <summary>${head}</summary>
    ${
      headers.length === 0
        ? ''
        : safeHtml`<ul class="headers">
            ${headers.map(([name, header]) => safeHtml`<li><code>${name}</code> ${inline(textAt(header, 'description'))}</li>`)}
          </ul>`
    }
    ${contents.map(([type, content]) =>
      contentOf([safeHtml`<code>${type}</code>`], [type, content], reader),
    )}
  </details>`;
}

/** Problems have one form, which is described once. */
function isProblem(contents: readonly (readonly [string, JsonObject])[]): boolean {
  return contents.every(([type]) => type === 'application/problem+json');
}

/** A body in one type: its keys, seen through a reference and through a list, and its example. */
function contentOf(
  types: readonly Html[],
  [type, content]: readonly [string, JsonObject],
  reader: DocumentReader,
): Html {
  const schema = objectAt(content, 'schema');
  const items = objectAt(reader.follow(schema), 'items');
  const isList = Object.keys(items).length > 0;
  const target = reader.follow(isList ? items : schema);
  const head = isList || schemaName(schema) !== null ? safeHtml`: ${typeOf(schema)}` : '';
  const table = schemaName(schema) === 'Problem' ? '' : schemaTable(target, 'Keys');
  return safeHtml`<p>${types}${head}</p>
    ${table}${examplesOf(type, content)}`;
}

function examplesOf(type: string, content: JsonObject): Html | string {
  const { example } = content;
  if (example === undefined) return '';
  return safeHtml`<pre
    tabindex="0"
    aria-label="Example"
  ><code>${exampleText(type, example)}</code></pre>`;
}

/** As it goes over the wire, but that JSON is laid out. */
function exampleText(type: string, example: Json): string {
  if (typeof example === 'string') return example;
  if (type !== FORM_TYPE) return JSON.stringify(example, null, 2);
  const pairs = Object.entries(example ?? {}).map(([name, value]) => [name, jsonText(value)]);
  return new URLSearchParams(pairs).toString();
}
