import type { JsonObject } from '../../openapi/plain-schema.ts';
import type { ShownOperation } from './curl.ts';
import {
  DocumentReader,
  members,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from './document-reader.ts';
import { html, prose, type Html } from './html.ts';
import { operationSection } from './operation-section.ts';
import { schemaTable } from './schema-table.ts';

/** The reference of an OpenAPI document as one page of HTML, without a script. */
export function referencePage(document: JsonObject, address: string): string {
  const reader = new DocumentReader(document);
  const info = objectAt(document, 'info');
  const groups = groupsOf(document);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${textAt(info, 'title')} API reference</title>
        <link rel="stylesheet" href="style.css" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to the operations</a>
        <header>
          <h1>${textAt(info, 'title')} API</h1>
          <p>
            At <code>${address}</code>. The same as
            <a href="../openapi.json">an OpenAPI 3.1 document</a>.
          </p>
        </header>
        <div class="columns">
          <nav aria-label="Operations">${navigation(groups)}</nav>
          <main id="content" tabindex="-1">
            ${prose(textAt(info, 'description'))}
            ${groups.map(({ tag, operations }) => groupHtml(tag, operations, reader, address))}
            ${schemasHtml(reader)}
          </main>
        </div>
      </body>
    </html> `;
  return page.text;
}

interface Group {
  readonly tag: string;
  readonly operations: readonly ShownOperation[];
}

/** The operations by their tags, in the order of the document. */
function groupsOf(document: JsonObject): readonly Group[] {
  const all = members(objectAt(document, 'paths')).flatMap(([path, item]) =>
    members(item).map(([method, operation]) => ({ method, path, operation })),
  );
  return objectsAt(document, 'tags').map((tag) => {
    const name = textAt(tag, 'name');
    const operations = all.filter(({ operation }) => textsAt(operation, 'tags').includes(name));
    return { tag: name, operations };
  });
}

function navigation(groups: readonly Group[]): Html {
  const items = groups.map(
    ({ tag, operations }) =>
      html`<li>
        <a href="#${anchorOf(tag)}">${tag}</a>
        <ul>
          ${operations.map(
            ({ operation }) =>
              html`<li>
                <a href="#${textAt(operation, 'operationId')}">${textAt(operation, 'summary')}</a>
              </li>`,
          )}
        </ul>
      </li>`,
  );
  return html`<ul class="contents">
    ${items}
    <li><a href="#schemas">Schemas</a></li>
  </ul>`;
}

function groupHtml(
  tag: string,
  operations: readonly ShownOperation[],
  reader: DocumentReader,
  address: string,
): Html {
  const anchor = anchorOf(tag);
  return html`<section aria-labelledby="${anchor}">
    <h2 id="${anchor}">${tag}</h2>
    ${operations.map((shown) => operationSection(shown, reader, address))}
  </section>`;
}

function schemasHtml(reader: DocumentReader): Html {
  const schemas = members(objectAt(objectAt(reader.root, 'components'), 'schemas'));
  return html`<section aria-labelledby="schemas">
    <h2 id="schemas">Schemas</h2>
    ${schemas.map(
      ([name, schema]) =>
        html`<section class="operation" id="schema-${name}" aria-labelledby="schema-${name}-title">
          <h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>
          ${schemaTable(schema, name)}
        </section>`,
    )}
  </section>`;
}

function anchorOf(tag: string): string {
  return `group-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}
