import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { ownField } from '../base/fields.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import { applyFile, type Applied } from '../configuration/apply.ts';
import { showPath } from '../configuration/finding.ts';
import { describeInFile, readConfigurationText } from '../control/apply-file.ts';
import { nameDatabase, openConfigurationStore } from '../roles/configuration-store.ts';
import { inspectConfigurationStore } from '../commands/inspect-store.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import type { Access } from './api/access.ts';
import { chooseTarget } from './api/choose-target.ts';
import { ApiClient, exitOf } from './api/client.ts';
import { readJson } from './api/read-json.ts';
import type { CommandPlace } from './program-tools.ts';
import { shown, showJson } from './terminal-text.ts';

/** What of the command line is no setting. */
export interface ApplyArguments {
  /** A path, or `-` for the input. */
  readonly file: string;
  readonly isDryRun: boolean;
  readonly asJson: boolean;
}

const WORDS_MAX = 80;

/** Changes told one by one; of a larger file the sums say enough. */
const CHANGES_SHOWN_MAX = 50;

/** What a note or a fault of a file is about, as far as it is known. */
const PlacedSchema = Type.Object({
  message: Type.String(),
  line: Type.Optional(Type.Integer()),
  path: Type.Optional(Type.String()),
  pointer: Type.Optional(Type.String()),
});

type Placed = Static<typeof PlacedSchema>;

const count = Type.Integer({ minimum: 0 });

/** The answer of `PUT /api/configuration/`. */
const AppliedSchema = Type.Object({
  created: count,
  updated: count,
  unchanged: count,
  version: Type.String(),
  changes: Type.Array(
    Type.Object({
      action: Type.String(),
      resource: Type.String(),
      resource_id: Type.String(),
      fields: Type.Array(
        Type.Object({
          field: Type.String(),
          before: Type.Optional(Type.Unknown()),
          after: Type.Optional(Type.Unknown()),
        }),
      ),
    }),
  ),
  notes: Type.Array(PlacedSchema),
});

type AppliedAnswer = Static<typeof AppliedSchema>;

/** What the file came to, wherever it was applied. */
interface AppliedFile extends Readonly<Omit<AppliedAnswer, 'changes' | 'notes'>> {
  readonly ok: true;
  readonly changes: readonly Readonly<AppliedAnswer['changes'][number]>[];
  readonly notes: readonly Placed[];
}

type Outcome = AppliedFile | { readonly ok: false; readonly problems: readonly Placed[] };

const appliedValidator = Compile(AppliedSchema);

/**
 * `rialto apply FILE`: brings a configuration to what a file says: that of a server, or that of a
 * database or a data directory, whether or not an exchange is running on it. A running one takes the change within
 * two seconds.
 *
 * @returns the exit code.
 * @throws CommandError when the file cannot be read, or there is nothing to apply it to.
 */
export async function applyCommand(given: ApplyArguments, place: CommandPlace): Promise<number> {
  const target = chooseTarget(place);
  const text = await readConfigurationText(given.file);
  const [outcome, where, words] =
    target.kind === 'server'
      ? [
          await applyAtServer(target.access, text, given),
          { server: target.access.url },
          `${target.access.url} (${target.access.source})`,
        ]
      : [await applyHere(target.place, text, given.isDryRun), ...(await wordsFor(target.place))];
  if (given.asJson) {
    const { ok, ...rest } = outcome;
    console.log(showJson({ ok, dry_run: given.isDryRun, ...where, ...rest }));
  }
  if (!outcome.ok) {
    for (const problem of outcome.problems) console.error(shown(describe(given.file, problem)));
    return exitCodeOf('failed');
  }
  if (!given.asJson) printApplied(given, outcome, words);
  return exitCodeOf('done');
}

/** Where a file was applied that went to no server, for a program and for people. */
async function wordsFor({ dataDirectory, databaseUrl }: StorePlace) {
  if (databaseUrl === null) {
    return [{ data_directory: dataDirectory }, `the data directory ${dataDirectory}`] as const;
  }
  const database = await nameDatabase(databaseUrl);
  return [{ database }, `the PostgreSQL database ${database}`] as const;
}

async function applyHere(place: StorePlace, text: string, isDryRun: boolean): Promise<Outcome> {
  // A dry run leaves nothing behind, no empty store either.
  const isMade = isDryRun && (await inspectConfigurationStore(place)).state === 'missing';
  const temporary = isMade ? mkdtempSync(join(tmpdir(), 'rialto-dry-run-')) : null;
  try {
    const db = await openConfigurationStore(
      temporary === null ? place : { dataDirectory: temporary, databaseUrl: null },
    );
    try {
      return outcomeOf(await applyFile(db, text, { dryRun: isDryRun }));
    } finally {
      await db.destroy();
    }
  } finally {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  }
}

/** In the form in which a server answers. */
function outcomeOf(applied: Applied): Outcome {
  if (!applied.ok) return applied;
  return {
    ...applied,
    version: versionKey(applied.version),
    changes: applied.changes.map(({ action, noun, name, fields }) => ({
      action,
      resource: noun,
      resource_id: String(name),
      fields: [...fields],
    })),
  };
}

async function applyAtServer(
  access: Access,
  body: string,
  { isDryRun }: ApplyArguments,
): Promise<Outcome> {
  const client = new ApiClient(access);
  const path = '/api/configuration/';
  const answer = await client.call({
    method: 'PUT',
    path,
    query: isDryRun ? [['dry_run', 'true']] : [],
    headers: { 'content-type': 'application/yaml' },
    body,
  });
  const document = readJson(answer.text);
  if (exitOf(answer.status) === 'done') {
    if (appliedValidator.Check(document)) return { ok: true, ...document };
    throw new CommandError(`${access.url} answered in a form of another version of Rialto.`, {
      exit: 'unreachable',
    });
  }
  const problems = problemsIn(document);
  if (exitOf(answer.status) !== 'failed' || problems.length === 0) {
    throw client.refusal(answer, { method: 'PUT', path });
  }
  return { ok: false, problems };
}

const problemsValidator = Compile(Type.Array(PlacedSchema));

function problemsIn(document: unknown): readonly Placed[] {
  const errors = ownField(document, 'errors');
  return problemsValidator.Check(errors) ? errors : [];
}

/** In the form that editors and terminals make a link of, where the line is known. */
function describe(file: string, { line, pointer = '', message, ...placed }: Placed): string {
  const path = placed.path ?? showPath(segmentsOf(pointer));
  if (line !== undefined) return describeInFile(file, { line, path, message });
  return `${file}: ${path === '' ? '' : `${path}: `}${message}`;
}

/** RFC 6901, section 4. */
function segmentsOf(pointer: string): (string | number)[] {
  const [, ...segments] = pointer.split('/');
  return segments.map((segment) =>
    /^(0|[1-9]\d*)$/.test(segment)
      ? Number(segment)
      : segment.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}

/** A value of a key; long ones are cut, since the file and the API have them whole. */
function inWords(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > WORDS_MAX ? `${text.slice(0, WORDS_MAX)}…` : text;
}

function printApplied(
  { file, isDryRun }: ApplyArguments,
  { created, updated, unchanged, changes, notes }: AppliedFile,
  where: string,
): void {
  const lines = [`${file}: ${created} created, ${updated} updated, ${unchanged} unchanged`];
  for (const { action, resource, resource_id: id, fields } of changes.slice(0, CHANGES_SHOWN_MAX)) {
    lines.push(`  ${action} ${resource} ${id}`);
    for (const { field, before, after } of fields) {
      lines.push(`    ${field}: ${inWords(before)} to ${inWords(after)}`);
    }
  }
  const rest = changes.length - CHANGES_SHOWN_MAX;
  if (rest > 0) lines.push(`  and ${rest} more`);
  for (const note of notes) lines.push(`note: ${describe(file, note)}`);
  lines.push(
    isDryRun ? `Nothing was changed: this would happen at ${where}.` : `Applied to ${where}.`,
  );
  console.log(lines.map(shown).join('\n'));
}
