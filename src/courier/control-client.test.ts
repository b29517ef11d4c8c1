import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { ControlClient } from './control-client.ts';

async function clientOf(
  t: TestContext,
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<ControlClient> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => answer(request, body, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const urls = [`http://127.0.0.1:${address.port}`];
  const client = new ControlClient({ urls, secret: 'secret' });
  t.after(async () => {
    await client.close();
    server.close();
    server.closeAllConnections();
  });
  return client;
}

const REQUEST = { path: '/internal/x', type: 'text/plain', body: 'é', withinMs: 5_000 };

test('a post carries the secret, its type and its body, and brings back status and text', async (t) => {
  const client = await clientOf(t, ({ method, url, headers }, body, response) => {
    const { authorization, 'content-type': type } = headers;
    response.writeHead(503, { 'retry-after': '2' });
    response.end(JSON.stringify([method, url, authorization, type, body]));
  });
  assert.deepEqual(await client.post(REQUEST), {
    status: 503,
    text: '["POST","/internal/x","Bearer secret","text/plain","é"]',
    retryAfterMs: 2_000,
  });
});

test('an answer that asks for no wait, or for one at a date, has none', async (t) => {
  const client = await clientOf(t, (_request, _body, response) => {
    response.writeHead(200, { 'retry-after': 'Fri, 20 Nov 2026 00:00:00 GMT' }).end();
  });
  assert.equal((await client.post(REQUEST)).retryAfterMs, 0);
});

test('a control that does not answer is given up in time, also in the middle of its answer', async (t) => {
  const client = await clientOf(t, (request, _body, response) => {
    if (request.url === '/drips') response.writeHead(200).write('{');
  });
  for (const path of ['/silent', '/drips']) {
    await assert.rejects(client.post({ ...REQUEST, path, withinMs: 100 }), path);
  }
});

test('an answer without an end in sight is not read to it', async (t) => {
  const client = await clientOf(t, (_request, _body, response) => {
    const piece = 'x'.repeat(1024 * 1024);
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', write);
    };
    write();
  });
  await assert.rejects(client.post(REQUEST));
});

test('a client that is closed lets go of what is under way', async (t) => {
  const client = await clientOf(t, () => {});
  const posting = assert.rejects(client.post(REQUEST));
  await client.close();
  await posting;
});

/** Two controls, whose statuses can be changed, and how often each was asked. */
async function twoControls(t: TestContext) {
  const controls = [
    { status: 200, asked: 0 },
    { status: 200, asked: 0 },
  ];
  const servers = controls.map((control) =>
    createServer((_request, response) => {
      control.asked += 1;
      response.writeHead(control.status).end();
    }).listen(0, '127.0.0.1'),
  );
  const urls = await Promise.all(
    servers.map(async (server) => {
      await once(server, 'listening');
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      return `http://127.0.0.1:${address.port}`;
    }),
  );
  const client = new ControlClient({ urls, secret: 'secret' });
  const stop = (index: number): void => {
    servers[index]?.close();
    servers[index]?.closeAllConnections();
  };
  t.after(async () => {
    await client.close();
    for (const index of [0, 1]) stop(index);
  });
  return { controls, client, stop };
}

test('what any control may answer is asked of the next where one cannot, and of that one from then on', async (t) => {
  const { controls, client, stop } = await twoControls(t);
  const [first, second] = controls;
  assert.ok(first !== undefined && second !== undefined);
  const anybody = { ...REQUEST, ofAny: true };
  assert.equal((await client.post(anybody)).status, 200);
  first.status = 503;
  assert.equal((await client.post(anybody)).status, 200);
  assert.equal((await client.post(anybody)).status, 200);
  assert.deepEqual([first.asked, second.asked], [2, 2]);
  second.status = 503;
  assert.equal((await client.post(anybody)).status, 503, 'both were asked once');
  assert.deepEqual([first.asked, second.asked], [3, 3]);
  first.status = 200;
  stop(1);
  assert.equal((await client.post(anybody)).status, 200);
  stop(0);
  await assert.rejects(client.post(anybody), /ECONNREFUSED/);
});

test('what one control keeps is asked of the first alone, whoever answers other questions', async (t) => {
  const { controls, client, stop } = await twoControls(t);
  const [first, second] = controls;
  assert.ok(first !== undefined && second !== undefined);
  first.status = 503;
  assert.equal((await client.post({ ...REQUEST, ofAny: true })).status, 200);
  assert.equal((await client.post(REQUEST)).status, 503);
  stop(0);
  await assert.rejects(client.post(REQUEST), /ECONNREFUSED/);
  assert.equal(second.asked, 1);
});
