import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { CommandError } from '../../base/errors.ts';
import { makeDirectory } from '../../base/make-directory.ts';
import { messageOf, isMissing } from '../../base/unknown-error.ts';
import { lockFile, type FileLock } from '../../roles/file-lock.ts';
import type { Flags } from '../program-tools.ts';

const ProfileSchema = Type.Object({
  /** Where control is, without a slash at the end. */
  url: Type.String(),
  client_id: Type.String(),
  /** Null where it was not to be kept: the sign-in ends with its token. */
  client_secret: Type.Union([Type.String(), Type.Null()]),
  /** What tokens are asked for: `read`, or `read write`. */
  scope: Type.String(),
  /** Plain http to another machine was said to be safe. */
  allow_http: Type.Boolean(),
  token: Type.String(),
  /** An instant, RFC 3339. */
  expires_at: Type.String(),
});

/** A sign-in at one server. */
export type Profile = Static<typeof ProfileSchema>;

const FileSchema = Type.Object({
  version: Type.Literal(1),
  profiles: Type.Record(Type.String(), ProfileSchema),
});

type Contents = Static<typeof FileSchema>;

const validator = Compile(FileSchema);

/** The profile of whoever names none. */
export const DEFAULT_PROFILE = 'default';

const LOCK_WAIT_MS = 5_000;
const LOCK_PAUSE_MS = 20;

/** Bits of a file's mode that let others than its owner do anything. */
const OTHERS = 0o077;

/**
 * The sign-ins of this user, in a file that nobody else can read. It is replaced as a whole, so that
 * it is never half written, and by one process at a time.
 */
export class CredentialsFile {
  readonly path: string;

  /** @param environment `XDG_CONFIG_HOME` says where the user's settings are, `~/.config` if it is unset. */
  constructor(environment: Flags) {
    const home =
      environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config');
    this.path = join(home, 'rialto', 'credentials.json');
  }

  /** @throws CommandError when the file cannot be read, or others can read it. */
  read(): ReadonlyMap<string, Profile> {
    return new Map(Object.entries(this.#contents().profiles));
  }

  /**
   * Changes one profile.
   *
   * @param change is given what is stored now; what it returns is stored, null removes it.
   * @throws CommandError when the file cannot be written.
   */
  async change(name: string, change: (before: Profile | null) => Profile | null): Promise<void> {
    try {
      makeDirectory(dirname(this.path));
      // One that was there before may be open to others.
      chmodSync(dirname(this.path), 0o700);
    } catch (error) {
      throw unusable(this.path, error);
    }
    const lock = await this.#lock();
    try {
      const { profiles } = this.#contents();
      const after = change(new Map(Object.entries(profiles)).get(name) ?? null);
      const others = Object.entries(profiles).filter(([other]) => other !== name);
      const kept = after === null ? others : [...others, [name, after] as const];
      this.#replace({ version: 1, profiles: Object.fromEntries(kept) });
    } finally {
      lock.release();
    }
  }

  #contents(): Contents {
    let text: string;
    try {
      if (process.platform !== 'win32' && (statSync(this.path).mode & OTHERS) !== 0) {
        throw new CommandError(
          `${this.path} holds secrets and can be read by others: run chmod 600 ${this.path}.`,
        );
      }
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if (isMissing(error)) {
        return { version: 1, profiles: {} };
      }
      throw error instanceof CommandError ? error : unusable(this.path, error);
    }
    const contents: unknown = parseJson(text);
    if (validator.Check(contents)) return contents;
    throw new CommandError(
      `${this.path} is not of a form that this version writes: move it away and run rialto login.`,
    );
  }

  #replace(contents: Contents): void {
    const temporary = `${this.path}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, `${JSON.stringify(contents, null, 2)}\n`, {
        mode: 0o600,
        flag: 'wx',
        flush: true,
      });
      renameSync(temporary, this.path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw unusable(this.path, error);
    }
  }

  async #lock(): Promise<FileLock> {
    const deadlineMs = performance.now() + LOCK_WAIT_MS;
    for (;;) {
      const lock = this.#tryLock();
      if (lock !== null) return lock;
      if (performance.now() >= deadlineMs) {
        throw new CommandError(`${this.path} is in use by another rialto command; try again.`);
      }
      await delay(LOCK_PAUSE_MS);
    }
  }

  #tryLock(): FileLock | null {
    try {
      return lockFile(join(dirname(this.path), 'credentials.lock'));
    } catch (error) {
      throw unusable(this.path, error);
    }
  }
}

/**
 * Reads the name of a profile.
 *
 * @throws CommandError when it is none.
 */
export function readProfileName(text: string, source: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text)) return text;
  throw new CommandError(
    `${source} is "${text}", but must be letters, digits, dots, dashes and underscores, at most 64.`,
    { exit: 'usage' },
  );
}

function unusable(path: string, error: unknown): CommandError {
  const reason = messageOf(error);
  return new CommandError(`${path}, where sign-ins are kept, cannot be used: ${reason}.`, {
    cause: error,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
