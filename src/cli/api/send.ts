import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { request } from 'undici';
import { CommandError } from '../../base/errors.ts';

/** What is asked of a server. */
export interface Question {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A minute, unless it is given. */
  readonly withinMs?: number;
}

/** What a server answered. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; of a repeated one the values joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer that is read as it comes. */
export interface StreamedAnswer extends Omit<Answer, 'text'> {
  readonly body: Readable;
}

const WITHIN_MS = 60_000;
/** Of a stream nothing comes for so long: a page of it is made in less. */
const SILENT_MS = 120_000;
/** A list of 10,000 resources takes some megabytes. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Asks a server once. Redirects are not followed: what was sent is meant for this address alone.
 *
 * @throws CommandError when there is no answer.
 */
export async function send(question: Question): Promise<Answer> {
  const { url, withinMs = WITHIN_MS } = question;
  try {
    const answer = await open(question, { withinMs, signal: AbortSignal.timeout(withinMs) });
    return await whole(answer);
  } catch (error) {
    throw unreachable(url, error);
  }
}

/**
 * Asks a server once for what may be large, compressed on its way. A refusal is read whole.
 *
 * @throws CommandError when there is no answer; what breaks off later is an error of the stream.
 */
export async function sendForStream(question: Question): Promise<StreamedAnswer | Answer> {
  const { url, headers } = question;
  const asked = { ...question, headers: { ...headers, 'accept-encoding': 'gzip' } };
  try {
    const answer = await open(asked, { withinMs: SILENT_MS, signal: null });
    const isZipped = answer.headers['content-encoding'] === 'gzip';
    // An error of either end is that of the stream that is read.
    const body = isZipped ? pipeline(answer.body, createGunzip(), () => {}) : answer.body;
    return answer.status < 300 ? { ...answer, body } : await whole({ ...answer, body });
  } catch (error) {
    throw unreachable(url, error);
  }
}

async function open(
  { method, url, headers, body }: Question,
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal | null },
): Promise<StreamedAnswer> {
  const answer = await request(url, {
    method,
    headers,
    headersTimeout: withinMs,
    bodyTimeout: withinMs,
    signal,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body };
}

async function whole({ status, headers, body }: StreamedAnswer): Promise<Answer> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    if (chunk instanceof Uint8Array) text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_BYTES_MAX) throw new Error('its answer is too large');
  }
  return { status, headers, text: text + decoder.decode() };
}

function unreachable(url: string, error: unknown): CommandError {
  return new CommandError(
    `${new URL(url).origin} cannot be reached (${reasonOf(error)}): is the node started, and the ` +
      'address right? rialto doctor looks at a node on this machine.',
    { exit: 'unreachable', cause: error },
  );
}

/** What was wrong with a connection, in few words; a host of several addresses fails with none. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : error.message;
}

function joined(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      typeof value === 'string' ? value : value.join(', '),
    ]),
  );
}
