import { ConfigurationFileSchema } from '../../src/configuration/file-schema.ts';
import { table } from './table.ts';

/** What the reference reads of a JSON schema; the resources' schemas are no more than that. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly writeOnly?: boolean;
}

/** `docs/reference/configuration-file.md`: every key that a configuration file may have. */
export function configurationFileReference(): string {
  const root: Node = JSON.parse(JSON.stringify(ConfigurationFileSchema));
  return [
    '# The configuration file',
    '',
    '<!-- Written by "npm run gen" from src/configuration/file-schema.ts; change it there. -->',
    '',
    'Every key of the YAML file that `rialto apply` takes; `examples/exchange.yaml` shows one at work. It is UTF-8, of',
    'at most 4 MB, nested at most 32 deep.',
    'A key that is left out leaves what is stored as it is, also inside `exchange` and `bidder`, and an entry of',
    'a list of resources likewise. Every other list that is given replaces the stored one whole, and so do',
    '`capping`, `targeting`, `banner`, `video`, `native`, `refresh` and `backfill`. Where null may stand it takes',
    'back what was set: [how to take a setting back](../guides/operator.md#how-to-take-a-setting-back). Unknown',
    'keys are refused. `[]` marks the entries of a list, * what an entry must have. A new resource needs its',
    '`name` as well, and a new publisher its `revenue_share`.',
    '',
    ...table(['Key', 'Must be'], rowsOf(root, '')),
    '',
  ].join('\n');
}

/** The keys of an object, each followed by those inside it. */
function rowsOf(node: Node, prefix: string): string[][] {
  const rows: string[][] = [];
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    const inner = innermost(property);
    const path = `${prefix}${name}${inner.isList ? '[]' : ''}`;
    const mark = node.required?.includes(name) === true ? ' *' : '';
    const secret = property.writeOnly === true ? ' (kept as a hash)' : '';
    const meaning = inner.node.properties === undefined ? describe(property) : describe(inner.node);
    // A list of resources takes back nothing, null or not.
    const isResources = inner.isList && inner.node.properties !== undefined;
    const isSaid = isResources || meaning.includes('or null');
    const orNull = takesNull(property) && !isSaid ? ', or null' : '';
    const must = `${meaning}${orNull}${secret}`;
    rows.push([`\`${path}\`${mark}`, must], ...rowsOf(inner.node, `${path}.`));
  }
  return rows;
}

function takesNull({ anyOf = [] }: Node): boolean {
  return anyOf.some(({ type }) => type === 'null');
}

function describe({ description, anyOf = [] }: Node): string {
  return description ?? anyOf.map(describe).find((text) => text !== '') ?? '';
}

/** What a key holds, seen through "or null" and through the list around it. */
function innermost(node: Node): { readonly node: Node; readonly isList: boolean } {
  const chosen = node.anyOf?.find(({ properties, items }) => properties ?? items) ?? node;
  if (chosen.items === undefined) return { node: chosen, isList: false };
  return { node: innermost(chosen.items).node, isList: true };
}
