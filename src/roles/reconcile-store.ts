import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { TSchema, Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { request } from 'undici';

import { dateOf } from '../analytics/dates.ts';
import {
  KeyedRowsSchema,
  StoreSideSchema,
  type RowsQuestion,
  type StoreQuestion,
} from '../analytics/reconcile-wire.ts';
import { CommandError } from '../base/errors.ts';
import { readInternalAddress } from '../control/internal-address.ts';
import type { StoreReader } from '../control/reconcile.ts';
import { lockFile } from './file-lock.ts';

/** The store of a reconciliation: a running control is asked, else it is opened. */
export interface OpenedStore extends StoreReader {
  /** A node runs on the data directory, or control elsewhere: what is missing may be on its way. */
  readonly isRunning: boolean;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly dataDirectory: string;
  /** Where control is, if it is not on this data directory. */
  readonly internalUrl: string | null;
  readonly internalSecret: string | null;
}

/** A day of many millions of records is read in less. */
const ANSWER_MS = 10 * 60 * 1000;
/** Control opens its store a moment after it started. */
const TRIES_MAX = 10;
const RETRY_MS = 1_000;

/**
 * Finds the store's side of a data directory.
 *
 * @throws CommandError when there is none, or control cannot be reached.
 */
export async function openReconcileStore(options: StoreOptions): Promise<OpenedStore> {
  const { dataDirectory, internalUrl } = options;
  if (internalUrl !== null) return askControl(internalUrl, secretOf(options));
  const supervisor = runningSupervisor(dataDirectory);
  if (supervisor === null) return openStore(dataDirectory);
  const address = readInternalAddress(dataDirectory);
  if (address === null || address.supervisor !== supervisor) {
    throw new CommandError(
      'The node that runs has no control that can be asked yet: try again in a moment, or name ' +
        'the control of another node with --internal-url (RIALTO_INTERNAL_URL).',
    );
  }
  return askControl(address.url, secretOf(options));
}

function secretOf({ dataDirectory, internalSecret }: StoreOptions): string {
  if (internalSecret !== null) return internalSecret;
  try {
    return readFileSync(join(dataDirectory, 'secrets', 'internal'), 'utf8').trim();
  } catch (error) {
    throw new CommandError(
      'The secret that control asks for is not known: give the content of secrets/internal in ' +
        "control's data directory as RIALTO_INTERNAL_SECRET.",
      { cause: error },
    );
  }
}

/** The process id of the supervisor that runs on the directory; null when none does. */
function runningSupervisor(dataDirectory: string): number | null {
  const path = join(dataDirectory, 'supervisor.pid');
  if (!existsSync(path)) return null;
  // One that was killed left its id behind, and lost its lock.
  const lock = lockFile(join(dataDirectory, 'supervisor.lock'));
  lock?.release();
  return lock === null ? Number(readFileSync(path, 'utf8')) : null;
}

/** @throws CommandError when the directory holds none, or another process uses it. */
async function openStore(dataDirectory: string): Promise<OpenedStore> {
  if (!existsSync(join(dataDirectory, 'analytics'))) {
    throw new CommandError(
      `No node runs on ${dataDirectory}, and it holds no analytics store: name the control of ` +
        'another node with --internal-url (RIALTO_INTERNAL_URL).',
    );
  }
  const { openLocalStore } = await import('./reconcile-local.ts');
  return openLocalStore(dataDirectory, dateOf(Date.now()));
}

function askControl(url: string, secret: string): OpenedStore {
  const ask = async <Schema extends TSchema>(
    path: string,
    question: StoreQuestion | RowsQuestion,
    schema: Schema,
  ): Promise<Static<Schema>> => {
    const text = await post(`${url}${path}`, secret, JSON.stringify(question));
    const answer: unknown = JSON.parse(text);
    const validator = Compile(schema);
    if (validator.Check(answer)) return answer;
    throw new CommandError('Control answered in a form of another version of Rialto.');
  };
  return {
    isRunning: true,
    side: (question) => ask('/internal/reconcile', question, StoreSideSchema),
    rows: (question) => ask('/internal/reconcile/rows', question, KeyedRowsSchema),
    close: () => Promise.resolve(),
  };
}

async function post(url: string, secret: string, body: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const { status, text } = await postOnce(url, secret, body);
    if (status === 200) return text;
    if (status === 401) {
      throw new CommandError(
        'Control does not know this secret: RIALTO_INTERNAL_SECRET has to be the content of ' +
          "secrets/internal in control's data directory.",
      );
    }
    // As long as its store is not open.
    if (status !== 503 || tries === TRIES_MAX) {
      throw new CommandError(`Control cannot answer (status ${status}); its log says why.`);
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `Control cannot be reached at ${new URL(url).origin} (${reason}): start the node, or stop ` +
        'it whole to compare without it.',
      { cause: error },
    );
  }
}
