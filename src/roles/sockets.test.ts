import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CommandError } from '../base/errors.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { BoundSockets } from './sockets.ts';

const PLACE = { host: 'host', port: 'exchangePort' } as const;

function settingsOf(flags: Record<string, string>): Settings {
  const read = readSettings({ '--host': '127.0.0.1', ...flags }, {});
  assert.ok(read.ok);
  return read.settings;
}

async function listening() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { server, port: address.port };
}

test('port 0 takes a free one, which is known afterwards', async () => {
  const sockets = new BoundSockets();
  await sockets.bind('exchange', PLACE, settingsOf({ '--exchange-port': '0' }), false);
  assert.ok(sockets.port('exchange') > 0);
  assert.ok(sockets.descriptor('exchange') > 2);
  sockets.close();
});

test('a port in use is told with the option and the variable that change it', async () => {
  const { server, port } = await listening();
  const sockets = new BoundSockets();
  await assert.rejects(
    sockets.bind('exchange', PLACE, settingsOf({ '--exchange-port': String(port) }), false),
    new CommandError(
      `Port ${port} is already in use; choose another with --exchange-port (RIALTO_EXCHANGE_PORT).`,
    ),
  );
  server.close();
});

test('an address of another machine is told with the option that changes it', async () => {
  await assert.rejects(
    new BoundSockets().bind('exchange', PLACE, settingsOf({ '--host': '192.0.2.1' }), false),
    (error) =>
      error instanceof CommandError && /192\.0\.2\.1.*--host \(RIALTO_HOST\)/.test(error.message),
  );
});

test('after a crash, a port that is still in use is waited for', async () => {
  const { server, port } = await listening();
  const sockets = new BoundSockets();
  const binding = sockets.bind(
    'exchange',
    PLACE,
    settingsOf({ '--exchange-port': String(port) }),
    true,
  );
  setTimeout(() => server.close(), 250);
  await binding;
  assert.equal(sockets.port('exchange'), port);
  sockets.close();
});
