import Type, { type Static, type TSchema } from 'typebox';
import {
  RetriedSchema,
  ShownHeldDetailsSchema,
  ShownHeldSchema,
  type ShownHeld,
  type ShownHeldDetails,
} from '../analytics/held-schema.ts';
import { CommandError } from '../base/errors.ts';
import { apiOf } from './api/local-access.ts';
import type { CommandPlace } from './program-tools.ts';
import { shown, showJson } from './terminal-text.ts';
import { describeTable } from './text-table.ts';

const PATH = '/api/quarantine/';

/**
 * `rialto quarantine`: what could not be loaded.
 *
 * @returns the exit code.
 * @throws CommandError when control cannot be asked.
 */
export async function listQuarantine(asJson: boolean, place: CommandPlace): Promise<number> {
  const call = { method: 'GET', path: PATH, query: [['limit', '10000']] } as const;
  const entries = await apiOf(place).ask(call, Type.Array(ShownHeldSchema));
  console.log(asJson ? showJson({ entries }) : describeEntries(entries));
  return 0;
}

/** `rialto quarantine show`: why an entry is held, and what can be read of it. */
export async function showHeld(id: string, asJson: boolean, place: CommandPlace): Promise<number> {
  const entry = await askAbout(place, ['GET', ''], id, ShownHeldDetailsSchema);
  console.log(asJson ? showJson(entry) : describeDetails(entry));
  return 0;
}

/** `rialto quarantine retry`: loads the refused records of an entry again. */
export async function retryHeld(id: string, asJson: boolean, place: CommandPlace): Promise<number> {
  const retried = await askAbout(place, ['POST', 'retry/'], id, RetriedSchema);
  const { loaded, entry } = retried;
  const left =
    entry === null
      ? 'nothing of it is held any more.'
      : `${entry.refused_records} refused records and ${entry.damaged_places} damaged places are still held.`;
  console.log(asJson ? showJson(retried) : `${loaded} records are loaded; ${left}`);
  return 0;
}

/** `rialto quarantine drop`: removes an entry with its records. */
export async function dropHeld(id: string, asJson: boolean, place: CommandPlace): Promise<number> {
  const dropped = await askAbout(place, ['DELETE', ''], id, ShownHeldSchema);
  const { refused_records: refused, missing_records: missing } = dropped;
  const text = `Entry ${id} is dropped: ${refused} refused and ${missing} lost records are in no report.`;
  console.log(asJson ? showJson(dropped) : text);
  return 0;
}

async function askAbout<Schema extends TSchema>(
  place: CommandPlace,
  [method, action]: readonly [method: string, action: string],
  id: string,
  schema: Schema,
): Promise<Static<Schema>> {
  if (!/^[0-9a-f]{16}$/.test(id)) {
    throw new CommandError(`${id} is no entry; give its id, as rialto quarantine lists it.`, {
      exit: 'usage',
    });
  }
  const answer = await apiOf(place).find({ method, path: `${PATH}${id}/${action}` }, schema);
  if (answer !== null) return answer;
  throw new CommandError(`There is no entry ${id}; see rialto quarantine.`, { exit: 'not_found' });
}

const COLUMNS = [
  { title: 'id' },
  { title: 'since' },
  { title: 'node' },
  { title: 'stream' },
  { title: 'refused', alignsRight: true },
  { title: 'damaged', alignsRight: true },
  { title: 'lost', alignsRight: true },
  { title: 'tries', alignsRight: true },
];

function describeEntries(entries: readonly ShownHeld[]): string {
  if (entries.length === 0) return 'Nothing is in quarantine.';
  const cells = entries.map((entry) => [
    entry.id,
    `${entry.at.slice(0, 19)}Z`,
    entry.node,
    entry.stream,
    String(entry.refused_records),
    String(entry.damaged_places),
    String(entry.missing_records),
    String(entry.tries),
  ]);
  return `${describeTable(COLUMNS, cells)}\n\nrialto quarantine show ID tells why, and what can be read.`;
}

function describeDetails(entry: ShownHeldDetails): string {
  const parts = entry.parts.map(({ cause, segment, start, end, records, missing, reason }) => {
    const what = cause === 'refused' ? `${records} refused` : `${missing} lost`;
    return shown(`${what}, ${segment}, bytes ${start} to ${end}: ${reason}`);
  });
  const lines = entry.text.split('\n').map(shown);
  return [describeEntries([entry]).split('\n\n', 1)[0], ...parts, '', ...lines].join('\n');
}
