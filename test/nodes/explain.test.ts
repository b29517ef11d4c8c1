import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../src/base/exit-codes.ts';
import { ListedAuctionSchema } from '../../src/management/auctions/list-schema.ts';
import { AuctionViewSchema } from '../../src/management/auctions/schema.ts';
import { FunnelSchema } from '../../src/management/funnel/schema.ts';
import { LossesSchema } from '../../src/management/losses/schema.ts';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { bannerRequest, startExchange, type StartedExchange } from '../support/exchange.ts';
import { runRialto } from '../support/node.ts';
import { until } from '../support/wait.ts';

const viewValidator = Compile(AuctionViewSchema);

/** Records are loaded about a second after their auction; the machine may be busy. */
const ARRIVES_WITHIN_MS = 20_000;

interface Answered {
  readonly bidid: string;
  readonly seatbid: readonly { readonly bid: readonly { readonly burl: string }[] }[];
}

async function holdAuction(exchange: StartedExchange): Promise<Answered> {
  const { status, text } = await exchange.ask(bannerRequest());
  assert.equal(status, 200, text);
  const answer: Answered = JSON.parse(text);
  return answer;
}

/** Explains until the text matches; before its record is loaded, an auction is not found. */
function explainUntil(args: readonly string[], pattern: RegExp): Promise<string> {
  return until(`explained with ${pattern.source}`, ARRIVES_WITHIN_MS, async () => {
    const { code, stdout, stderr } = await runRialto(['explain', ...args]);
    assert.ok(code === exitCodeOf('done') || code === exitCodeOf('not_found'), stderr);
    return pattern.test(stdout) ? stdout : undefined;
  });
}

async function tokenOf(exchange: StartedExchange, id: string, secret: string): Promise<string> {
  const answer = await fetch(`${exchange.node.urls.control}/v2/auth/token/`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: id,
      client_secret: secret,
      grant_type: 'client_credentials',
    }),
  });
  assert.equal(answer.status, 200);
  const { access_token: token }: { access_token: string } = JSON.parse(await answer.text());
  return token;
}

test('an auction is explained seconds after it was held: to the operator whole, to a partner in part', async (t) => {
  const exchange = await startExchange({ t, acme: { bidRate: 1 }, bolt: { bidRate: 1 } });
  const { node } = exchange;
  const { bidid: id, seatbid } = await holdAuction(exchange);
  const data = ['--data', node.dataDirectory];

  const whole = await explainUntil([id, ...data], /^ {2}\w+ DSP was asked for impression 1, /m);
  assert.match(whole, new RegExp(`^Auction ${id}\nAuction of .*: 2 bid requests went out, `));
  assert.match(whole, /(Acme|Bolt) DSP bid \$[\d.]+ and won at \$[\d.]+\./);
  assert.match(whole, /(Acme|Bolt) DSP bid \$[\d.]+ and lost: (Acme|Bolt) DSP's bid of \$/);
  assert.match(whole, /Impression 1 \(ad space 4001, Reader banner; floor \$0\.20\): /);

  const nobody = await runRialto(['explain', id, '--partner', '9', ...data]);
  assert.deepEqual([nobody.code, nobody.stdout], [4, '']);
  assert.equal(nobody.stderr.trim(), 'There is no demand partner 9, or it is archived.');
  const part = await runRialto(['explain', id, '--partner', '1001', ...data]);
  assert.equal(part.code, 0, part.stderr);
  assert.match(part.stdout, /^ {2}Acme DSP was asked for impression 1, /m);
  assert.doesNotMatch(part.stdout, /Bolt|the publisher gets/);

  const [bid] = seatbid[0]?.bid ?? [];
  assert.ok(bid !== undefined);
  assert.equal((await fetch(bid.burl)).status, 200);
  const shown = await explainUntil([id, ...data], /the ad was shown/);
  // OpenRTB 2.2, which Bolt speaks, knows no billing notices.
  if (/Acme DSP bid \$[\d.]+ and won/.test(shown)) {
    await explainUntil([id, ...data], /Acme DSP's billing notice for impression 1 was delivered/);
  }

  const token = await tokenOf(exchange, 'acme-client', 'acme-secret');
  const asAcme = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${node.urls.control}/api/${path}/`, { headers });
    return { status: answer.status, body: await answer.text() };
  };
  const view: unknown = JSON.parse((await asAcme(`auctions/${id}`)).body);
  assert.ok(viewValidator.Check(view) && view.view === 'demand-partner');
  assert.deepEqual(
    new Set(view.calls.map(({ demand_partner: { id: partnerId } }) => partnerId)),
    new Set([1001]),
  );
  assert.equal((await asAcme(`auctions/${'f'.repeat(32)}`)).status, 404);

  const readAs = async <Shape extends TSchema>(schema: Shape, path: string) => {
    const read: unknown = JSON.parse((await asAcme(path)).body);
    assert.ok(Compile(schema).Check(read), path);
    return read;
  };
  const listed = await readAs(Type.Array(ListedAuctionSchema), 'auctions');
  assert.deepEqual(
    listed.map((auction) => auction.id),
    [id],
  );
  const funnel = await readAs(FunnelSchema, 'demand-partners/1001/funnel');
  assert.deepEqual(
    funnel.steps.slice(0, 4).map(({ count }) => count),
    [1, 1, 1, view.bids.length],
  );
  const losses = await readAs(LossesSchema, 'demand-partners/1001/losses');
  assert.deepEqual(
    [losses.bids, losses.won],
    [view.bids.length, view.bids.filter(({ won }) => won).length],
  );

  // The same from its own files when it has stopped.
  node.kill('supervisor', 'SIGTERM');
  await node.exited;
  const json = await runRialto(['explain', id, '--json', ...data]);
  assert.equal(json.code, 0, json.stderr);
  const stored: unknown = JSON.parse(json.stdout);
  assert.ok(viewValidator.Check(stored) && stored.view === 'operator');
  assert.equal(stored.id, id);
});

test('what is not there ends with 4, what is not understood with 2, what does not answer with 5', async (t) => {
  const exchange = await startExchange({ t });
  const data = ['--data', exchange.node.dataDirectory];
  await holdAuction(exchange);
  const unknown = await runRialto(['explain', 'f'.repeat(32), ...data]);
  assert.deepEqual([unknown.code, unknown.stdout], [4, '']);
  assert.match(unknown.stderr, /^There is no auction f+; an id has 32 hexadecimal digits/);
  const recent = `${Date.now().toString(16).padStart(12, '0')}${'0'.repeat(20)}`;
  assert.match((await runRialto(['explain', recent, ...data])).stderr, /may be on its way/);

  const wrong = [
    [2, 'explain', ...data],
    [2, 'explain', recent, '--partner', 'x', ...data],
    [4, 'explain', recent, '--data', `${exchange.node.dataDirectory}/nowhere`],
    [5, 'explain', recent, '--internal-url', 'http://127.0.0.1:9', ...data],
  ] as const;
  for (const [expected, ...args] of wrong) {
    const { code, stderr } = await runRialto(args);
    assert.equal(code, expected, stderr);
    assert.notEqual(stderr, '');
  }
});
