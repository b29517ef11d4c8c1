import { stringify } from 'yaml';
import { Command } from 'commander';
import { addDays, dateOf } from '../analytics/dates.ts';
import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { ownField } from '../base/fields.ts';
import { requireAccess } from './api/access.ts';
import { ApiClient, exitOf, type ApiCall } from './api/client.ts';
import { readJson } from './api/read-json.ts';
import type { Answer } from './api/send.ts';
import { readParameter } from './read-parameter.ts';
import type { CommandPlace, Flags } from './program-tools.ts';
import { RESOURCES, type CliResource, type ResourceColumn } from './resources.ts';
import { showJson, shownLines } from './terminal-text.ts';
import { describeTable } from './text-table.ts';

/** What of the command line is no setting. */
export interface GetArguments {
  readonly resource: string;
  readonly id: string | undefined;
  readonly filters: readonly string[];
  /** Page by page, to the end. */
  readonly all: boolean;
  readonly asJson: boolean;
}

/** People look at so many, unless they say otherwise. */
const LISTED = 50;
/** More would not fit into memory as one document. */
const ALL_MAX = 1_000_000;
const DAYS_OF_KPI = 7;
const CELL_LENGTH_MAX = 60;
/** In the place of what there is not. */
const NOTHING = '–';

/**
 * `rialto get`: lists resources of the management API as a table, or shows one.
 *
 * @returns the exit code.
 * @throws CommandError when there is no such resource, or it may not be seen.
 */
export async function getCommand(given: GetArguments, place: CommandPlace): Promise<number> {
  const resource = findResource(given.resource);
  refuseIdOf(given, resource);
  const options = readOptions(given, place.flags);
  const client = new ApiClient(requireAccess(place));
  const path = await pathOf(resource, { client, place, name: given.resource });
  if (given.id !== undefined || resource.isSingle === true) {
    const tail = given.id === undefined ? '' : `${encodeURIComponent(given.id)}/`;
    const body = await fetchBody(client, { method: 'GET', path: `${path}${tail}` });
    console.log(given.asJson ? showJson(body) : shownLines(stringify(body).trimEnd()));
    return exitCodeOf('done');
  }
  const call = callOf(resource, path, { options, place });
  const list = await fetchList(client, call, { resource, options });
  if (given.asJson) console.log(showJson(list.document));
  else console.log(describeList(given.resource, resource, list));
  return exitCodeOf('done');
}

function findResource(name: string): CliResource {
  const resource = new Map(Object.entries(RESOURCES)).get(name);
  if (resource !== undefined) return resource;
  const names = Object.keys(RESOURCES);
  const guess = nearest(name, names);
  throw new CommandError(
    `There is no resource ${name}${guess === null ? '' : ` (did you mean ${guess}?)`}; ` +
      `give one of ${names.join(', ')}. Other addresses: rialto api GET /PATH/.`,
    { exit: 'usage' },
  );
}

function refuseIdOf({ resource, id }: GetArguments, { isSingle, isListOnly }: CliResource): void {
  if (id === undefined || (isSingle !== true && isListOnly !== true)) return;
  throw new CommandError(`${resource} takes no id; see rialto get --help.`, { exit: 'usage' });
}

interface ListOptions {
  readonly query: readonly (readonly [string, string])[];
  /** Null takes what the server gives at once. */
  readonly limit: number | null;
  readonly all: boolean;
}

function readOptions({ filters, all, asJson }: GetArguments, flags: Flags): ListOptions {
  const sort = flags['--sort'];
  const query = [
    ...filters.map(readParameter),
    ...(sort === undefined ? [] : [['sort', sort] as const]),
  ];
  const text = flags['--limit'];
  if (text === undefined) return { query, all, limit: all || asJson ? null : LISTED };
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (limit > 0 && !all) return { query, all, limit };
  const message = all
    ? '--all and --limit do not go together.'
    : `--limit is ${text}; give a number above 0.`;
  throw new CommandError(message, { exit: 'usage' });
}

interface Asked {
  readonly client: ApiClient;
  readonly place: CommandPlace;
  readonly name: string;
}

const OWNERS = [
  {
    key: '{demand_partner}',
    flag: '--demand-partner',
    type: 'DEMAND_PARTNER',
    list: 'demand-partners',
  },
  { key: '{publisher}', flag: '--publisher', type: 'PUBLISHER', list: 'publishers' },
] as const;

/** Whose a resource is stands in its address; the caller's own, unless another is named. */
async function pathOf({ path }: CliResource, { client, place, name }: Asked): Promise<string> {
  let filled = `/api${path}`;
  for (const { key, flag, type, list } of OWNERS) {
    if (!path.includes(key)) continue;
    const named = place.flags[flag];
    if (named !== undefined) {
      filled = filled.replace(key, encodeURIComponent(named));
      continue;
    }
    const { association } = await client.self();
    if (association?.type !== type) {
      throw new CommandError(
        `Whose ${name}? Name one with ${flag}; rialto get ${list} lists them.`,
        { exit: 'usage' },
      );
    }
    filled = filled.replace(key, String(association.entity_id));
  }
  return filled;
}

interface ListPlace {
  readonly options: ListOptions;
  readonly place: CommandPlace;
}

function callOf({ body }: CliResource, path: string, { options, place }: ListPlace): ApiCall {
  if (body === undefined) {
    const { query, limit } = options;
    const page = limit === null ? [] : [['limit', String(limit)] as const];
    return { method: 'GET', path, query: [...query, ...page] };
  }
  const document = body === 'dates' ? datesOf(place.flags) : targetingOf(place.flags);
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path, query: options.query, headers, body: JSON.stringify(document) };
}

function datesOf(flags: Flags): object {
  const today = dateOf(Date.now());
  const end = flags['--to'] ?? today;
  return { start_date: flags['--from'] ?? addDays(today, 1 - DAYS_OF_KPI), end_date: end };
}

function targetingOf(flags: Flags): unknown {
  const targeting = readJson(flags['--targeting'] ?? '{}');
  if (targeting !== undefined) return targeting;
  throw new CommandError('--targeting is no JSON; give an object such as {"secure": true}.', {
    exit: 'usage',
  });
}

interface List {
  readonly rows: readonly unknown[];
  /** How many there are in all; null where the server does not say. */
  readonly total: number | null;
  /** What `--json` prints: the rows, unless they stand in something larger. */
  readonly document: unknown;
}

/** @throws CommandError for an answer of another form. */
async function fetchList(
  client: ApiClient,
  call: ApiCall,
  { resource, options }: { readonly resource: CliResource; readonly options: ListOptions },
): Promise<List> {
  const first = await fetchAnswer(client, call);
  const document = parsed(first, client);
  const rows = rowsOf(document, resource, client);
  const total = Number(first.headers['x-total-count'] ?? Number.NaN);
  if (!options.all || resource.body !== undefined || Number.isNaN(total)) {
    return { rows, total: Number.isNaN(total) ? null : total, document };
  }
  const all = [...rows];
  while (all.length < Math.min(total, ALL_MAX)) {
    const query = [...(call.query ?? []), ['offset', String(all.length)] as const];
    const next = rowsOf(await fetchBody(client, { ...call, query }), resource, client);
    if (next.length === 0) break;
    all.push(...next);
  }
  return { rows: all, total: all.length, document: all };
}

async function fetchBody(client: ApiClient, call: ApiCall): Promise<unknown> {
  return parsed(await fetchAnswer(client, call), client);
}

async function fetchAnswer(client: ApiClient, call: ApiCall): Promise<Answer> {
  const answer = await client.call(call);
  if (exitOf(answer.status) === 'done') return answer;
  throw client.refusal(answer, call);
}

function parsed({ text }: Answer, { access }: ApiClient): unknown {
  const body = readJson(text);
  if (body !== undefined) return body;
  throw otherForm(access.url);
}

function rowsOf(
  document: unknown,
  { rows: key }: CliResource,
  { access }: ApiClient,
): readonly unknown[] {
  const rows = key === undefined ? document : ownField(document, key);
  if (Array.isArray(rows)) return rows;
  throw otherForm(access.url);
}

function otherForm(url: string): CommandError {
  return new CommandError(`${url} answered in a form of another version of Rialto.`, {
    exit: 'unreachable',
  });
}

function describeList(name: string, { columns }: CliResource, { rows, total }: List): string {
  if (rows.length === 0) return `There are no ${name} here.`;
  const table = describeTable(
    columns.map(({ field, title, alignsRight = false }) => ({
      title: (title ?? field).toUpperCase().replaceAll('_', ' '),
      alignsRight,
    })),
    rows.map((row) => columns.map((column) => cellOf(row, column))),
  );
  if (total === null || total <= rows.length) return table;
  return `${table}\n\n${rows.length} of ${total}: --all shows all, --filter and --sort choose.`;
}

function cellOf(row: unknown, column: ResourceColumn): string {
  const { field, otherwise, followedBy, decimals } = column;
  const at = (path: string | undefined): unknown =>
    path === undefined ? undefined : fieldAt(row, path.split('.'));
  const value = at(field) ?? at(otherwise);
  const behind = at(followedBy) ?? null;
  const head =
    decimals !== undefined && typeof value === 'number' ? value.toFixed(decimals) : textOf(value);
  const text = behind === null ? head : `${head} ${textOf(behind)}`;
  return text.length > CELL_LENGTH_MAX ? `${text.slice(0, CELL_LENGTH_MAX - 1)}…` : text;
}

/** Of a list, what all of its items have there. */
function fieldAt(value: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => fieldAt(item, keys));
  return fieldAt(ownField(value, key), rest);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  if (Array.isArray(value)) return value.map(textOf).join(', ') || NOTHING;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The name that was probably meant, as commander guesses at commands; null where none is near. */
function nearest(name: string, names: readonly string[]): string | null {
  const group = new Command().exitOverride().configureOutput({ outputError: () => {} });
  for (const each of names) group.command(each);
  try {
    group.parse([name], { from: 'user' });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return /Did you mean (?:one of )?([\w-]+)/.exec(message)?.[1] ?? null;
  }
  return null;
}
