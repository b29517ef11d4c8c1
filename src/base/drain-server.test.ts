import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { drainServer } from './drain-server.ts';

const IDLE_MS = 100;
const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

async function serve(t: TestContext): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => response.end('ok'));
  t.after(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { server, port: address.port };
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(REQUEST);
  await once(socket, 'data');
  return socket;
}

/** Stops the event loop. */
function blockFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('a request that has come when idle connections are closed is answered', async (t) => {
  const { server, port } = await serve(t);
  const sockets = await Promise.all(Array.from({ length: 20 }, () => opened(port)));
  const drained = drainServer(server, { idleMs: IDLE_MS, isBusy: () => false });
  const answers = sockets.map((socket) => once(socket, 'data'));
  // From an immediate the loop comes to its timers before it reads: the one that closes is due, and
  // the kernel has requests that nobody has read.
  setTimeout(() => {
    setImmediate(() => {
      for (const socket of sockets) socket.write(REQUEST);
      blockFor(IDLE_MS);
    });
  }, IDLE_MS / 2);
  for (const [answer] of await Promise.all(answers))
    assert.match(String(answer), /^HTTP\/1\.1 200/);
  await drained;
});

test('connections that stay silent are closed, and then those that have begun and do not end', async (t) => {
  const { server, port } = await serve(t);
  const silent = await opened(port);
  const halfOpen = await opened(port);
  halfOpen.write('GET / HT');
  const ended: string[] = [];
  for (const [name, socket] of Object.entries({ silent, halfOpen })) {
    socket.resume().on('close', () => ended.push(name));
  }
  await drainServer(server, { idleMs: IDLE_MS, isBusy: () => false });
  for (const socket of [silent, halfOpen]) if (!socket.closed) await once(socket, 'close');
  assert.deepEqual(ended, ['silent', 'halfOpen']);
});

test('what is under way is waited for', async (t) => {
  const { server, port } = await serve(t);
  let isBusy = true;
  const halfOpen = await opened(port);
  halfOpen.write('GET / HT');
  let looks = 0;
  const drained = drainServer(server, {
    idleMs: 10,
    isBusy: () => {
      looks += 1;
      if (looks === 5) isBusy = false;
      return isBusy;
    },
  });
  await drained;
  assert.equal(looks, 5);
});
