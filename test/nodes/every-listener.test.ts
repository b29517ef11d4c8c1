import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startNode } from '../support/node.ts';

const HOST = 'host: a\r\nconnection: close\r\n';

/** What is sent to every listener, and the status that it answers with, whatever it serves. */
const SENT: readonly (readonly [text: string, status: number | null])[] = [
  [`GET /livez HTTP/1.1\r\n${HOST}\r\n`, null],
  [`GET /nothing-here HTTP/1.1\r\n${HOST}\r\n`, null],
  [`POST /nothing-here HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n{}`, null],
  [`POST /livez HTTP/1.1\r\n${HOST}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501],
  [`POST /livez HTTP/1.1\r\n${HOST}Transfer-Encoding: GZIP , Chunked\r\n\r\n0\r\n\r\n`, 501],
  [`POST /livez HTTP/1.1\r\n${HOST}transfer-encoding: gzip\r\n\r\n`, null],
  [`GET / HTTP/1.1\r\n${HOST}expect: the-unexpected\r\n\r\n`, 417],
  // What node answers by itself.
  ['GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['GARBAGE\r\n\r\n', 400],
  [`GET / HTTP/1.1\r\n${HOST}x-long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
];

test('every listener answers with nosniff, and 501 to a body in a coding that it does not undo', async (t) => {
  const { urls, dataDirectory } = await startNode({ t });
  const internal: unknown = JSON.parse(
    readFileSync(join(dataDirectory, 'control.json'), 'utf8'),
  ).url;
  for (const [name, url] of Object.entries({ ...urls, internal: String(internal) })) {
    for (const [text, status] of SENT) {
      const what = `${name}: ${text.slice(0, 80)}`;
      const answer = await exchangeText(Number(new URL(url).port), text);
      assert.match(answer, /^x-content-type-options: nosniff\r$/im, `${what} got ${answer}`);
      if (status !== null) assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), what);
    }
  }
});

async function exchangeText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  // Whoever is answered before all was read finds the connection reset.
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close').catch(() => {});
  return answer;
}
