import assert from 'node:assert/strict';
import { once } from 'node:events';
import { BoundSocket, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { HTTP_OPTIONS } from '../base/http-server.ts';
import { listenOn } from './listen.ts';
import { createPublicServer } from './public.ts';

test('more connections than allowed are closed as they come, and those before keep their place', async (t) => {
  const app = createPublicServer({
    logger: pino({ level: 'silent' }),
    isReady: () => true,
  });
  const socket = new BoundSocket({ host: '127.0.0.1', port: 0 });
  const { port } = socket.address();
  const limits = { requestTimeout: HTTP_OPTIONS.requestTimeout, connectionsMax: 2 };
  await listenOn(app, socket.fd(), limits);
  t.after(() => {
    // Not closed: the descriptor is the bound socket's, as it is the supervisor's in a node.
    app.server.unref();
    app.server.closeAllConnections();
  });
  const open = async (): Promise<Socket> => {
    const client = connect(port, '127.0.0.1').on('error', () => {});
    t.after(() => client.destroy());
    await once(client, 'connect');
    return client;
  };
  const first = await open();
  // One byte, as an attacker sends to keep a place.
  first.write('G');
  await open();
  const refused = await open();
  refused.resume();
  await once(refused, 'close');
  first.write('ET /livez HTTP/1.1\r\nhost: a\r\n\r\n');
  const [answer]: Buffer[] = await once(first, 'data');
  assert.match(String(answer), /^HTTP\/1.1 200 /);
});

test('control looks for slow clients every second', (t) => {
  const app = createPublicServer({
    logger: pino({ level: 'silent' }),
    isReady: () => true,
  });
  t.after(() => app.close());
  const { headersTimeout } = app.server;
  const checked: unknown = Reflect.get(app.server, 'connectionsCheckingInterval');
  assert.deepEqual([headersTimeout, checked], [5_000, 1_000]);
});
