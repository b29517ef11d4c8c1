import assert from 'node:assert/strict';
import { createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';

import { createAddressPolicy } from '../base/address-policy.ts';
import { createGuardedConnect } from './guarded-connect.ts';

const isAddressAllowed = createAddressPolicy(['127.0.0.1/32']);

let server: Server;
let port: string;
let connections: number;

before(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' ? String(address?.port) : '';
});
beforeEach(() => {
  connections = 0;
});
after(() => server.close());

/** Answers each question with the next of the answers, as a name server that changes its mind. */
function rebinding(...answers: string[][]): { lookup: LookupFunction; asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    lookup: (_hostname, options, callback) => {
      const answer = answers[asked] ?? [];
      asked += 1;
      assert.equal(options.all, true);
      const addresses = answer.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
      process.nextTick(callback, null, addresses);
    },
  };
}

type Outcome = { code: string; message: string } | { remoteAddress: string };

function connectOnce(
  connect: ReturnType<typeof createGuardedConnect>,
  hostname: string,
  protocol = 'http:',
): Promise<Outcome> {
  return new Promise((resolve) => {
    connect({ hostname, host: hostname, protocol, port }, (error, socket) => {
      if (error !== null) {
        const code = 'code' in error ? String(error.code) : '';
        resolve({ code, message: error.message });
        return;
      }
      resolve({ remoteAddress: socket.remoteAddress ?? '' });
      socket.on('error', () => {});
      socket.destroy();
    });
  });
}

async function refusal(outcome: Promise<Outcome>): Promise<string> {
  const result = await outcome;
  assert.ok('code' in result, JSON.stringify(result));
  assert.equal(result.code, 'ERR_ADDRESS_REFUSED');
  return result.message;
}

describe('a literal address', () => {
  test('that is allowed is connected to', async () => {
    const connect = createGuardedConnect({ isAddressAllowed });
    assert.deepEqual(await connectOnce(connect, '127.0.0.1'), { remoteAddress: '127.0.0.1' });
  });

  for (const hostname of ['127.0.0.2', '169.254.169.254', '::1', '[::1]', '::ffff:10.0.0.1']) {
    for (const protocol of ['http:', 'https:']) {
      test(`${protocol}//${hostname} is refused before anything is sent`, async () => {
        const connect = createGuardedConnect({ isAddressAllowed });
        const message = await refusal(connectOnce(connect, hostname, protocol));
        assert.match(message, /is not a public address; allow its range/);
        assert.equal(connections, 0);
      });
    }
  }

  test('in a spelling that only the resolver understands is refused', async () => {
    const connect = createGuardedConnect({ isAddressAllowed: createAddressPolicy([]) });
    for (const hostname of ['2130706433', '0177.0.0.1', '0x7f.1']) {
      const outcome = await connectOnce(connect, hostname);
      assert.ok('code' in outcome && outcome.code !== '', hostname);
    }
    assert.equal(connections, 0);
  });

  test('is never refused before the caller has returned', () => {
    const connect = createGuardedConnect({ isAddressAllowed });
    let called = false;
    connect({ hostname: '10.0.0.1', protocol: 'http:', port }, () => {
      called = true;
    });
    assert.equal(called, false);
  });
});

describe('a name', () => {
  test('is resolved once, and the address that was checked is the one connected to', async () => {
    const { lookup, asked } = rebinding(['127.0.0.1'], ['10.0.0.1']);
    const connect = createGuardedConnect({ isAddressAllowed, lookup });
    assert.deepEqual(await connectOnce(connect, 'bidder.test'), { remoteAddress: '127.0.0.1' });
    assert.equal(asked(), 1);
  });

  test('that turns to the inside afterwards is refused at the next connection', async () => {
    const { lookup } = rebinding(['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254', '::1']);
    const connect = createGuardedConnect({ isAddressAllowed, lookup });
    await connectOnce(connect, 'bidder.test');
    assert.match(await refusal(connectOnce(connect, 'bidder.test')), /resolves to 10\.0\.0\.1/);
    const message = await refusal(connectOnce(connect, 'bidder.test', 'https:'));
    assert.match(message, /resolves to 169\.254\.169\.254, ::1, which is not public/);
  });

  test('with addresses of both kinds is connected to by the allowed ones alone', async () => {
    const answer = ['10.0.0.1', '::1', '127.0.0.1', '::ffff:10.0.0.1'];
    const { lookup } = rebinding(answer);
    const seen: string[] = [];
    const connect = createGuardedConnect({
      isAddressAllowed: (ip) => {
        seen.push(ip);
        return isAddressAllowed(ip);
      },
      lookup,
    });
    assert.deepEqual(await connectOnce(connect, 'bidder.test'), { remoteAddress: '127.0.0.1' });
    assert.deepEqual(seen, answer);
  });

  test('that resolves to nothing is refused', async () => {
    const connect = createGuardedConnect({ isAddressAllowed, lookup: rebinding([]).lookup });
    await refusal(connectOnce(connect, 'bidder.test'));
  });

  test("that cannot be resolved gives the resolver's error", async () => {
    const connect = createGuardedConnect({
      isAddressAllowed,
      lookup: (_hostname, _options, callback) => {
        const error = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        process.nextTick(callback, error, []);
      },
    });
    const outcome = await connectOnce(connect, 'bidder.test');
    assert.ok('code' in outcome && outcome.code === 'ENOTFOUND');
  });

  test('is resolved by the system unless told otherwise', async () => {
    const connect = createGuardedConnect({ isAddressAllowed });
    assert.deepEqual(await connectOnce(connect, 'localhost'), { remoteAddress: '127.0.0.1' });
  });
});

test('a rule that changes holds from the next connection on', async () => {
  let allowed = true;
  const connect = createGuardedConnect({ isAddressAllowed: () => allowed });
  assert.deepEqual(await connectOnce(connect, '127.0.0.1'), { remoteAddress: '127.0.0.1' });
  allowed = false;
  await refusal(connectOnce(connect, '127.0.0.1'));
});

test('sockets on their way are known to the owner until they have arrived or failed', async () => {
  const connecting = new Set<Socket>();
  const connect = createGuardedConnect({ isAddressAllowed, connecting });
  const outcome = connectOnce(connect, '127.0.0.1');
  assert.equal(connecting.size, 1);
  await outcome;
  assert.equal(connecting.size, 0);
  const failed = connectOnce(connect, '127.0.0.1', 'https:');
  assert.equal(connecting.size, 1);
  await failed;
  assert.equal(connecting.size, 0);
});
