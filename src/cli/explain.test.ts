import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { startFakeControl } from '../../test/support/cli.ts';
import { explainCommand } from './explain.ts';
import { replayCommand } from './replay.ts';

const ID = 'f'.repeat(32);

test('an auction that is not there ends with words and the exit code of what is missing', async (t) => {
  const asked: string[] = [];
  const control = await startFakeControl(t, ({ url }) => {
    asked.push(url ?? '');
    return { status: 404, body: '{}' };
  });
  const environment = { RIALTO_URL: `http://127.0.0.1:${control.port}`, RIALTO_TOKEN: 'token' };
  const explain = (partner?: string) =>
    explainCommand({ auctionId: ID, partner, asJson: false }, { flags: {}, environment });
  await assert.rejects(explain(), /^CommandError: There is no auction f+; /);
  await assert.rejects(explain('1002'), /, or demand partner 1002 had no part in it; /);
  await assert.rejects(explain('acme'), /--partner is acme; give the id/);
  assert.deepEqual(asked, [`/api/auctions/${ID}/`, `/api/auctions/${ID}/?demand_partner_id=1002`]);
});

test('without a node and a sign-in nobody is asked', async () => {
  const place = { flags: { '--data': '/nonexistent' }, environment: {} };
  await assert.rejects(
    explainCommand({ auctionId: ID, partner: undefined, asJson: false }, place),
    /^CommandError: No node runs on \/nonexistent: start it, .* or sign in at a server/,
  );
});

test('a replay asks a control that is named also where there is no data directory', async (t) => {
  const lines = mock.method(console, 'log', () => {});
  t.after(() => lines.mock.restore());
  const control = await startFakeControl(t, () => ({ body: '[]' }));
  const place = { '--data': '/nonexistent', '--internal-url': `http://127.0.0.1:${control.port}` };
  const environment = { RIALTO_INTERNAL_SECRET: '0123456789abcdef0123456789abcdef' };
  assert.equal(await replayCommand(place, environment, true), 4, 'nothing was decided');
});
