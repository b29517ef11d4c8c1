import { gzipSync } from 'node:zlib';
import type { Random } from '../../sim/random.ts';

/** An HTTP answer as a bidder might send it, sound or mangled. */
export interface MangledAnswer {
  readonly bytes: Buffer;
  /** Where the pieces begin that it is sent in, without the first. */
  readonly cuts: readonly number[];
}

const CRLF = '\r\n';
/** More pieces than that tell nothing that the first ones did not. */
const PIECES_MAX = 400;

export function mangledAnswer(random: Random): MangledAnswer {
  let bytes = soundAnswer(random);
  const manglings = random.pick([0, 0, 1, 1, 1, 2, 3]);
  for (let count = 0; count < manglings; count += 1) bytes = mangle(random, bytes);
  return { bytes, cuts: cutsOf(random, bytes.length) };
}

/** Whole, in a few pieces, or byte by byte. */
function cutsOf(random: Random, length: number): readonly number[] {
  const way = random.weighted([
    ['whole', 4],
    ['pieces', 5],
    ['bytes', 0.2],
  ] as const);
  if (way === 'whole') return [];
  if (way === 'bytes') return Array.from({ length: Math.min(length, PIECES_MAX) }, (_, at) => at);
  const pieces = random.integer(1, 4);
  return Array.from({ length: pieces }, () => random.integer(0, length)).toSorted((a, b) => a - b);
}

const STATUSES: readonly (readonly [status: string, weight: number])[] = [
  ['200 OK', 24],
  ['200', 2],
  ['204 No Content', 3],
  ['302 Found', 1],
  ['304 Not Modified', 1],
  ['400 Bad Request', 1],
  ['503 Busy', 1],
  ['299 ', 1],
  ['199 Odd', 1],
  ['101 Switching Protocols', 1],
  ['600 Odd', 1],
];
const INTERIMS = [
  'HTTP/1.1 100 Continue',
  'HTTP/1.1 102 Processing',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>',
];
const HEADERS = [
  'content-type: application/json',
  'X-A: b',
  'Date: today',
  'connection: keep-alive',
  'Connection: close',
  'connection: upgrade\r\nupgrade: x',
  'keep-alive: timeout=5',
  'content-encoding: identity',
  'content-encoding: br',
  'x-empty:',
  'Server:\tx\t',
];

function soundAnswer(random: Random): Buffer {
  const { interims, headers } = {
    interims: random.chance(0.1)
      ? Array.from({ length: random.integer(1, 7) }, () => random.pick(INTERIMS) + CRLF + CRLF)
      : [],
    headers: Array.from({ length: random.integer(0, 3) }, () => random.pick(HEADERS)),
  };
  const text = Buffer.from(bodyText(random));
  const isGzipped = random.chance(0.15);
  const body = isGzipped ? gzipSync(text) : text;
  if (isGzipped) headers.push('Content-Encoding: gzip');
  const framing = random.weighted([
    ['length', 6],
    ['chunked', 4],
    ['none', 0.4],
  ] as const);
  if (framing === 'length') headers.push(`Content-Length: ${body.length}`);
  if (framing === 'chunked') headers.push('transfer-encoding: Chunked');
  const version = random.chance(0.05) ? 'HTTP/1.0' : 'HTTP/1.1';
  const lines = [`${version} ${random.weighted(STATUSES)}`, ...headers, '', ''].join(CRLF);
  const head = Buffer.from(interims.join('') + lines, 'latin1');
  return Buffer.concat([head, framing === 'chunked' ? chunked(random, body) : body]);
}

function bodyText(random: Random): string {
  return random.pick([
    '',
    '{}',
    '{"id":"1"}',
    `{"id":"${'x'.repeat(random.integer(0, 60))}é€"}`,
    // About as much as the clients of the test take.
    'y'.repeat(random.integer(1_990, 2_010)),
  ]);
}

function chunked(random: Random, body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const size = random.integer(1, body.length - at);
    const extension = random.chance(0.1) ? random.pick([';a=b', ';a="b c"', ';x']) : '';
    pieces.push(Buffer.from(size.toString(16) + extension + CRLF));
    pieces.push(body.subarray(at, at + size), Buffer.from(CRLF));
    at += size;
  }
  const trailer = random.chance(0.1) ? `x-trailer: 1${CRLF}` : '';
  pieces.push(Buffer.from(`0${CRLF}${trailer}${CRLF}`));
  return Buffer.concat(pieces);
}

const SCRAPS = [
  ...'\r,\n, ,\t,:,;,\0,0,1,9,a,f,g,-,+,",é,\x7f'.split(','),
  ',',
  CRLF,
  CRLF + CRLF,
  `HTTP/1.1 200 OK${CRLF}`,
  '00000000000000000',
];
const LINES = [
  'content-length: 2',
  'Content-Length: 10',
  'content-length: +2',
  'content-length: 2, 2',
  'content-length:',
  'content-length: 99999999999999999999',
  'transfer-encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'transfer-encoding: identity',
  'transfer-encoding: xchunked',
  ' folded',
  '\tfolded',
  'no colon',
  'space : x',
  'x-nul: \0',
  ': nameless',
  'content-encoding: gzip',
  `x-long: ${'z'.repeat(300)}`,
  `x-longer: ${'z'.repeat(17_000)}`,
];
const ENDS = [CRLF, 'x', `HTTP/1.1 200 OK${CRLF}content-length: 2${CRLF}${CRLF}{}`];

function mangle(random: Random, bytes: Buffer): Buffer {
  const at = random.integer(0, Math.max(0, bytes.length - 1));
  const way = random.weighted([
    ['scrap', 3],
    ['line', 4],
    ['gap', 3],
    ['short', 2],
    ['byte', 3],
    ['end', 2],
    ['twice', 2],
  ] as const);
  switch (way) {
    case 'scrap':
      return spliced(bytes, at, at, random.pick(SCRAPS));
    case 'line': {
      const line = aLine(random, bytes);
      return spliced(bytes, line, line, random.pick(LINES) + CRLF);
    }
    case 'gap':
      return spliced(bytes, at, at + random.integer(1, 3), '');
    case 'short':
      return bytes.subarray(0, at);
    case 'byte':
      return spliced(bytes, at, at + 1, String.fromCharCode(random.integer(0, 255)));
    case 'end':
      return spliced(bytes, bytes.length, bytes.length, random.pick(ENDS));
    case 'twice': {
      const again = bytes.toString('latin1', at, at + random.integer(1, 20));
      return spliced(bytes, at, at, again);
    }
  }
}

function spliced(bytes: Buffer, from: number, to: number, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(text, 'latin1'), bytes.subarray(to)]);
}

/** Where a line of the head begins, save for the first. */
function aLine(random: Random, bytes: Buffer): number {
  const headBytes = Math.max(0, bytes.indexOf(CRLF + CRLF));
  return bytes.indexOf(CRLF, random.integer(0, headBytes)) + CRLF.length;
}
