import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { WireFault } from './faults.ts';

/** An answer as it goes over the wire. */
export interface Answer {
  /** 200 when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends an answer as a well-behaved server does, with its length. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const { status = 200, headers = {}, body = '' } = answer;
  if (status === 204) {
    response.writeHead(status, headers).end();
    return;
  }
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { 'content-length': length, ...headers }).end(body);
}

/** The same answer compressed. */
export function compressed(answer: Answer): Answer {
  return {
    ...answer,
    headers: { ...answer.headers, 'content-encoding': 'gzip' },
    body: gzipSync(answer.body ?? ''),
  };
}

/** Does something after a delay, unless the connection has ended by then. */
export function after(response: ServerResponse, delayMs: number, act: () => void): void {
  if (delayMs < 1) return act();
  const timer = setTimeout(act, delayMs);
  response.once('close', () => clearTimeout(timer));
  return undefined;
}

/** Sends an answer with a fault of the wire. */
export function sendFault(fault: WireFault, response: ServerResponse, answer: Answer): void {
  SENDERS[fault](response, answer);
}

const SENDERS: Readonly<Record<WireFault, (response: ServerResponse, answer: Answer) => void>> = {
  // Whoever has delayed the answer has made it late; it goes out whole.
  late: sendAnswer,
  drip,
  reset: (response) => response.socket?.resetAndDestroy(),
  hang: () => undefined,
  status500: (response) =>
    sendAnswer(response, {
      status: 500,
      headers: { 'content-type': 'text/html' },
      body: '<html><body><h1>Internal Server Error</h1></body></html>',
    }),
  garbage: (response, answer) =>
    sendAnswer(response, { ...answer, body: '<!doctype html>{"id": nonsense,,' }),
  truncated: truncate,
  empty200: (response, answer) => sendAnswer(response, { ...answer, body: '' }),
  bomb,
  gzipBomb,
};

/** Time between two bytes of a drip, in milliseconds. */
const DRIP_INTERVAL_MS = 50;

function drip(response: ServerResponse, answer: Answer): void {
  const bytes = Buffer.from(answer.body ?? '');
  response.writeHead(200, { ...answer.headers, 'content-length': String(bytes.length) });
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= bytes.length) response.end();
  }, DRIP_INTERVAL_MS);
  // The end of the response, of its connection and of the bidder all arrive here.
  response.once('close', () => clearInterval(timer));
}

function truncate(response: ServerResponse, answer: Answer): void {
  const bytes = Buffer.from(answer.body ?? '');
  response.writeHead(200, { ...answer.headers, 'content-length': String(bytes.length) });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.end());
}

const MEBIBYTE = 1024 * 1024;
const BOMB_MEBIBYTES = 8;
const GZIP_BOMB_MEBIBYTES = 64;

function bomb(response: ServerResponse, answer: Answer): void {
  const filler = Buffer.alloc(MEBIBYTE, 'x');
  const [head, tail] = padded(answer);
  response.writeHead(200, answer.headers).write(head);
  for (let index = 0; index < BOMB_MEBIBYTES; index += 1) response.write(filler);
  response.end(tail);
}

/** A gzip stream may have many members (RFC 1952, section 2.2), so the filler is packed once. */
function gzipBomb(response: ServerResponse, answer: Answer): void {
  const filler = gzipSync(Buffer.alloc(MEBIBYTE, 'x'));
  const [head, tail] = padded(answer);
  response.writeHead(200, { ...answer.headers, 'content-encoding': 'gzip' }).write(gzipSync(head));
  for (let index = 0; index < GZIP_BOMB_MEBIBYTES; index += 1) response.write(filler);
  response.end(gzipSync(tail));
}

/** The answer in two halves, between which a text of any length makes it long and keeps it JSON. */
function padded({ body = '{}' }: Answer): readonly [head: string, tail: string] {
  const text = Buffer.from(body).toString();
  return ['{"ext":{"padding":"', `"},${text.slice(text.indexOf('{') + 1)}`];
}
