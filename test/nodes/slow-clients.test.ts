import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startNode } from '../support/node.ts';

/** More than a request may take, and less than node would wait if nobody looked for slow ones. */
const GIVEN_UP_MS = 20_000;

test('who sends half of its headers, or half of a body, is let go on every port', async (t) => {
  const { urls } = await startNode({ t });
  const paths = { control: '/v2/auth/token/', exchange: '/openrtb2/auction', tracker: '/imp/x' };
  const cases = (['control', 'exchange', 'tracker'] as const).flatMap((role) => {
    const head = `POST ${paths[role]} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`;
    const halfBody = `${head}content-length: 100\r\n\r\n{`;
    return [
      { role, sent: head, answer: /408 Request Timeout/ },
      // A beacon is answered by its address, and what else comes is read until the time is over.
      {
        role,
        sent: halfBody,
        answer: role === 'tracker' ? /400 Bad Request/ : /408 Request Timeout/,
      },
    ];
  });
  await Promise.all(
    cases.map(async ({ role, sent, answer }) => {
      const socket = connect(Number(new URL(urls[role]).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.write(sent);
      await once(socket, 'close', { signal: AbortSignal.timeout(GIVEN_UP_MS) });
      assert.match(text, answer, `${role}: ${sent}`);
    }),
  );
});
