import type { Kysely } from 'kysely';
import { hashSecret, verifySecret } from '../identity/passwords.ts';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import { fieldChanges, machineActor, type Actor, type FieldChange } from './audit.ts';
import { executePlan } from './execute-plan.ts';
import { readConfigurationFile, type ReadFile } from './file.ts';
import { MORE_FINDINGS, MORE_IN_FILE, someOf, type FileProblem, type Finding } from './finding.ts';
import { planFile } from './plan-file.ts';
import type { Plan, SecretToCompare, Write } from './plan.ts';
import type { Database } from './schema.ts';
import { loadState, readOnly } from './state.ts';
import { isSameVersion, readVersion } from './version.ts';

/** What applying a file came to; the problems stand in the order of its lines. */
export type Applied =
  | {
      readonly ok: true;
      readonly created: number;
      readonly updated: number;
      readonly unchanged: number;
      /** The state that holds the file. */
      readonly version: SnapshotVersion;
      readonly changes: readonly Change[];
      /** What the file asks for and does not get, or may not mean: a changed password, say. */
      readonly notes: readonly FileProblem[];
    }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** One resource that was made or changed: `created` a `line item` named `501`. */
export interface Change extends Pick<Write, 'action' | 'noun' | 'name'> {
  /** What of it has changed, without secrets; empty for what is new. */
  readonly fields: readonly FieldChange[];
}

/** How secrets are hashed and what time it is; for tests, which do both a thousand times. */
export interface ApplyTools {
  readonly hashSecret: (plain: string) => Promise<string>;
  readonly verifySecret: (plain: string, stored: string) => Promise<boolean>;
  readonly nowMs: () => number;
  readonly actor: Actor;
  /** Only tells what would be done, and what is wrong; nothing is written. */
  readonly dryRun?: boolean;
}

const TOOLS: ApplyTools = {
  hashSecret,
  verifySecret,
  nowMs: () => Date.now(),
  actor: machineActor('configuration file'),
};

/** As many as Node's thread pool works on at a time. */
const SECRETS_AT_A_TIME = 4;

/** Comparing costs as much as a sign-in; with more secrets in a file the rest is left uncompared. */
const SECRETS_COMPARED_MAX = 100;

/**
 * Brings the store to what a configuration file says, in one transaction: all of it or nothing. A
 * file may be partial: resources and keys that it leaves out stay as they are. Nothing is deleted,
 * and no secret is changed once it is set. The same file again changes nothing, not even the
 * version. Several processes may apply at the same time.
 *
 * @throws Error when the store fails; then nothing has changed.
 */
export async function applyFile(
  db: Kysely<Database>,
  text: string,
  options: Partial<ApplyTools> = {},
): Promise<Applied> {
  const tools = { ...TOOLS, ...options };
  const file = readConfigurationFile(text);
  if (!('contents' in file)) return { ok: false, problems: inOrder(file.problems) };
  // A first look, which locks nobody out: most files are wrong or change nothing, and hashing the
  // secrets of the others takes long.
  const { plan, version } = await readOnly(db, (transaction) => makePlan(transaction, file));
  const problems = problemsOf(file, plan.findings);
  if (problems.length > 0) return { ok: false, problems };
  const comparisons = await compareSecrets(plan.secretsToCompare, tools);
  if (plan.writes.length === 0 || tools.dryRun === true) {
    return applied(file, plan, { version, comparisons });
  }
  const hashes = await hashSecrets(plan.writes, tools);
  return db.transaction().execute(async (transaction) => {
    const isAsPlanned = namesNobody(file) && isSameVersion(await readVersion(transaction), version);
    // What another process has changed in the meantime may be in conflict with the file. Everybody else who
    // writes waits here, so that the plan that there is serves where it can.
    const current = isAsPlanned ? { plan } : await makePlan(transaction, file);
    const conflicts = problemsOf(file, current.plan.findings);
    if (conflicts.length > 0) return { ok: false, problems: conflicts };
    const written = await executePlan(transaction, current.plan, {
      actor: tools.actor,
      nowMs: tools.nowMs(),
      // What another process has removed in the meantime is made anew, and was not hashed before.
      hashOf: async ({ secret, ...write }) =>
        hashes.get(secretKey(write)) ?? tools.hashSecret(secret?.plain ?? ''),
    });
    return applied(file, current.plan, { version: written, comparisons });
  });
}

/** Users, applications and accounts change without the version. */
function namesNobody({ contents }: ReadFile): boolean {
  const { users, applications, accounts } = contents;
  return users.length === 0 && applications.length === 0 && accounts.length === 0;
}

interface PlannedFrom {
  readonly plan: Plan;
  readonly version: SnapshotVersion;
}

async function makePlan(transaction: Kysely<Database>, file: ReadFile): Promise<PlannedFrom> {
  const state = await loadState(transaction);
  return { plan: planFile(file.contents, state), version: state.version };
}

async function hashSecrets(
  writes: readonly Write[],
  tools: ApplyTools,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  await inGroups(writes, async (write) => {
    if (write.secret === undefined) return;
    hashes.set(secretKey(write), await tools.hashSecret(write.secret.plain));
  });
  return hashes;
}

function secretKey({ table, name }: Pick<Write, 'table' | 'name'>): string {
  return `${table} ${name}`;
}

async function compareSecrets(
  secrets: readonly SecretToCompare[],
  tools: ApplyTools,
): Promise<Finding[]> {
  const notes: Finding[] = [];
  await inGroups(secrets.slice(0, SECRETS_COMPARED_MAX), async ({ path, plain, hash }) => {
    if (await tools.verifySecret(plain, hash)) return;
    notes.push({ path, message: 'differs from the one that is set, which stays as it is' });
  });
  const rest = secrets.length - SECRETS_COMPARED_MAX;
  if (rest > 0) {
    notes.push({ path: [], message: `${rest} more secrets were set before and not compared.` });
  }
  return notes;
}

async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += SECRETS_AT_A_TIME) {
    await Promise.all(items.slice(start, start + SECRETS_AT_A_TIME).map(work));
  }
}

function applied(
  file: ReadFile,
  plan: Plan,
  { version, comparisons }: { version: SnapshotVersion; comparisons: readonly Finding[] },
): Applied {
  const notes = [...plan.notes, ...comparisons].map((note) => file.place(note));
  return {
    ok: true,
    created: plan.writes.filter(({ action }) => action === 'created').length,
    updated: plan.writes.filter(({ action }) => action === 'updated').length,
    unchanged: plan.unchanged,
    version,
    changes: plan.writes.map(({ action, noun, name, before, after }) => ({
      action,
      noun,
      name,
      fields: before === null ? [] : fieldChanges(before, after),
    })),
    notes: inOrder(notes),
  };
}

function problemsOf(file: ReadFile, findings: readonly Finding[]): readonly FileProblem[] {
  const placed = someOf(findings, MORE_FINDINGS).map((finding) => file.place(finding));
  // An id that stands twice in the file is taken by the first of the two, which need not be said.
  const known = new Set(file.problems.map(({ path }) => path));
  const problems = [...file.problems, ...placed.filter(({ path }) => !known.has(path))];
  return inOrder(someOf(problems, MORE_IN_FILE));
}

/** By line, and by column within it. */
export function inOrder(problems: readonly FileProblem[]): readonly FileProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
