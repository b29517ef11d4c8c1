import type { Applied } from '../../configuration/apply.ts';
import type { Actor } from '../../configuration/audit.ts';
import type { FileProblem } from '../../configuration/finding.ts';
import { versionKey } from '../../snapshot/snapshot.ts';
import type { AppliedAnswer } from './schema.ts';

/** A configuration file as somebody has sent it. */
export interface SentFile {
  readonly text: string;
  readonly actor: Actor;
  /** Only tells what would be done, and what is wrong; nothing is written. */
  readonly dryRun: boolean;
}

/**
 * What applying it came to, ready to be sent: of a large file a megabyte, which is not taken apart and
 * put together again by whoever only passes it on.
 */
export type FileAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** Does what takes long with a whole configuration, without holding who asks for it. */
export interface FileService {
  apply(file: SentFile): Promise<FileAnswer>;
  /** The whole configuration as the file that `apply` takes. */
  export(): Promise<string>;
}

export function fileAnswer(applied: Applied): FileAnswer {
  if (!applied.ok) return applied;
  const { created, updated, unchanged, version, changes, notes } = applied;
  const answer: AppliedAnswer = {
    created,
    updated,
    unchanged,
    version: versionKey(version),
    changes: changes.map(({ action, noun, name, fields }) => ({
      action,
      resource: noun,
      resource_id: String(name),
      fields: [...fields],
    })),
    notes: notes.map(showProblem),
  };
  return { ok: true, json: JSON.stringify(answer) };
}

/** A problem or a note as it is answered. */
export function showProblem({ pointer, message, line, column }: FileProblem) {
  return { pointer, message, line, column };
}
