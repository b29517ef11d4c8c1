import { globSync } from 'node:fs';
import { posix } from 'node:path';
import type { TSchema } from 'typebox';
import { allEndpoints } from '../../src/management/all-endpoints.ts';
import type { Endpoint } from '../../src/management/endpoint.ts';

const ROOT = posix.join(import.meta.dirname, '../..');
const PATH = 'console/src/api/answers.ts';
/** Where the schemas of answers are, each exported with a type of its name without `Schema`. */
const SCHEMAS = 'src/{management,analytics}/{,*/}*schema.ts';

/** A type of a schema file. */
interface Named {
  readonly name: string;
  readonly file: string;
}

/**
 * The types of what the management API answers, by address: what the console asks for has the type
 * that the server's own endpoint says. More literal addresses come first.
 */
export async function renderApiAnswers(): Promise<string> {
  const names = await namesOfSchemas();
  const used = new Map<string, Named>();
  const rows = new Map<string, string>();
  for (const endpoint of (await allEndpoints()).toSorted(bySpecificity)) {
    if (endpoint.method !== 'GET' && endpoint.scope !== 'read') continue;
    const type = typeOf(endpoint, names, used);
    if (type !== null) rows.set(patternOf(endpoint), type);
  }
  const imports = [...used.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    '// Written by "npm run gen" from the endpoints of src/management; change them there.',
    ...imports.map(
      ({ name, file }) =>
        `import type { ${name} } from '${posix.relative(posix.dirname(PATH), file)}';`,
    ),
    '',
    '/** What each address of the management API answers; the first that fits is meant. */',
    'export type Answers = [',
    ...[...rows].map(([pattern, type]) => `  [${pattern}, ${type}],`),
    '];',
    '',
  ].join('\n');
}

async function namesOfSchemas(): Promise<ReadonlyMap<unknown, Named>> {
  const names = new Map<unknown, Named>();
  for (const file of globSync(SCHEMAS, { cwd: ROOT }).toSorted()) {
    const module: object = await import(posix.join(ROOT, file));
    for (const [name, schema] of Object.entries(module)) {
      if (!name.endsWith('Schema')) continue;
      names.set(schema, { name: name.slice(0, -'Schema'.length), file });
    }
  }
  return names;
}

/** Addresses with fewer parameters are more special, and longer ones. */
function bySpecificity(a: Endpoint, b: Endpoint): number {
  const of = ({ path }: Endpoint) => path.split('/').map((part) => (part.startsWith(':') ? 1 : 0));
  const [first, second] = [of(a), of(b)];
  return (
    second.length - first.length ||
    first.filter(Boolean).length - second.filter(Boolean).length ||
    (a.path < b.path ? -1 : 1)
  );
}

function patternOf({ path }: Endpoint): string {
  const text = `/api${path.replaceAll(/:\w+/g, '${string}')}/`;
  return text.includes('$') ? `\`${text}\`` : `'${text}'`;
}

/** Null for an answer without a type of its own, such as a file. */
function typeOf(
  { answer: { schema } }: Endpoint,
  names: ReadonlyMap<unknown, Named>,
  used: Map<string, Named>,
): string | null {
  const items = schema === null ? undefined : itemsOf(schema);
  const named = names.get(items ?? schema);
  if (named === undefined) return null;
  used.set(named.name, named);
  return items === undefined ? named.name : `readonly ${named.name}[]`;
}

function itemsOf(schema: TSchema): unknown {
  return 'items' in schema ? schema.items : undefined;
}
