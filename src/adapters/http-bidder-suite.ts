import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

import type { AnswerHeaders, BidderReply } from '../ports/bidder-client.ts';
import { ask, openClients, type Subject } from './http-bidder-fixture.ts';
import { startServer, until } from './http-fixture.ts';

/** Requests and answers. */
export function describeRequests(subject: Subject): void {
  const { client, closers } = openClients(subject);

  async function bidder(...args: Parameters<typeof startServer>) {
    const started = await startServer(...args);
    closers.push(() => started.close());
    return started;
  }

  function answer(body: string, status = 200): BidderReply {
    return { kind: 'answer', status, body };
  }

  describe('a call that somebody looks at', () => {
    test('tells the headers of the answer, and its body whatever the status', async () => {
      for (const status of [200, 400, 503]) {
        const { endpoint } = await bidder((_request, response) => {
          response.writeHead(status, { 'x-why': 'a reason' });
          response.end('no such seat');
        });
        let why: unknown;
        const onHead = (headers: AnswerHeaders): void => {
          why = headers['x-why'];
        };
        const reply = await ask(client(), endpoint, { onHead });
        assert.deepEqual([reply, why], [answer('no such seat', status), 'a reason']);
        const other = await ask(client(), endpoint);
        assert.deepEqual(other, answer(status === 200 ? 'no such seat' : '', status));
      }
    });
  });

  describe('headers with the names of what objects inherit', () => {
    test('are headers like others', async () => {
      const { endpoint } = await bidder((_request, response) => {
        response.writeHead(200, ['constructor', 'a', '__proto__', 'b', 'x-why', 'a reason']);
        response.end('{}');
      });
      let why: unknown;
      const onHead = (headers: AnswerHeaders): void => {
        why = headers['x-why'];
      };
      const reply = await ask(client(), endpoint, { onHead });
      assert.deepEqual([reply, why], [answer('{}', 200), 'a reason']);
    });
  });

  describe('a bid request', () => {
    test('is a POST of JSON with the version of OpenRTB, to the path and query of the endpoint', async () => {
      let seen: IncomingMessage | undefined;
      let sent = '';
      const { endpoint } = await bidder((request, response, body) => {
        seen = request;
        sent = body.toString();
        response.end('{"id":"1"}');
      });
      const call = { body: '{"id":"é€"}', openrtbVersion: '2.2' } as const;
      const reply = await ask(client(), `${endpoint}/a?x=1&y=%20`, call);
      assert.deepEqual(reply, answer('{"id":"1"}'));
      // The client may write what is not ASCII as JSON's escapes.
      assert.deepEqual(JSON.parse(sent), JSON.parse(call.body));
      assert.equal(`${seen?.method} ${seen?.url}`, 'POST /bid/a?x=1&y=%20');
      const { host, ...headers } = seen?.headers ?? {};
      assert.ok(endpoint.includes(host ?? '-'));
      assert.deepEqual(headers, {
        connection: 'keep-alive',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(sent)),
        'x-openrtb-version': '2.2',
      });
    });

    test('carries the headers that the bidder wants, and what the exchange sets stays', async () => {
      const seen: IncomingMessage['headers'][] = [];
      const { endpoint } = await bidder((request, response) => {
        seen.push(request.headers);
        response.end();
      });
      const headers = { 'X-Api-Key': 'k 1', account: '7' };
      const asking = client();
      await ask(asking, endpoint, { headers });
      await ask(asking, endpoint, { headers, gzip: true, body: JSON.stringify('x'.repeat(2000)) });
      await ask(asking, endpoint, { headers: { 'X-Api-Key': 'k 2' } });
      await ask(asking, endpoint);
      assert.deepEqual(
        seen.map((each) => [each['x-api-key'], each['account'], each['content-encoding']]),
        [
          ['k 1', '7', undefined],
          ['k 1', '7', 'gzip'],
          ['k 2', undefined, undefined],
          [undefined, undefined, undefined],
        ],
      );
      const ours = seen.map((each) => [each['content-type'], each['x-openrtb-version']]);
      for (const each of ours) assert.deepEqual(each, ['application/json', '2.5']);
    });

    for (const [what, length, encoding] of [
      ['small', 100, undefined],
      ['of common size', 2000, 'gzip'],
      ['large', 50_000, 'gzip'],
    ] as const) {
      test(`${what} goes ${encoding ?? 'plain'} to a bidder with gzip`, async () => {
        let headers: IncomingMessage['headers'] = {};
        let sent: Buffer = Buffer.alloc(0);
        const { endpoint } = await bidder((request, response, body) => {
          ({ headers } = request);
          sent = body;
          response.end();
        });
        const body = JSON.stringify({ id: 'é'.repeat(length) });
        assert.deepEqual(await ask(client(), endpoint, { body, gzip: true }), answer(''));
        assert.equal(headers['content-encoding'], encoding);
        assert.equal(headers['accept-encoding'], 'gzip');
        const text = (encoding === 'gzip' ? gunzipSync(sent) : sent).toString();
        assert.deepEqual(JSON.parse(text), JSON.parse(body));
      });
    }

    test('to an address that is no URL of a bidder is an error', async () => {
      const asking = client();
      for (const endpoint of [
        '',
        'bidder',
        'ftp://127.0.0.1/',
        'http://',
        'http://a:b@127.0.0.1/',
      ]) {
        assert.deepEqual(await ask(asking, endpoint), { kind: 'error', code: 'ERR_INVALID_URL' });
      }
    });

    test('whose deadline has passed is not sent', async () => {
      const { endpoint } = await bidder((_request, response) => response.end());
      assert.deepEqual(await ask(client(), endpoint, { withinMs: 0 }), { kind: 'timeout' });
      assert.equal(client().inFlight(endpoint), 0);
    });

    test('to a refused address is an error, in every spelling', async () => {
      const guarded = client({ isAddressAllowed: () => false });
      for (const host of [
        '127.0.0.1',
        '2130706433',
        '0177.0.0.1',
        '[::ffff:7f00:1]',
        'localhost',
      ]) {
        const reply = await ask(guarded, `http://${host}:9/bid`);
        assert.deepEqual(reply, { kind: 'error', code: 'ERR_ADDRESS_REFUSED' }, host);
      }
    });
  });

  describe('an answer', () => {
    test('is passed on with its status; the body only where the status is 200', async () => {
      let status = 0;
      const started = await bidder((_request, response) => {
        response.writeHead(status, { location: 'http://127.0.0.1:9/elsewhere' });
        response.end(status === 204 || status === 304 ? undefined : 'text');
      });
      const asking = client();
      for (status of [200, 201, 204, 302, 307, 304, 400, 404, 500, 503]) {
        const reply = await ask(asking, started.endpoint);
        assert.deepEqual(reply, answer(status === 200 ? 'text' : '', status));
        await until(() => asking.inFlight(started.endpoint) === 0, 'the body is drained');
      }
      assert.equal(started.connections, 1);
    });

    test('may follow interim responses', async () => {
      const { endpoint } = await bidder((_request, response) => {
        response.writeEarlyHints({ link: '</a.css>; rel=preload' });
        response.writeProcessing();
        response.end('{}');
      });
      assert.deepEqual(await ask(client(), endpoint), answer('{}'));
    });

    test('in many pieces keeps the characters that were split', async () => {
      const text = JSON.stringify({ text: 'é€𝄞'.repeat(500) });
      const { endpoint } = await bidder((_request, response) => {
        response.socket?.setNoDelay(true);
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
        response.end();
      });
      assert.deepEqual(await ask(client(), endpoint), answer(text));
    });

    for (const [what, text] of [
      ['small', '{"id":"é"}'],
      ['large', JSON.stringify(Array.from({ length: 9000 }, (_, n) => Math.sin(n)))],
    ] as const) {
      test(`that is ${what} and gzipped is inflated, asked for or not`, async () => {
        const deflated = gzipSync(text);
        const { endpoint } = await bidder((_request, response) => {
          response.setHeader('content-encoding', 'gzip');
          response.write(deflated.subarray(0, 11));
          response.end(deflated.subarray(11));
        });
        for (const gzip of [true, false]) {
          assert.deepEqual(await ask(client(), endpoint, { gzip }), answer(text));
        }
      });
    }

    for (const [what, encoding] of [
      ['GZIP in capitals', 'GZIP'],
      ['Identity in capitals', 'Identity'],
    ] as const) {
      test(`of a coding spelled ${what} is read, without its byte order mark`, async () => {
        const body = Buffer.from('\u{feff}{"id":"é"}');
        const { endpoint } = await bidder((_request, response) => {
          response.setHeader('content-encoding', encoding);
          response.end(encoding === 'GZIP' ? gzipSync(body) : body);
        });
        assert.deepEqual(await ask(client(), endpoint), answer('{"id":"é"}'));
      });
    }

    test('of exactly the limit is taken, one byte more is not', async () => {
      let length = 0;
      let gzipped = false;
      const { endpoint } = await bidder((_request, response) => {
        const body = Buffer.alloc(length, 'x');
        if (gzipped) response.setHeader('content-encoding', 'gzip');
        response.end(gzipped ? gzipSync(body) : body);
      });
      const asking = client({ responseBytesMax: 1000 });
      for (gzipped of [false, true]) {
        length = 1000;
        assert.deepEqual(await ask(asking, endpoint), answer('x'.repeat(1000)));
        length = 1001;
        assert.deepEqual(await ask(asking, endpoint), { kind: 'oversized', bytesMax: 1000 });
      }
    });

    for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'nonsense']) {
      test(`encoded as ${encoding} is an error, and its connection is kept`, async () => {
        const started = await bidder((_request, response) => {
          response.setHeader('content-encoding', encoding);
          response.end('whatever');
        });
        const asking = client();
        for (let n = 0; n < 2; n += 1) {
          const reply = await ask(asking, started.endpoint);
          assert.deepEqual(reply, { kind: 'error', code: 'ERR_CONTENT_ENCODING' });
          await until(() => asking.inFlight(started.endpoint) === 0, 'the body is drained');
        }
        assert.equal(started.connections, 1);
      });
    }
  });

  describe('a late answer', () => {
    test('within the grace is a timeout, and saves the connection', async () => {
      let delayMs = 60;
      const started = await bidder((_request, response) => {
        setTimeout(() => response.end('{}'), delayMs);
      });
      const asking = client({ lateGraceMs: 1000 });
      const startMs = performance.now();
      const reply = await ask(asking, started.endpoint, { withinMs: 30 });
      const tookMs = performance.now() - startMs;
      assert.deepEqual(reply, { kind: 'timeout' });
      assert.ok(tookMs > 28, `${tookMs} ms`);
      assert.equal(asking.inFlight(started.endpoint), 1);
      await until(() => asking.inFlight(started.endpoint) === 0, 'the late answer has come');
      delayMs = 0;
      assert.deepEqual(await ask(asking, started.endpoint), answer('{}'));
      assert.equal(started.connections, 1);
    });

    test('within the grace is told once, if it is of use; what came in time is not', async () => {
      const late: string[] = [];
      let status = 200;
      let delayMs = 80;
      const started = await bidder((_request, response) => {
        response.statusCode = status;
        setTimeout(() => response.end(status === 204 ? undefined : '{}'), delayMs);
      });
      const asking = client({ lateGraceMs: 1000 });
      const askFor = async (name: string, withinMs: number): Promise<BidderReply> => {
        const reply = await ask(asking, started.endpoint, { withinMs }, () => late.push(name));
        await until(() => asking.inFlight(started.endpoint) === 0, 'the answer has come');
        return reply;
      };
      for (status of [200, 204, 500]) {
        assert.deepEqual(await askFor(`late ${status}`, 20), { kind: 'timeout' });
      }
      delayMs = 0;
      for (status of [200, 204, 500]) {
        assert.equal((await askFor(`in time ${status}`, 2_000)).kind, 'answer');
      }
      assert.deepEqual(late, ['late 200', 'late 204']);
    });

    test('beyond the grace costs the connection', async () => {
      const started = await bidder((_request, response) => {
        if (started.requests === 1) response.end('{}');
      });
      const asking = client({ lateGraceMs: 50 });
      await ask(asking, started.endpoint);
      await until(() => asking.inFlight(started.endpoint) === 0, 'the connection is free');
      const startMs = performance.now();
      assert.deepEqual(await ask(asking, started.endpoint, { withinMs: 20 }), { kind: 'timeout' });
      assert.equal(started.open, 1);
      await until(() => started.open === 0, 'the connection is closed');
      assert.ok(performance.now() - startMs > 65);
      assert.equal(started.connections, 1);
      assert.equal(asking.inFlight(started.endpoint), 0);
    });

    test('is held to the limit of bytes too', async () => {
      const started = await bidder((_request, response) => {
        setTimeout(() => response.write(Buffer.alloc(100_000)), 50);
      });
      const asking = client({ lateGraceMs: 5000, responseBytesMax: 50_000 });
      assert.deepEqual(await ask(asking, started.endpoint, { withinMs: 20 }), { kind: 'timeout' });
      await until(() => started.open === 0, 'the connection is closed');
    });

    test('that never comes is not told', async () => {
      const started = await bidder(() => {});
      const asking = client({ lateGraceMs: 20 });
      let late = 0;
      await ask(asking, started.endpoint, { withinMs: 20 }, () => (late += 1));
      await until(() => started.open === 0, 'the connection is closed');
      assert.equal(late, 0);
    });

    test('counts against the calls that may be open', async () => {
      const { endpoint } = await bidder((_request, response) => {
        setTimeout(() => response.end('{}'), 60);
      });
      const asking = client({ inFlightMax: 2, lateGraceMs: 1000 });
      const late = { kind: 'timeout' };
      const both = [0, 1].map(() => ask(asking, endpoint, { withinMs: 20 }));
      assert.deepEqual(await ask(asking, endpoint), { kind: 'busy', inFlightMax: 2 });
      assert.deepEqual(await Promise.all(both), [late, late]);
      assert.deepEqual(await ask(asking, endpoint), { kind: 'busy', inFlightMax: 2 });
      await until(() => asking.inFlight(endpoint) === 0, 'the late answers have come');
      assert.deepEqual(await ask(asking, endpoint), answer('{}'));
    });
  });

  test('a call may have a lower limit of its own of calls that are open', async () => {
    const started = await bidder((_request, response) => {
      setTimeout(() => response.end('{}'), 30);
    });
    const asking = client({ inFlightMax: 64 });
    const first = ask(asking, started.endpoint, { inFlightMax: 1 });
    const second = await ask(asking, started.endpoint, { inFlightMax: 1 });
    assert.deepEqual(second, { kind: 'busy', inFlightMax: 1 });
    assert.deepEqual(await ask(asking, started.endpoint, { inFlightMax: 2 }), answer('{}'));
    assert.deepEqual(await first, answer('{}'));
    assert.equal(started.requests, 2);
  });
}
