import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { TSchema, Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { CommandError } from '../../base/errors.ts';
import { exitCodeOf, type Exit } from '../../base/exit-codes.ts';
import { ownField } from '../../base/fields.ts';
import { SelfSchema, type Self } from '../../management/self/schema.ts';
import type { Access } from './access.ts';
import { readJson } from './read-json.ts';
import { send, sendForStream, type Answer, type Question } from './send.ts';

const RETRY_MS = 1_000;

/** One call of the management API. */
export interface ApiCall {
  readonly method: string;
  /** Below the address of control, such as `/api/self/`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server of the management API, with what lets this command in. */
export class ApiClient {
  readonly access: Access;

  constructor(access: Access) {
    this.access = access;
  }

  /**
   * Calls the API, and once more with a new token where the one there was has ended.
   *
   * @returns what it answered, errors as well.
   * @throws CommandError when there is no answer, or no token.
   */
  async call(call: ApiCall): Promise<Answer> {
    const { triesMax = 1 } = this.access;
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#callOnce(call);
      if (answer.status !== 503 || tries === triesMax) return answer;
      await delay(RETRY_MS);
    }
  }

  async #callOnce(call: ApiCall): Promise<Answer> {
    const answer = await send(this.#question(await this.access.token(), call));
    if (answer.status !== 401) return answer;
    return send(this.#question(await this.access.renew(), call));
  }

  /**
   * Calls the API for what may be large.
   *
   * @returns the answer's body as it comes; where it breaks off, the stream fails.
   * @throws CommandError when it did not do it, or there is no answer.
   */
  async stream(call: ApiCall): Promise<Readable> {
    let answer = await sendForStream(this.#question(await this.access.token(), call));
    if (answer.status === 401) {
      answer = await sendForStream(this.#question(await this.access.renew(), call));
    }
    if ('body' in answer) return answer.body;
    throw this.refusal(answer, call);
  }

  /**
   * Calls the API and reads its answer.
   *
   * @throws CommandError when it did not do it, or answers in a form of another version.
   */
  async ask<Schema extends TSchema>(call: ApiCall, schema: Schema): Promise<Static<Schema>> {
    return this.#read(await this.call(call), call, schema);
  }

  /** The same; null where the server answers that it is not there. */
  async find<Schema extends TSchema>(
    call: ApiCall,
    schema: Schema,
  ): Promise<Static<Schema> | null> {
    const answer = await this.call(call);
    return answer.status === 404 ? null : this.#read(answer, call, schema);
  }

  /** Calls the API for what answers with nothing. @throws CommandError when it did not do it. */
  async tell(call: ApiCall): Promise<void> {
    const answer = await this.call(call);
    if (exitOf(answer.status) !== 'done') throw this.refusal(answer, call);
  }

  #read<Schema extends TSchema>(answer: Answer, call: ApiCall, schema: Schema): Static<Schema> {
    if (exitOf(answer.status) !== 'done') throw this.refusal(answer, call);
    const body: unknown = readJson(answer.text);
    const validator = Compile(schema);
    if (validator.Check(body)) return body;
    throw new CommandError(
      `${this.access.url} answered ${call.path} in a form of another version of Rialto.`,
      { exit: 'unreachable' },
    );
  }

  /** Who is signed in. */
  self(): Promise<Self> {
    return this.ask({ method: 'GET', path: '/api/self/' }, SelfSchema);
  }

  /** An error that says what an answer came to, and what to do next. */
  refusal(answer: Answer, { method, path }: Pick<ApiCall, 'method' | 'path'>): CommandError {
    const lines = [describeRefusal(answer, path, this.access), ...problemLines(answer)];
    // What a GET asks for is what the command line says.
    const exit = method === 'GET' && answer.status === 400 ? 'usage' : exitOf(answer.status);
    return new CommandError(lines.join('\n'), { exit });
  }

  #question(token: string, { method, path, query = [], headers = {}, body }: ApiCall): Question {
    const { url } = this.access;
    const address = new URL(`${url}${path}`);
    // What could lead elsewhere would take the token with it.
    if (address.origin !== new URL(url).origin) {
      throw new CommandError(`${path} is no path at ${url}.`, { exit: 'usage' });
    }
    for (const [name, value] of query) address.searchParams.append(name, value);
    return {
      method,
      url: address.href,
      headers: { accept: 'application/json', ...headers, authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    };
  }
}

/** How a command ends whose call was answered with a status. */
export function exitOf(status: number): Exit {
  if (status < 300 || status === 304) return 'done';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404 || status === 410) return 'not_found';
  return status === 429 || status >= 500 ? 'unreachable' : 'failed';
}

/** As `exitOf`, the number. */
export function exitCodeOfStatus(status: number): number {
  return exitCodeOf(exitOf(status));
}

function describeRefusal({ status, headers, text }: Answer, path: string, access: Access): string {
  const { url, remedy } = access;
  const body = readJson(text);
  const code = ownField(body, 'code');
  const title = ownField(body, 'title');
  const words = typeof title === 'string' ? title.replace(/\.$/, '') : `status ${status}`;
  const told = `${url} answered ${path} with ${status}: ${words}`;
  if (status < 400) return `${told}; it leads elsewhere: give the address of control itself.`;
  if (code === 'insufficient_scope') {
    const again = remedy.startsWith('run ') ? `${remedy} --scope 'read write'` : remedy;
    return `This sign-in may only read: ${again}.`;
  }
  if (status === 401) return `${told}; ${remedy}.`;
  if (status === 403) return `${told}; rialto get self shows who is signed in.`;
  if (status === 404) return `${told}, or nothing of yours; rialto get lists what there is.`;
  const wait = headers['retry-after'];
  if (wait !== undefined) return `${told}; try again in ${wait} s.`;
  return status >= 500 ? `${told}; rialto status shows how it is.` : `${told}.`;
}

/** What was wrong where, a line each. */
function problemLines(answer: Answer): string[] {
  const errors = ownField(readJson(answer.text), 'errors');
  if (!Array.isArray(errors)) return [];
  return errors.map((error: unknown) => {
    const text = ownField(error, 'message');
    const message = typeof text === 'string' ? text : '';
    const pointer = ownField(error, 'pointer');
    return typeof pointer === 'string' && pointer !== ''
      ? `  ${pointer} ${message}`
      : `  ${message}`;
  });
}
