import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Transform, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { definedField, ownField } from '../base/fields.ts';
import { messageOf } from '../base/unknown-error.ts';
import { ComparisonSchema, type Comparison } from '../management/exports/schema.ts';
import { requireAccess } from './api/access.ts';
import { ApiClient } from './api/client.ts';
import { keepFindingApart } from './finding-exit.ts';
import type { CommandPlace } from './program-tools.ts';
import { shown, showJson } from './terminal-text.ts';

/** Of a log the last line is looked at, which is short. */
const TAIL_BYTES = 4_096;
const DAYS_SHOWN_MAX = 200;

/** Whose, and where it is written. */
export interface ExportPlace extends CommandPlace {
  /** Null writes to the output. */
  readonly file: string | null;
}

/**
 * `rialto report`: the daily report of an account.
 *
 * @param asJson in the place of CSV.
 * @returns the exit code, as all of these commands do.
 * @throws CommandError when the server refuses it, or it breaks off.
 */
export async function reportCommand(
  side: string,
  asJson: boolean,
  place: ExportPlace,
): Promise<number> {
  const { flags } = place;
  if (side !== 'demand' && side !== 'supply') {
    throw usage(`${side} is no report; give demand or supply.`);
  }
  const query = {
    start_date: required(flags, 'report', '--from'),
    end_date: required(flags, 'report', '--to'),
    format: formOf(asJson),
    ...definedField('group_by', flags['--group-by']),
  };
  const client = new ApiClient(requireAccess(place));
  const account = await accountOf(place, client);
  if (account.side !== side) {
    const flag = side === 'demand' ? '--demand-partner' : '--publisher';
    throw usage(`Whose ${side} report? Name one with ${flag}.`);
  }
  const body = await stream(client, `${account.path}/report/`, query);
  return writeOut(body, place.file);
}

/** `rialto log`: what happened to an account on a day, a line for each event. */
export async function logCommand(place: ExportPlace): Promise<number> {
  const { flags } = place;
  const query = {
    date: required(flags, 'log', '--date'),
    ...definedField('hour', flags['--hour']),
    ...definedField('from', flags['--from']),
  };
  const client = new ApiClient(requireAccess(place));
  const { path } = await accountOf(place, client);
  const body = await stream(client, `${path}/log/`, query);
  let tail = '';
  const watching = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      tail = `${tail}${chunk.toString('latin1')}`.slice(-TAIL_BYTES);
      done(null, chunk);
    },
    flush: (done) =>
      done(isWhole(tail) ? null : cutOff('its last line does not say that it is whole')),
  });
  return writeOut(body, place.file, watching);
}

/** Whether a log ends with the line that says so. */
function isWhole(tail: string): boolean {
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return tail.endsWith('\n') && /^\{"type":"end","lines":\d+,/.test(last);
}

/** `rialto statement`: an account's month. */
export async function statementCommand(asJson: boolean, place: ExportPlace): Promise<number> {
  const query = { month: required(place.flags, 'statement', '--month'), format: formOf(asJson) };
  const client = new ApiClient(requireAccess(place));
  const { path } = await accountOf(place, client);
  return writeOut(await stream(client, `${path}/statement/`, query), place.file);
}

/**
 * `rialto compare`: figures of one's own beside ours.
 *
 * @returns the exit code: `failed` when a day differs, and never otherwise.
 */
export async function compareCommand(
  file: string,
  asJson: boolean,
  place: CommandPlace,
): Promise<number> {
  const { flags } = place;
  const query = Object.entries({
    ...definedField('month', flags['--month']),
    ...definedField('start_date', flags['--from']),
    ...definedField('end_date', flags['--to']),
  });
  const client = new ApiClient(requireAccess(place));
  const headers = { 'content-type': 'text/csv' };
  const comparison = await keepFindingApart(async () => {
    const path = `${(await accountOf(place, client)).path}/comparison/`;
    const call = { method: 'POST', path, query, headers, body: readInput(file) };
    return client.ask(call, ComparisonSchema);
    // What the server does not take is a file or a time that it does not understand.
  }, 'usage');
  console.log(asJson ? showJson(comparison) : describeComparison(comparison));
  return exitCodeOf(comparison.agrees ? 'done' : 'failed');
}

function formOf(asJson: boolean): string {
  return asJson ? 'json' : 'csv';
}

function stream(
  client: ApiClient,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<Readable> {
  return client.stream({
    method: 'GET',
    path,
    query: Object.entries(query),
    headers: { accept: '*/*' },
  });
}

/**
 * Writes to a file, which is there whole or not at all, or to the output where none is named.
 *
 * @returns the exit code.
 */
export async function writeOut(
  body: Readable,
  file: string | null,
  through?: Transform,
): Promise<number> {
  if (file === null) {
    // Whoever reads the output may have enough.
    await flow(body, process.stdout, { through, end: false }).catch((error: unknown) => {
      if (ownField(error, 'code') !== 'EPIPE') throw error;
    });
    return exitCodeOf('done');
  }
  const part = `${file}.part`;
  const target = await open(part, 'w', 0o600).catch((error: unknown) => {
    // What is not read any more ends with an error of its own.
    body.on('error', () => {}).destroy();
    throw usage(`${file} cannot be written: ${messageOf(error)}.`);
  });
  try {
    await flow(body, target.createWriteStream(), { through, end: true });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return exitCodeOf('done');
}

async function flow(
  body: Readable,
  target: Writable,
  { through, end }: { readonly through: Transform | undefined; readonly end: boolean },
): Promise<void> {
  try {
    if (through === undefined) await pipeline(body, target, { end });
    else await pipeline(body, through, target, { end });
  } catch (error) {
    if (error instanceof CommandError || ownField(error, 'code') === 'EPIPE') throw error;
    throw cutOff(messageOf(error), error);
  }
}

function cutOff(reason: string, cause?: unknown): CommandError {
  const message = `It was cut off (${reason}): run the command again.`;
  return new CommandError(message, { exit: 'unreachable', cause });
}

interface Account {
  readonly side: 'demand' | 'supply';
  readonly path: string;
}

/** Whom the options name; the caller's own where they name nobody. */
async function accountOf({ flags }: CommandPlace, client: ApiClient): Promise<Account> {
  const { '--demand-partner': partner, '--publisher': publisher } = flags;
  if (partner !== undefined && publisher !== undefined) throw usage(WHOSE);
  if (partner !== undefined) return accountAt('demand', partner);
  if (publisher !== undefined) return accountAt('supply', publisher);
  const { association } = await client.self();
  if (association?.type === 'DEMAND_PARTNER') return accountAt('demand', association.entity_id);
  if (association?.type === 'PUBLISHER') return accountAt('supply', association.entity_id);
  throw usage(WHOSE);
}

const WHOSE = 'Whose? Name one with --demand-partner or with --publisher.';

function accountAt(side: Account['side'], id: string | number): Account {
  const path = side === 'demand' ? '/api/demand-partners' : '/api/publishers';
  return { side, path: `${path}/${encodeURIComponent(id)}` };
}

function required(flags: CommandPlace['flags'], command: string, flag: string): string {
  const value = flags[flag];
  if (value === undefined) throw usage(`${flag} is missing; see rialto ${command} --help.`);
  return value;
}

/** `-` is the input. */
function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw usage(`${file} cannot be read: ${messageOf(error)}.`);
  }
}

function usage(message: string): CommandError {
  return new CommandError(message, { exit: 'usage' });
}

/** The days that differ, with what explains them. */
function describeComparison({ total, days }: Comparison): string {
  const first = total.map((each) => `total: ${describeDifference(each)}`);
  const differing = days.filter((day) => !day.agrees);
  if (differing.length === 0) return [...first, 'All days agree.'].map(shown).join('\n');
  const lines = differing
    .slice(0, DAYS_SHOWN_MAX)
    .flatMap(({ date, differences, causes }) => [
      date,
      ...differences.map((each) => `  ${describeDifference(each)}`),
      ...causes.map(({ code, sentence }) => `  ${code}: ${sentence}`),
    ]);
  return [...first, ...lines].map(shown).join('\n');
}

type Difference = Comparison['total'][number];

function describeDifference({ metric, ours, theirs, difference, percent }: Difference): string {
  const share = percent === null ? '' : ` (${percent} %)`;
  const figures = `ours ${ours}, theirs ${theirs ?? '–'}, difference ${difference ?? '–'}`;
  return `${metric}: ${figures}${share}`;
}
