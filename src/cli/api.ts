import { readFileSync } from 'node:fs';
import { CommandError } from '../base/errors.ts';
import { messageOf } from '../base/unknown-error.ts';
import { requireAccess } from './api/access.ts';
import { ApiClient, exitCodeOfStatus, exitOf } from './api/client.ts';
import { readJson } from './api/read-json.ts';
import type { Answer } from './api/send.ts';
import type { CommandPlace } from './program-tools.ts';
import { readParameter } from './read-parameter.ts';
import { shown, showJson, shownLines } from './terminal-text.ts';

/** What of the command line is no setting. */
export interface ApiArguments {
  readonly method: string;
  readonly path: string;
  readonly data: string | undefined;
  readonly query: readonly string[];
  readonly headers: readonly string[];
  /** Prints the status and the headers as well. */
  readonly includes: boolean;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD'];

/**
 * `rialto api`: calls any address of the management API and prints what it answers, errors as well.
 *
 * @returns the exit code, by the status of the answer.
 * @throws CommandError when it cannot be called.
 */
export async function apiCommand(given: ApiArguments, place: CommandPlace): Promise<number> {
  const call = readCall(given);
  const client = new ApiClient(requireAccess(place));
  const answer = await client.call(call);
  if (given.includes) console.log(headOf(answer));
  const body = bodyOf(answer);
  if (body !== '') console.log(body);
  if (exitOf(answer.status) !== 'done') {
    // What was wrong stands in the body already; this says what to do.
    const [line = ''] = client.refusal(answer, call).message.split('\n');
    console.error(shown(line));
  }
  return exitCodeOfStatus(answer.status);
}

function readCall({ method, path, data, query, headers }: ApiArguments) {
  const upper = method.toUpperCase();
  if (!METHODS.includes(upper)) {
    throw usage(`${method} is no method: give one of ${METHODS.join(', ')}, then the path.`);
  }
  const own = Object.fromEntries(headers.map(readHeader));
  const body = data === undefined ? undefined : readBody(data);
  const type = own['content-type'] ?? 'application/json';
  if (body !== undefined && /^application\/(\S+\+)?json\b/.test(type)) {
    if (readJson(body) === undefined) {
      throw usage('--data is no JSON; for another kind of body add --header content-type:TYPE.');
    }
  }
  return {
    method: upper,
    path: readPath(path),
    query: query.map(readParameter),
    headers: body === undefined ? own : { ...own, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  };
}

function readPath(text: string): string {
  if (!/^\/(?!\/)[^\s\\]*$/.test(text)) {
    throw usage(`${text} is no path: give one that begins with /, such as /self/.`);
  }
  return /^\/api(\/|$)/.test(text) ? text : `/api${text}`;
}

/** `-` is the input, `@FILE` a file. */
function readBody(text: string): string {
  const source = text === '-' ? 0 : text.startsWith('@') ? text.slice(1) : null;
  if (source === null) return text;
  try {
    return readFileSync(source, 'utf8');
  } catch (error) {
    const reason = messageOf(error);
    throw usage(`--data cannot be read: ${reason}.`);
  }
}

function readHeader(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*([\x20-\x7e]*)$/.exec(text) ?? [];
  if (name === '') throw usage(`"${text}" is no header: give NAME:VALUE.`);
  // Every user of the machine sees the command line.
  if (name.toLowerCase() === 'authorization') {
    throw usage('A token does not belong on the command line: set RIALTO_TOKEN, or sign in.');
  }
  return [name.toLowerCase(), value];
}

function usage(message: string): CommandError {
  return new CommandError(message, { exit: 'usage' });
}

function headOf({ status, headers }: Answer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP ${status}`, ...lines].map(shown).join('\n')}\n`;
}

function bodyOf({ headers, text }: Answer): string {
  if (!/\bjson\b/.test(headers['content-type'] ?? '')) return shownLines(text).trimEnd();
  const body = readJson(text);
  return body === undefined ? shownLines(text) : showJson(body);
}
