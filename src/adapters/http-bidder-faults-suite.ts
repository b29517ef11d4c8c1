import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';

import fc from 'fast-check';

import type { BidderReply } from '../ports/bidder-client.ts';
import { ask, openClients, type Subject, type TestCall } from './http-bidder-fixture.ts';
import { startRawServer, until, type TestServer } from './http-fixture.ts';

/** What bidders do wrong. */
export function describeFaults(subject: Subject): void {
  const { client, closers } = openClients(subject);

  async function rawBidder(misbehave: (socket: Socket) => void): Promise<TestServer> {
    const started = await startRawServer(misbehave);
    closers.push(() => started.close());
    return started;
  }

  /** One call to a bidder that misbehaves; afterwards nothing of it may be left. */
  async function askOnce(
    misbehave: (socket: Socket) => void,
    call: TestCall = {},
  ): Promise<BidderReply> {
    const { endpoint } = await rawBidder(misbehave);
    const asking = client();
    const reply = await ask(asking, endpoint, call);
    await until(() => asking.inFlight(endpoint) === 0, 'the call is over');
    return reply;
  }

  /** Writes as fast as the other side takes it; returns how much that was. */
  function pour(socket: Socket, piece: Buffer): { bytes: number } {
    const poured = { bytes: 0 };
    const write = (): void => {
      while (!socket.destroyed && poured.bytes < 256 * 1024 * 1024) {
        poured.bytes += piece.length;
        if (!socket.write(piece)) break;
      }
    };
    socket.on('drain', write);
    write();
    return poured;
  }

  const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const OVERSIZED = { kind: 'oversized', bytesMax: 256 * 1024 };

  /** As undici says it, or as the client on sockets does. */
  const CLOSED = /^(UND_ERR_SOCKET|ERR_CONNECTION_CLOSED)$/;
  const RESET = /^(ECONNRESET|UND_ERR_SOCKET|ERR_CONNECTION_CLOSED)$/;
  const BROKEN = /^(HTTPParserError|ERR_ANSWER_(STATUS_LINE|HEADER|CHUNK))$/;

  describe('a bidder that breaks off or talks nonsense is an error', () => {
    const faults: [what: string, code: RegExp, misbehave: (socket: Socket) => void][] = [
      ['closes without an answer', CLOSED, (socket) => socket.end()],
      ['resets the connection', RESET, (socket) => socket.resetAndDestroy()],
      [
        'resets it in the middle of the body',
        RESET,
        (socket) => {
          socket.write(`${OK}content-length: 100\r\n\r\n{"id"`, () => socket.resetAndDestroy());
        },
      ],
      [
        'closes it in the middle of the body',
        /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_SOCKET|ERR_CONNECTION_CLOSED)$/,
        (socket) => socket.end(`${OK}content-length: 100\r\n\r\n{"id"`),
      ],
      ['sends garbage', BROKEN, (socket) => socket.write('\u0000\u0001garbage\r\n\r\n')],
      ['speaks another protocol', BROKEN, (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n')],
      [
        'sends garbage headers',
        BROKEN,
        (socket) => socket.write('HTTP/1.1 200 OK\r\nbad header\u0000: x\r\n\r\n'),
      ],
      [
        'sends garbage chunks',
        BROKEN,
        (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`),
      ],
      [
        'sends one huge header',
        /^(UND_ERR_HEADERS_OVERFLOW|ERR_ANSWER_HEAD_SIZE)$/,
        (socket) => socket.write(`${OK}x-pad: ${'x'.repeat(20_000)}\r\n\r\n`),
      ],
      [
        'sends headers without end',
        /^(UND_ERR_HEADERS_OVERFLOW|ERR_ANSWER_HEAD_SIZE)$/,
        (socket) => {
          socket.write(OK);
          pour(socket, Buffer.from('x-pad: 0123456789abcdef\r\n'.repeat(200)));
        },
      ],
      [
        'sends what is not gzip',
        /Z_DATA_ERROR/,
        (socket) => socket.write(`${OK}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`),
      ],
      [
        'sends half of the gzip',
        /Z_BUF_ERROR/,
        (socket) => {
          const half = gzipSync('{"id":"1"}').subarray(0, 15);
          socket.write(`${OK}content-encoding: gzip\r\ncontent-length: 15\r\n\r\n`);
          socket.write(half);
        },
      ],
      [
        'calls deflate gzip',
        /Z_DATA_ERROR/,
        (socket) => {
          const body = deflateSync('{"id":"1"}');
          socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
          socket.write(body);
        },
      ],
      [
        'wants another protocol',
        /^(UND_ERR_SOCKET|ERR_ANSWER_INTERIM)$/,
        (socket) =>
          socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ],
    ];
    for (const [what, code, misbehave] of faults) {
      test(what, async () => {
        const reply = await askOnce(misbehave);
        assert.ok(reply.kind === 'error', JSON.stringify(reply));
        assert.match(reply.code, code);
      });
    }

    test('has nobody listening', async () => {
      const gone = await startRawServer(() => {});
      await gone.close();
      assert.deepEqual(await ask(client(), gone.endpoint), { kind: 'error', code: 'ECONNREFUSED' });
    });

    test('speaks no TLS', async () => {
      const { endpoint } = await rawBidder(() => {});
      const silent = ask(client(), endpoint.replace('http:', 'https:'), { withinMs: 50 });
      assert.deepEqual(await silent, { kind: 'timeout' });
      const asking = client();
      const { endpoint: plain } = await rawBidder(() => {});
      const reply = ask(asking, plain.replace('http:', 'https:'), { withinMs: 5000 });
      const late = await reply;
      assert.match(late.kind === 'error' ? late.code : late.kind, /_CONNECT_TIMEOUT$/);
    });
  });

  describe('a bidder that sends too much is oversized', () => {
    test('by the length it declares, without reading it', async () => {
      const reply = await askOnce((socket) => {
        socket.write(`${OK}content-length: 1000000000\r\n\r\n`);
      });
      assert.deepEqual(reply, OVERSIZED);
    });

    test('by a body without end, of which little more than the limit is read', async () => {
      let poured = { bytes: 0 };
      const reply = await askOnce((socket) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
        poured = pour(socket, Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`));
      });
      assert.deepEqual(reply, OVERSIZED);
      // What lies in the kernel's buffers on both sides counts as poured too.
      assert.ok(poured.bytes < 16 * 1024 * 1024, `${poured.bytes} bytes`);
    });

    test('by chunks of one byte, for which no object is kept each', async () => {
      const before = process.memoryUsage().heapUsed;
      const reply = await askOnce(
        (socket) => {
          socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
          pour(socket, Buffer.from('1\r\nx\r\n'.repeat(10_000)));
        },
        { withinMs: 10_000 },
      );
      assert.deepEqual(reply, OVERSIZED);
      assert.ok(process.memoryUsage().heapUsed - before < 64 * 1024 * 1024);
    });

    for (const [what, size] of [
      ['a small bomb', 10_000_000],
      ['a large bomb', 200_000_000],
    ] as const) {
      test(`by gzip: ${what} costs no more than the limit`, async () => {
        const bomb = gzipSync(Buffer.alloc(size));
        const { endpoint } = await rawBidder((socket) => {
          socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
          socket.write(bomb);
        });
        const asking = client();
        await ask(asking, endpoint);
        const cpu = process.cpuUsage();
        const { rss } = process.memoryUsage();
        for (let n = 0; n < 50; n += 1) assert.deepEqual(await ask(asking, endpoint), OVERSIZED);
        const { user, system } = process.cpuUsage(cpu);
        assert.ok(user + system < 2_000_000, `${user + system} µs`);
        assert.ok(process.memoryUsage().rss - rss < 64 * 1024 * 1024);
      });
    }

    test('by the body of a status other than 200: the status counts, the connection is dropped', async () => {
      const started = await rawBidder((socket) => {
        socket.write('HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n');
        pour(socket, Buffer.from(`1000\r\n${'x'.repeat(4096)}\r\n`));
      });
      const asking = client();
      const reply = await ask(asking, started.endpoint);
      assert.deepEqual(reply, { kind: 'answer', status: 500, body: '' });
      await until(() => started.open === 0, 'the connection is dropped');
      assert.equal(asking.inFlight(started.endpoint), 0);
    });
  });

  describe('a bidder that takes its time is a timeout at the deadline', () => {
    const slow: [what: string, misbehave: (socket: Socket) => void][] = [
      ['says nothing', () => {}],
      ['drips its headers', (socket) => drip(socket, '', `${OK}${'x-a: b\r\n'.repeat(500)}\r\n`)],
      [
        'drips its body',
        (socket) => drip(socket, `${OK}content-length: 9999\r\n\r\n`, ' '.repeat(9999)),
      ],
      [
        'sends interim responses for ever',
        (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)),
      ],
      [
        'stops short of the last byte',
        (socket) => socket.write(`${OK}content-length: 3\r\n\r\n{}`),
      ],
      [
        'never ends its chunks',
        (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
      ],
    ];
    for (const [what, misbehave] of slow) {
      test(what, async () => {
        const started = await rawBidder(misbehave);
        const asking = client({ lateGraceMs: 40 });
        const startMs = performance.now();
        const reply = await ask(asking, started.endpoint, { withinMs: 60 });
        const tookMs = performance.now() - startMs;
        assert.deepEqual(reply, { kind: 'timeout' });
        assert.ok(tookMs > 58, `${tookMs} ms`);
        await until(() => started.open === 0, 'the connection is closed');
        assert.equal(asking.inFlight(started.endpoint), 0);
      });
    }

    test('save for a status other than 200, whose body nobody waits for', async () => {
      const started = await rawBidder((socket) =>
        drip(socket, 'HTTP/1.1 503 Busy\r\ncontent-length: 999\r\n\r\n', ' '.repeat(999)),
      );
      const asking = client();
      const reply = await ask(asking, started.endpoint, { withinMs: 60 });
      assert.deepEqual(reply, { kind: 'answer', status: 503, body: '' });
      await until(() => started.open === 0, 'the connection is closed at the deadline');
    });

    function drip(socket: Socket, head: string, rest: string): void {
      socket.write(head);
      let at = 0;
      const timer = setInterval(() => {
        socket.write(rest.charAt(at));
        at += 1;
      }, 5);
      socket.on('close', () => clearInterval(timer));
    }
  });

  test('whatever a bidder does, each call is settled once and nothing stays open', async () => {
    const moves: ((socket: Socket) => void)[] = [
      (socket) => socket.write(`${OK}content-length: 2\r\n\r\n{}`),
      (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
      (socket) => socket.write(`${OK}content-length: 5\r\n\r\n{}`),
      (socket) => socket.end(`${OK}\r\n{"until":"close"}`),
      (socket) => socket.write(`${OK}content-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nunasked`),
      (socket) => socket.write('nonsense\r\n\r\n'),
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => setTimeout(() => socket.write(`${OK}content-length: 2\r\n\r\n{}`), 30),
      (socket) => setTimeout(() => socket.destroy(), 25),
      () => {},
    ];
    let left: number[] = [];
    const started = await rawBidder((socket) => moves[left.shift() ?? 0]?.(socket));
    const asking = client({ connectionsMax: 3, inFlightMax: 10, lateGraceMs: 15 });
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(moves.length - 1), fc.integer({ min: -1, max: 40 })), {
        minLength: 1,
        maxLength: 14,
      }),
      async (calls) => {
        left = calls.map(([move]) => move);
        const replies = calls.map(([, withinMs]) => ask(asking, started.endpoint, { withinMs }));
        for (const { kind } of await Promise.all(replies)) {
          assert.ok(['answer', 'timeout', 'error', 'busy'].includes(kind));
        }
        await until(() => asking.inFlight(started.endpoint) === 0, 'all calls are over');
      },
    );
    await fc.assert(property, { numRuns: subject.runs });
  });

  test('a fault of the one who asked is not swallowed', () => {
    const program = `
    import { createClient } from ${JSON.stringify(import.meta.resolve('./http-bidder-fixture.ts'))};
    const [create] = Object.values(await import(${JSON.stringify(subject.module)}));
    const call = { endpoint: 'http://127.0.0.1:1/', openrtbVersion: '2.5', headers: {}, body: '{}', gzip: false };
    createClient({ create }).ask({ ...call, deadlineMs: performance.now() + 1000 }, () => {
      throw new Error('a fault in settle');
    });`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module-typescript', '--eval', program],
      { encoding: 'utf8' },
    );
    assert.match(stderr, /a fault in settle/);
    assert.notEqual(status, 0);
  });
}
