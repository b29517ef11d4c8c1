import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { AnswerReader } from './bidder-socket-answer.ts';

interface Read {
  readonly status: number;
  readonly body: string;
  readonly isPersistent: boolean;
  /** Bytes behind the answer. */
  readonly left: number;
}

/** What a reader makes of an answer: the same whole and byte by byte. */
function read(text: string): Read | string {
  const whole = readPieces([text]);
  const bytes = readPieces(text.split(''));
  // The rest of the last piece alone is known.
  if (typeof whole === 'object' && typeof bytes === 'object') {
    assert.deepEqual({ ...bytes, left: 0 }, { ...whole, left: 0 });
  } else assert.equal(bytes, whole);
  return whole;
}

function readPieces(pieces: readonly string[]): Read | string {
  let body = '';
  let status = 0;
  const reader = new AnswerReader({
    onHead: () => {
      ({ status } = reader);
      return true;
    },
    onBody: (bytes) => {
      body += bytes.toString();
      return true;
    },
  });
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1');
    const taken = reader.read(bytes, bytes.length);
    if (reader.fault !== null) return reader.fault;
    const { isPersistent } = reader;
    if (reader.isComplete) return { status, body, isPersistent, left: bytes.length - taken };
  }
  return 'more';
}

const OK = 'HTTP/1.1 200 OK\r\n';
const HI = 'content-length: 2\r\n\r\nhi';
const ANSWER: Read = { status: 200, body: 'hi', isPersistent: true, left: 0 };

describe('an answer is read', () => {
  const sound: [what: string, text: string, answer: Partial<Read>][] = [
    ['with its length', OK + HI, {}],
    [
      'in chunks',
      `${OK}Transfer-Encoding: CHUNKED\r\n\r\n1\r\nh\r\n01;x="y"\r\ni\r\n0\r\n\r\n`,
      {},
    ],
    ['with trailers', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\na: b\r\n\r\n`, {}],
    ['without a reason', `HTTP/1.1 200\r\n${HI}`, {}],
    ['after five interim ones', 'HTTP/1.1 103 Hints\r\na: b\r\n\r\n'.repeat(5) + OK + HI, {}],
    ['that has no content', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '' }],
    ['that is empty', `${OK}content-length: 0\r\n\r\n`, { body: '' }],
    ['of HTTP/1.0, once', `HTTP/1.0 200 OK\r\n${HI}`, { isPersistent: false }],
    [
      'before the end of the connection',
      `${OK}Connection: x, Close\r\n${HI}`,
      { isPersistent: false },
    ],
    [
      'of no content with a length, once',
      'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n',
      { status: 204, body: '', isPersistent: false },
    ],
    ['with headers of any bytes', `${OK}x-a:\t\x80\xff ~\t\r\n${HI}`, {}],
  ];
  for (const [what, text, answer] of sound) {
    test(what, () => assert.deepEqual(read(text), { ...ANSWER, ...answer }));
  }

  test('up to its end, and what follows is left', () => {
    assert.deepEqual(readPieces([`${OK}${HI}HTTP/1.1 200 OK\r\n`]), { ...ANSWER, left: 17 });
  });
});

describe('an answer is broken', () => {
  const broken: [what: string, fault: string, text: string][] = [
    ['without a version', 'STATUS_LINE', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['of another version', 'STATUS_LINE', `HTTP/2.0 200 OK\r\n${HI}`],
    ['of another version of HTTP/1', 'STATUS_LINE', `HTTP/1.2 200 OK\r\n${HI}`],
    ['with a status of two digits', 'STATUS_LINE', `HTTP/1.1 20 OK\r\n${HI}`],
    ['with a status of four digits', 'STATUS_LINE', `HTTP/1.1 2000 OK\r\n${HI}`],
    ['with a status below 100', 'STATUS_LINE', `HTTP/1.1 099 OK\r\n${HI}`],
    ['with a bare LF behind its status', 'STATUS_LINE', `HTTP/1.1 200 OK\n${HI}`],
    ['with a bare LF behind a header', 'HEADER', `${OK}a: b\n${HI}`],
    ['with a bare CR in a header', 'HEADER', `${OK}a: b\rc\r\n${HI}`],
    ['with NUL in a header', 'HEADER', `${OK}a: \0\r\n${HI}`],
    ['with a folded header', 'HEADER', `${OK}a: b\r\n c\r\n${HI}`],
    ['with a header folded by a tab', 'HEADER', `${OK}a: b\r\n\tc\r\n${HI}`],
    ['with a blank before a colon', 'HEADER', `${OK}content-length : 2\r\n\r\nhi`],
    ['with a header that has no colon', 'HEADER', `${OK}a\r\n${HI}`],
    ['with a header that has no name', 'HEADER', `${OK}: b\r\n${HI}`],
    ['with the beginning of a second one', 'HEADER', OK + OK + HI],
    ['with a length and chunks', 'LENGTH', `${OK}transfer-encoding: chunked\r\n${HI}`],
    ['with a length twice', 'LENGTH', `${OK}content-length: 2\r\n${HI}`],
    ['with two lengths', 'LENGTH', `${OK}content-length: 3\r\n${HI}`],
    ['with two lengths in a list', 'LENGTH', `${OK}content-length: 2, 3\r\n\r\nhi`],
    ['with a signed length', 'LENGTH', `${OK}content-length: +2\r\n\r\nhi`],
    ['with a length in hexadecimal', 'LENGTH', `${OK}content-length: 0x2\r\n\r\nhi`],
    ['with an endless length', 'LENGTH', `${OK}content-length: ${'9'.repeat(30)}\r\n\r\nhi`],
    ['with an empty length', 'LENGTH', `${OK}content-length:\r\n\r\nhi`],
    ['that ends with the connection', 'LENGTH', `${OK}\r\nhi`],
    ['of another transfer coding', 'LENGTH', `${OK}transfer-encoding: gzip, chunked\r\n\r\n`],
    ['with a blank behind "chunked"', 'LENGTH', `${OK}transfer-encoding: chunked\t\r\n\r\n`],
    ['chunked twice', 'LENGTH', `${OK}${'transfer-encoding: chunked\r\n'.repeat(2)}\r\n`],
    ['with chunks in HTTP/1.0', 'LENGTH', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['that changes the protocol', 'INTERIM', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
    ['after six interim ones', 'INTERIM', 'HTTP/1.1 103 Hints\r\n\r\n'.repeat(6) + OK + HI],
    ['after an interim one with a length', 'INTERIM', `HTTP/1.1 103 Hints\r\n${HI}${OK}${HI}`],
    ...['g', '-1', '+1', '', ' 2', '2 ', '0x2', '123456789', '2;\0'].map(
      (size): [string, string, string] => [
        `with a chunk of ${JSON.stringify(size)} bytes`,
        'CHUNK',
        `${OK}transfer-encoding: chunked\r\n\r\n${size}\r\nhi\r\n0\r\n\r\n`,
      ],
    ),
    [
      'with a chunk that is longer than it says',
      'CHUNK',
      `${OK}transfer-encoding: chunked\r\n\r\n1\r\nhi\r\n0\r\n\r\n`,
    ],
    [
      'with a bare LF behind a chunk',
      'CHUNK',
      `${OK}transfer-encoding: chunked\r\n\r\n2\r\nhi\n0\r\n\r\n`,
    ],
    [
      'with a malformed trailer',
      'HEADER',
      `${OK}transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\na b\r\n\r\n`,
    ],
    ['with a header of 17 kB', 'HEAD_SIZE', `${OK}a: ${'b'.repeat(17_000)}\r\n${HI}`],
    ['with 17 kB of headers', 'HEAD_SIZE', `${OK}${'a: b\r\n'.repeat(3_000)}${HI}`],
    [
      'with 17 kB of trailers',
      'HEAD_SIZE',
      `${OK}transfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
    ],
    [
      'with 17 kB behind the sizes of chunks',
      'HEAD_SIZE',
      `${OK}transfer-encoding: chunked\r\n\r\n${`1;${'x'.repeat(1_700)}\r\ny\r\n`.repeat(10)}`,
    ],
  ];
  for (const [what, fault, text] of broken) {
    test(what, () => assert.equal(read(text), `ERR_ANSWER_${fault}`));
  }

  test('as soon as it does not begin like one, without an end of the line', () => {
    assert.equal(readPieces(['HTTQ']), 'ERR_ANSWER_STATUS_LINE');
    assert.equal(readPieces(['H', 'T', 'X']), 'ERR_ANSWER_STATUS_LINE');
  });
});

test('a reader takes one answer after the other, and keeps nothing of the last', () => {
  let body = '';
  const reader = new AnswerReader({
    onHead: () => true,
    onBody: (bytes) => {
      body = bytes.toString();
      return true;
    },
  });
  const texts = [
    `HTTP/1.1 103 Hints\r\n\r\n${OK}connection: close\r\nkeep-alive: timeout=9\r\ncontent-encoding: gzip\r\n${HI}`,
    `${OK}transfer-encoding: chunked\r\n\r\n2\r\nho\r\n0\r\n\r\n`,
    OK + HI,
  ];
  const seen = texts.map((text) => {
    const bytes = Buffer.from(text);
    assert.equal(reader.read(bytes, bytes.length), bytes.length);
    assert.equal(reader.isComplete, true);
    const { isPersistent, keepAliveS, contentCoding } = reader;
    reader.reset();
    return [body, isPersistent, keepAliveS, contentCoding];
  });
  assert.deepEqual(seen, [
    ['hi', false, 9, 'gzip'],
    ['ho', true, -1, ''],
    ['hi', true, -1, ''],
  ]);
});
