import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { TSchema, Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { request } from 'undici';

import { CommandError } from '../base/errors.ts';
import { messageOf } from '../base/unknown-error.ts';
import { readInternalAddress } from '../control/internal-address.ts';
import { lockFile } from '../roles/file-lock.ts';

/** Where a command finds control. */
export interface ControlPlace {
  readonly dataDirectory: string;
  /** Where control is, if it is not on this data directory; of several the first is asked. */
  readonly internalUrls: readonly string[];
  readonly internalSecret: string | null;
}

/** A control that runs, asked on the listener that it has for couriers. */
export interface ControlClient {
  /**
   * Posts a question.
   *
   * @param path such as `/internal/reconcile`.
   * @returns the answer, which is of the schema; null where control answers 404.
   * @throws CommandError when control cannot be reached, does not know the secret, or answers in
   *   another form.
   */
  ask<Schema extends TSchema>(
    path: string,
    question: object,
    schema: Schema,
  ): Promise<Static<Schema> | null>;
}

/** A day of many millions of records is read in less. */
const ANSWER_MS = 10 * 60 * 1000;
/** Control opens its store a moment after it started. */
const TRIES_MAX = 10;
const RETRY_MS = 1_000;

/**
 * Finds the control that a command is for.
 *
 * @returns null where none runs on the data directory, and no other is named.
 * @throws CommandError when one runs that cannot be asked.
 */
export function findControl(place: ControlPlace): ControlClient | null {
  const { dataDirectory } = place;
  const [internalUrl] = place.internalUrls;
  if (internalUrl !== undefined) return clientOf(internalUrl, secretOf(place));
  const supervisor = runningSupervisor(dataDirectory);
  if (supervisor === null) return null;
  const address = readInternalAddress(dataDirectory);
  if (address === null || address.supervisor !== supervisor) {
    throw new CommandError(
      'The node that runs has no control that can be asked yet: try again in a moment, or name ' +
        'the control of another node with --internal-url (RIALTO_INTERNAL_URL).',
      { exit: 'unreachable' },
    );
  }
  return clientOf(address.url, secretOf(place));
}

function secretOf({ dataDirectory, internalSecret }: ControlPlace): string {
  if (internalSecret !== null) return internalSecret;
  try {
    return readFileSync(join(dataDirectory, 'secrets', 'internal'), 'utf8').trim();
  } catch (error) {
    throw new CommandError(
      'The secret that control asks for is not known: give the content of secrets/internal in ' +
        "control's data directory as RIALTO_INTERNAL_SECRET.",
      { exit: 'denied', cause: error },
    );
  }
}

/** The process id of the supervisor that runs on the directory; null when none does. */
export function runningSupervisor(dataDirectory: string): number | null {
  const path = join(dataDirectory, 'supervisor.pid');
  if (!existsSync(path)) return null;
  // One that was killed left its id behind, and lost its lock.
  const lock = lockFile(join(dataDirectory, 'supervisor.lock'));
  lock?.release();
  return lock === null ? Number(readFileSync(path, 'utf8')) : null;
}

function clientOf(url: string, secret: string): ControlClient {
  return {
    ask: async (path, question, schema) => {
      const text = await post(`${url}${path}`, secret, JSON.stringify(question));
      if (text === null) return null;
      const answer: unknown = JSON.parse(text);
      const validator = Compile(schema);
      if (validator.Check(answer)) return answer;
      throw new CommandError('Control answered in a form of another version of Rialto.', {
        exit: 'unreachable',
      });
    },
  };
}

async function post(url: string, secret: string, body: string): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    const { status, text } = await postOnce(url, secret, body);
    if (status === 200) return text;
    if (status === 404) return null;
    if (status === 401) {
      throw new CommandError(
        'Control does not know this secret: RIALTO_INTERNAL_SECRET has to be the content of ' +
          "secrets/internal in control's data directory.",
        { exit: 'denied' },
      );
    }
    // As long as its store is not open.
    if (status !== 503 || tries === TRIES_MAX) {
      throw new CommandError(`Control cannot answer (status ${status}); its log says why.`, {
        exit: 'unreachable',
      });
    }
    await delay(RETRY_MS);
  }
}

async function postOnce(
  url: string,
  secret: string,
  body: string,
): Promise<{ status: number; text: string }> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandError(
      `Control cannot be reached at ${new URL(url).origin} (${reason}): start the node, or stop ` +
        'it whole to do without it.',
      { exit: 'unreachable', cause: error },
    );
  }
}
