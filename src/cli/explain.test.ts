import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, mock, test } from 'node:test';
import { explainCommand } from './explain.ts';
import { replayCommand } from './replay.ts';

/** A control that has no auctions. */
let server: Server;
let missing = 'auction';
let place: Readonly<Record<string, string>>;
const asked: string[] = [];

before(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(
        request.url === '/internal/explain' ? JSON.stringify({ auction: null, missing }) : '[]',
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const { port } = Object(address) satisfies Partial<AddressInfo>;
  place = { '--data': '/nonexistent', '--internal-url': `http://127.0.0.1:${port}` };
});
after(() => server.close());

const environment = { RIALTO_INTERNAL_SECRET: '0123456789abcdef0123456789abcdef' };

test('a control that is named is asked also where there is no data directory', async () => {
  const errors = mock.method(console, 'error', () => {});
  const lines = mock.method(console, 'log', () => {});
  const id = 'f'.repeat(32);
  assert.equal(await explainCommand({ auctionId: id, asJson: false }, place, environment), 4);
  assert.match(String(errors.mock.calls[0]?.arguments[0]), /^There is no auction f+;/);
  missing = 'part';
  const ofPartner = { ...place, '--partner': '1002' };
  assert.equal(await explainCommand({ auctionId: id, asJson: false }, ofPartner, environment), 4);
  const part = String(errors.mock.calls[1]?.arguments[0]);
  assert.equal(part, `Demand partner 1002 had no part in auction ${id}: it was not asked.`);
  assert.equal(await replayCommand(place, environment, true), 4, 'nothing was decided');
  assert.equal(lines.mock.callCount(), 1);
  assert.deepEqual(asked, ['/internal/explain', '/internal/explain', '/internal/replay/minutes']);
});

test('who has no data directory is told how a server is asked', async () => {
  const id = 'a'.repeat(32);
  await assert.rejects(
    explainCommand({ auctionId: id, asJson: false }, { '--data': '/nonexistent' }, {}),
    new RegExp(
      `no data directory .* signed in at is asked with rialto api GET /auctions/${id}/\\.`,
    ),
  );
});
