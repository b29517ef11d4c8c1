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
import { safeHtml, type Html } from '../../base/html.ts';
import { prose } from './prose.ts';
import { operationSection } from './operation-section.ts';
import { schemaTable } from './schema-table.ts';

/** The reference of an OpenAPI document as one page of HTML, without a script. */
export function referencePage(document: JsonObject, address: string): string {
  const reader = new DocumentReader(document);
  const info = objectAt(document, 'info');
  const groups = groupsOf(document);
  const page = safeHtml`<!doctype html>
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
  return page.toString();
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
      safeHtml`<li>
        <a href="#${anchorOf(tag)}">${tag}</a>
        <ul>
          ${operations.map(
            ({ operation }) =>
              safeHtml`<li>
                <a href="#${textAt(operation, 'operationId')}">${textAt(operation, 'summary')}</a>
              </li>`,
          )}
        </ul>
      </li>`,
  );
  return safeHtml`<ul class="contents">
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
  return safeHtml`<section aria-labelledby="${anchor}">
    <h2 id="${anchor}">${tag}</h2>
    ${operations.map((shown) => operationSection(shown, reader, address))}
  </section>`;
}

function schemasHtml(reader: DocumentReader): Html {
  const schemas = members(objectAt(objectAt(reader.root, 'components'), 'schemas'));
  return safeHtml`<section aria-labelledby="schemas">
    <h2 id="schemas">Schemas</h2>
    ${schemas.map(
      ([name, schema]) =>
        safeHtml`<section class="operation" id="schema-${name}" aria-labelledby="schema-${name}-title">
          <h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>
          ${schemaTable(schema, name)}
        </section>`,
    )}
  </section>`;
}

function anchorOf(tag: string): string {
  return `group-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}
