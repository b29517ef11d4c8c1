import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { HTTP_OPTIONS } from '../base/http-server.ts';
import { answerJson, answerNothing } from './answer.ts';

const GET = 'GET / HTTP/1.1\r\nhost: exchange\r\n\r\n';

/** Sends requests on one connection and gives all that comes until it ends, or the last has been answered with JSON. */
async function ask(
  t: TestContext,
  requests: string,
  answer: (response: ServerResponse, nth: number) => void,
): Promise<string> {
  let nth = 0;
  const answers = requests.split('\r\n\r\n').length - 1;
  const server = createServer(HTTP_OPTIONS, (_, response) => {
    nth += 1;
    answer(response, nth);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const socket = connect(address.port, '127.0.0.1');
  socket.write(requests);
  let text = '';
  for await (const piece of socket) {
    text += String(piece);
    if (text.split('HTTP/1.1 ').length > answers && text.endsWith('}')) break;
  }
  return text;
}

/** Status line and headers, sorted, as a client sees them. */
function headOf(text: string): string[] {
  const [head = ''] = text.split('\r\n\r\n', 1);
  return head
    .split('\r\n')
    .map((line) => line.replace(/^date: .*/i, 'date').toLowerCase())
    .sort();
}

const BODY = { text: 'é', end: 'END' };

test('an answer in one piece says what node would have said of it', async (t) => {
  const last = (response: ServerResponse): void => {
    response.end();
  };
  const ours = await ask(t, GET + GET, (response, nth) => {
    if (nth === 1) answerJson(response, 200, BODY);
    else last(response.writeHead(200, { connection: 'close' }));
  });
  const theirs = await ask(t, GET + GET, (response, nth) => {
    if (nth > 1) return last(response.writeHead(200, { connection: 'close' }));
    const body = JSON.stringify(BODY);
    response.writeHead(200, {
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  assert.deepEqual(headOf(ours), headOf(theirs));
  assert.match(ours, /\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/i);
  assert.match(ours, /\r\n\r\n\{"text":"é","end":"END"\}HTTP\/1\.1 200 OK\r\n/);
});

test('answers come in the order of their requests, whoever is ready first', async (t) => {
  let first: ServerResponse | null = null;
  const text = await ask(t, GET + GET + GET, (response, nth) => {
    if (nth === 1) {
      first = response;
      return;
    }
    answerJson(response, 200, { nth });
    if (nth < 3) return;
    assert.ok(first !== null);
    answerNothing(first, 'feed');
  });
  const [, one = '', two = '', three = ''] = text.split('HTTP/1.1 ');
  assert.match(one, /^204 No Content\r\n[^]*\r\nx-auction-id: feed\r\n\r\n$/);
  assert.match(two, /\{"nth":2\}$/);
  assert.match(three, /\{"nth":3\}$/);
});

test('an answer that ends its connection, or has headers of its own, is left to node', async (t) => {
  const text = await ask(t, GET, (response) => {
    response.setHeader('connection', 'close');
    answerNothing(response, 'feed');
  });
  assert.match(text, /\r\nconnection: close\r\n/i);
  assert.match(text, /\r\nx-auction-id: feed\r\n/);
  const old = await ask(t, 'GET / HTTP/1.0\r\n\r\n', (response) => answerJson(response, 200, {}));
  assert.match(old, /\r\nconnection: close\r\n/i);
});
