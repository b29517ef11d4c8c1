import assert from 'node:assert/strict';
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { test } from 'node:test';

import { createNameLookup, type NameServers } from './name-lookup.ts';

type Script = Readonly<Record<string, readonly string[] | string | null>>;

/** Servers that answer with addresses or an error's code; null never answers. */
function serversOf(script: Script): NameServers {
  const answer =
    (suffix: string): NameServers['resolve4'] =>
    (hostname, callback) => {
      const said = script[`${hostname}/${suffix}`];
      if (said === null) return;
      queueMicrotask(() => {
        if (typeof said === 'object') return callback(null, [...said]);
        const code = said ?? dns.NOTFOUND;
        callback(Object.assign(new Error(code), { code }), []);
      });
    };
  return { resolve4: answer('4'), resolve6: answer('6') };
}

/** A system that knows some names, and waits for the others until it is told to let go. */
function systemOf(known: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const system: LookupFunction = (hostname, _options, callback) => {
    asked.push(hostname);
    const address = known[hostname];
    const answer = (): void => callback(null, [{ address: address ?? '192.0.2.9', family: 4 }]);
    if (address === undefined) waiting.push(answer);
    else queueMicrotask(answer);
  };
  return { system, asked, waiting };
}

function lookUp(lookup: LookupFunction, hostname: string): Promise<unknown> {
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (error, found) => resolve(error?.code ?? found));
  });
}

test('a name has the addresses of both families, those of the fourth version first', async () => {
  const { system, asked } = systemOf({});
  const servers = serversOf({ 'a.example/6': ['2001:db8::1'], 'a.example/4': ['192.0.2.1'] });
  const lookup = createNameLookup({ servers, system });
  assert.deepEqual(await lookUp(lookup, 'a.example'), [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  assert.deepEqual(asked, []);
});

test('a name without a dot, and one that no server knows, is asked of the system', async () => {
  const { system, asked } = systemOf({ localhost: '127.0.0.1', 'db.internal': '10.0.0.1' });
  const lookup = createNameLookup({ servers: serversOf({}), system });
  assert.deepEqual(await lookUp(lookup, 'localhost'), [{ address: '127.0.0.1', family: 4 }]);
  assert.deepEqual(await lookUp(lookup, 'db.internal'), [{ address: '10.0.0.1', family: 4 }]);
  assert.deepEqual(asked, ['localhost', 'db.internal']);
});

test('servers that do not answer take no thread of the system, and delay no other name', async () => {
  const { system, asked } = systemOf({});
  const servers = serversOf({
    'slow.example/4': dns.TIMEOUT,
    'dead.example/4': null,
    'dead.example/6': null,
    'good.example/4': ['192.0.2.1'],
  });
  const lookup = createNameLookup({ servers, system });
  assert.equal(await lookUp(lookup, 'slow.example'), dns.TIMEOUT);
  for (let times = 0; times < 100; times += 1) void lookUp(lookup, 'dead.example');
  assert.deepEqual(await lookUp(lookup, 'good.example'), [{ address: '192.0.2.1', family: 4 }]);
  assert.deepEqual(asked, []);
});

test('of names that no server knows one at a time is asked of the system', async () => {
  const { system, asked, waiting } = systemOf({});
  const lookup = createNameLookup({ servers: serversOf({}), system });
  const first = lookUp(lookup, 'one.example');
  assert.equal(await lookUp(lookup, 'two.example'), dns.NOTFOUND);
  assert.deepEqual(asked, ['one.example']);
  waiting[0]?.();
  await first;
  waiting.length = 0;
  void lookUp(lookup, 'three.example');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  assert.deepEqual(asked, ['one.example', 'three.example']);
});
