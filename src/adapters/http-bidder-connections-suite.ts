import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import type { BidderReply } from '../ports/bidder-client.ts';
import { ask, createClient, openClients, type Subject } from './http-bidder-fixture.ts';
import { startRawServer, startServer, until, type TestServer } from './http-fixture.ts';

/** Which connection a call goes out on, and what becomes of it. */
export function describeConnections(subject: Subject): void {
  const { client, closers } = openClients(subject);

  async function bidder(...args: Parameters<typeof startServer>) {
    const started = await startServer(...args);
    closers.push(() => started.close());
    return started;
  }

  function answer(body: string, status = 200): BidderReply {
    return { kind: 'answer', status, body };
  }

  async function rawBidder(misbehave: (socket: Socket) => void): Promise<TestServer> {
    const started = await startRawServer(misbehave);
    closers.push(() => started.close());
    return started;
  }

  const OK = 'HTTP/1.1 200 OK\r\n';

  /** An answer with a body that tells the first from the second, and so on. */
  function numbered(number: number): string {
    return `${OK}content-length: 1\r\n\r\n${number}`;
  }

  describe('no answer reaches another call', () => {
    const surplus: [what: string, more: string][] = [
      ['a second answer', numbered(9)],
      ['the beginning of one', 'HTTP/1.1 2'],
      ['an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ];
    for (const [what, more] of surplus) {
      test(`${what} behind one costs the connection`, async () => {
        const started = await rawBidder((socket) => {
          socket.write(numbered(started.requests) + more);
        });
        const asking = client({ connectionsMax: 1 });
        for (let number = 1; number <= 3; number += 1) {
          assert.deepEqual(await ask(asking, started.endpoint), answer(String(number)));
        }
        assert.equal(started.connections, 3);
      });

      test(`${what} on an idle connection costs it`, async () => {
        const started = await rawBidder((socket) => {
          socket.write(numbered(started.requests));
          setTimeout(() => socket.write(more), 10);
        });
        const asking = client({ connectionsMax: 1 });
        for (let number = 1; number <= 3; number += 1) {
          assert.deepEqual(await ask(asking, started.endpoint), answer(String(number)));
          await until(() => started.open === 0, 'the connection is closed');
        }
        assert.equal(started.connections, 3);
      });
    }

    test('whether the body is wanted or not', async () => {
      const started = await rawBidder((socket) => {
        socket.write(`HTTP/1.1 204 No Content\r\ncontent-length: 50\r\n\r\n${numbered(9)}`);
      });
      const asking = client({ connectionsMax: 1 });
      for (let time = 0; time < 3; time += 1) {
        assert.deepEqual(await ask(asking, started.endpoint), answer('', 204));
      }
      assert.equal(started.connections, 3);
    });
  });

  describe('a request that was sent is not sent again', () => {
    for (const [what, end] of [
      ['closes the connection', (socket: Socket) => socket.end()],
      ['resets it', (socket: Socket) => socket.resetAndDestroy()],
    ] as const) {
      test(`when the bidder ${what}, though it had kept it before`, async () => {
        const started = await rawBidder((socket) => {
          if (started.requests === 1) socket.write(numbered(1));
          else end(socket);
        });
        const asking = client();
        assert.deepEqual(await ask(asking, started.endpoint), answer('1'));
        await until(() => asking.inFlight(started.endpoint) === 0, 'the connection is free');
        const reply = await ask(asking, started.endpoint);
        assert.equal(reply.kind, 'error');
        assert.deepEqual([started.requests, started.connections], [2, 1]);
      });
    }

    test('and one with a header that would end early is never sent', async () => {
      const started = await rawBidder(() => {});
      for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { 'x-a': 'b\nc' }, { 'x-a\r\nx-b': 'c' }]) {
        const reply = await ask(client(), started.endpoint, { headers });
        assert.equal(reply.kind, 'error', JSON.stringify(headers));
      }
      assert.equal(started.requests, 0);
    });
  });

  test('a connection that the bidder keeps for a second is not used again', async () => {
    const started = await rawBidder((socket) => {
      socket.write(`${OK}keep-alive: timeout=1, max=100\r\ncontent-length: 1\r\n\r\n1`);
    });
    const asking = client();
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(await ask(asking, started.endpoint), answer('1'));
      await until(() => started.open === 0, 'the connection is closed');
    }
    assert.equal(started.connections, 2);
  });

  test('five hundred bidders are asked at a time, on a connection each', async () => {
    const bidders = await Promise.all(
      Array.from({ length: 500 }, (_, number) =>
        bidder((_request, response) => response.end(String(number))),
      ),
    );
    const asking = client();
    for (let round = 0; round < 2; round += 1) {
      const replies = await Promise.all(
        bidders.map(({ endpoint }) => ask(asking, endpoint, { withinMs: 30_000 })),
      );
      assert.deepEqual(
        replies,
        bidders.map((_, number) => answer(String(number))),
      );
      await until(
        () => bidders.every(({ endpoint }) => asking.inFlight(endpoint) === 0),
        'all free',
      );
    }
    assert.ok(bidders.every(({ connections }) => connections === 1));
  });

  describe('connections', () => {
    test('are kept and used again by a thousand concurrent calls', async () => {
      const started = await bidder((_request, response, body) => response.end(body));
      const asking = client({ connectionsMax: 40, inFlightMax: 1000 });
      const asked = (round: number): Promise<BidderReply[]> =>
        Promise.all(
          Array.from({ length: 1000 }, (_, n) =>
            ask(asking, started.endpoint, { body: `{"id":"${round} ${n}"}`, withinMs: 10_000 }),
          ),
        );
      for (let round = 0; round < 3; round += 1) {
        const replies = await asked(round);
        assert.deepEqual(
          replies,
          replies.map((_, n) => answer(`{"id":"${round} ${n}"}`)),
        );
      }
      assert.equal(started.requests, 3000);
      assert.ok(started.connections <= 40, `${started.connections} connections`);
      assert.equal(asking.inFlight(started.endpoint), 0);
    });

    test('are shared by the endpoints of an origin, while each counts its own calls', async () => {
      const started = await bidder((_request, response) => {
        setTimeout(() => response.end('{}'), 20);
      });
      const asking = client();
      const first = ask(asking, started.endpoint);
      assert.equal(asking.inFlight(started.endpoint), 1);
      assert.equal(asking.inFlight(`${started.endpoint}/other`), 0);
      await first;
      await until(() => asking.inFlight(started.endpoint) === 0, 'the connection is free');
      await ask(asking, `${started.endpoint}/other`);
      assert.equal(started.connections, 1);
    });

    test('that are all taken keep a call waiting until its deadline, and it is never sent', async () => {
      const started = await bidder((_request, response) => {
        setTimeout(() => response.end('{}'), 100);
      });
      const asking = client({ connectionsMax: 1 });
      const first = ask(asking, started.endpoint);
      assert.deepEqual(await ask(asking, started.endpoint, { withinMs: 20 }), { kind: 'timeout' });
      assert.deepEqual(await first, answer('{}'));
      await until(() => asking.inFlight(started.endpoint) === 0, 'the waiting call is dropped');
      assert.deepEqual(await ask(asking, started.endpoint), answer('{}'));
      assert.equal(started.requests, 2);
      assert.equal(started.connections, 1);
    });

    test('that the bidder closes after each answer are opened anew', async () => {
      const started = await bidder((_request, response) => {
        response.setHeader('connection', 'close');
        response.end('{}');
      });
      const asking = client();
      for (let n = 0; n < 3; n += 1)
        assert.deepEqual(await ask(asking, started.endpoint), answer('{}'));
      assert.equal(started.connections, 3);
    });

    test('of endpoints long unused are forgotten', async () => {
      const started = await bidder((_request, response) => response.end('{}'));
      const asking = client();
      for (let n = 0; n < 1100; n += 1) {
        assert.deepEqual(await ask(asking, `${started.endpoint}/${n}`), answer('{}'));
      }
      assert.ok(started.connections > 1);
      await until(() => started.open <= 2, 'the connections of the forgotten are closed');
    });
  });

  describe('close', () => {
    test('ends open calls with an error, refuses later ones, and leaves no socket or timer', async () => {
      const resources = (): string[] =>
        process
          .getActiveResourcesInfo()
          .filter((name) => name.startsWith('TCP') || name.startsWith('TLS') || name === 'Timeout')
          .sort();
      await until(() => !resources().some((name) => name !== 'Timeout'), 'other tests are over');
      const before = resources();
      const hanging = await startServer(() => {});
      const slow = await startServer((_request, response) => response.end('{}'));
      const silent = await startRawServer(() => {});
      for (const started of [hanging, slow, silent]) closers.push(() => started.close());
      const closing = createClient(subject, { connectionsMax: 2 });
      assert.deepEqual(await ask(closing, slow.endpoint), answer('{}'));
      const late = ask(closing, hanging.endpoint, { withinMs: 10 });
      assert.deepEqual(await late, { kind: 'timeout' });
      const open = [1, 2, 3, 4].map(() => ask(closing, hanging.endpoint));
      // Its TLS handshake never gets an answer, so this one is still on its way.
      const connecting = ask(closing, silent.endpoint.replace('http:', 'https:'));
      await until(
        () => hanging.requests >= 2 && silent.connections >= 1,
        'both connections are used',
      );
      await closing.close();
      for (const reply of await Promise.all([...open, connecting]))
        assert.equal(reply.kind, 'error');
      assert.equal(closing.inFlight(hanging.endpoint), 0);
      const refused = await ask(closing, slow.endpoint);
      assert.deepEqual(refused, { kind: 'error', code: 'ERR_CLIENT_CLOSED' });
      await until(() => hanging.open + slow.open + silent.open === 0, 'the sockets are closed');
      await Promise.all([hanging.close(), slow.close(), silent.close()]);
      await until(() => isDeepStrictEqual(resources(), before), 'nothing is left open');
    });

    test('may be called twice', async () => {
      const closing = createClient(subject);
      await closing.close();
      await closing.close();
    });
  });
}
