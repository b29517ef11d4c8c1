import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ShownCreative } from '../../src/management/creatives/schema.ts';
import { bannerRequest, startExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { runRialto, type CommandResult } from '../support/node.ts';
import { until } from '../support/wait.ts';

/** From the end of the command to the auctions that go by it, as the exchange promises. */
const LIVE_WITHIN_MS = 2_000;

const SHOES = 'shoes.example-banner-320x50';
const TRAVEL = 'travel.example-banner-320x50';
const KEY = `1001/${SHOES}`;

/** Two bidders of which Acme pays more, and a second publisher, which reviews creatives first. */
function start(t: TestContext): Promise<StartedExchange> {
  const other = `
  - id: 2002
    name: Evening Star
    revenue_share: 0.8
    creative_review: required
    sites:
      - { id: 3102, name: star.example, domain: star.example,
          ad_spaces: [{ id: 4101, name: Top, banner: { sizes: [320x50] } }] }
`;
  return startExchange({
    t,
    acme: { adomains: ['shoes.example'], price: { medianUsd: 5, spread: 0 } },
    bolt: { adomains: ['travel.example'], price: { medianUsd: 1, spread: 0 } },
    edit: (yaml) => yaml.replace('\ndeals:\n', `${other}\ndeals:\n`),
  });
}

const STAR_REQUEST = {
  imp: [{ id: 'imp-1', tagid: '4101', banner: { w: 320, h: 50 } }],
  app: undefined,
  site: { id: '3102', publisher: { id: '2002' } },
};

/** The creative that wins an auction, and why each other bid lost. */
async function auction(
  exchange: StartedExchange,
  differs: object = {},
): Promise<{ readonly winner: string; readonly reasons: Readonly<Record<string, number>> }> {
  const before = (await exchange.records()).length;
  const { status } = await exchange.ask(bannerRequest(differs));
  assert.ok(status === 200 || status === 204, String(status));
  const record = (await exchange.records())[before];
  assert.ok(record !== undefined);
  const reasons = record.bids.map(({ crid, loss_reason: reason }) => [crid, reason] as const);
  const [winner = ''] = reasons.find(([, reason]) => reason === 0) ?? [];
  return { winner, reasons: Object.fromEntries(reasons) };
}

function creatives(exchange: StartedExchange, ...args: readonly string[]): Promise<CommandResult> {
  return runRialto(['creatives', ...args, '--data', exchange.node.dataDirectory]);
}

async function decide(exchange: StartedExchange, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await creatives(exchange, ...args);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

/** Waits until auctions go by what was decided. */
async function wins(exchange: StartedExchange, crid: string, differs: object = {}): Promise<void> {
  await until(`${crid} wins`, LIVE_WITHIN_MS, async () => {
    return (await auction(exchange, differs)).winner === crid;
  });
}

async function list(
  exchange: StartedExchange,
  ...args: readonly string[]
): Promise<readonly ShownCreative[]> {
  const { code, stdout, stderr } = await creatives(exchange, ...args, '--json');
  assert.equal(code, 0, stderr);
  const answer: { creatives: ShownCreative[] } = JSON.parse(stdout);
  return answer.creatives;
}

test('creatives are recorded as they win or wait, and shown or not as people decide', async (t) => {
  const exchange = await start(t);
  const startMs = Date.now();
  assert.equal((await auction(exchange)).winner, SHOES);
  const { reasons } = await auction(exchange, STAR_REQUEST);
  assert.deepEqual(reasons, { [SHOES]: 201, [TRAVEL]: 201 });

  await t.test('what won, and what waits, is listed with a sample', async () => {
    const seen = await until('the creative is listed', 10_000, async () => {
      const [creative] = await list(exchange, '--partner', '1001');
      return creative?.places.length === 2 ? creative : false;
    });
    assert.equal(seen.crid, SHOES);
    assert.deepEqual(seen.adomain, ['shoes.example']);
    assert.deepEqual([seen.ad_format, seen.w, seen.h], ['banner', 320, 50]);
    assert.deepEqual([seen.wins, seen.pending], [1, 1]);
    const [firstMs, lastMs] = [Date.parse(seen.first_seen_at), Date.parse(seen.last_seen_at)];
    assert.ok(firstMs >= startMs && lastMs >= firstMs && lastMs <= Date.now());
    const [{ code, stdout }, waiting] = await Promise.all([
      creatives(exchange, 'show', KEY),
      list(exchange, '--pending'),
    ]);
    assert.equal(code, 0);
    assert.match(stdout, /publisher 2001: 1 wins, 0 bids held back; –$/m);
    assert.match(stdout, /publisher 2002: 0 wins, 1 bids held back; waits for publisher 2002$/m);
    assert.match(stdout, /Markup \(\d+ bytes[^]*\$\{[A-Z_]+\}/, 'macros are not substituted');
    assert.deepEqual(waiting.map(({ crid }) => crid).toSorted(), [SHOES, TRAVEL]);
  });

  const subject = ['--partner', '1001', '--crid', SHOES];
  await t.test('one that waits wins once it is approved', async () => {
    const done = await decide(exchange, 'approve', ...subject, '--publisher', '2002');
    assert.match(done, /^Approved at publisher 2002: /);
    await wins(exchange, SHOES, STAR_REQUEST);
    const other = await auction(exchange, STAR_REQUEST);
    assert.deepEqual(other.reasons, { [SHOES]: 0, [TRAVEL]: 201 });
  });

  await t.test(
    'one that is blocked by its id is shown nowhere, until it is unblocked',
    async () => {
      const done = await decide(exchange, 'block', ...subject, '--reason', 'fake dialog');
      assert.match(done, /^Blocked everywhere: /);
      await wins(exchange, TRAVEL);
      const other = await auction(exchange, STAR_REQUEST);
      assert.deepEqual(other.reasons, { [SHOES]: 202, [TRAVEL]: 201 });
      const listed = await creatives(exchange);
      assert.match(listed.stdout, /1001\/shoes\S+ .* blocked by the operator \(fake dialog\)$/m);
      assert.match(
        await decide(exchange, 'unblock', ...subject),
        /^No longer blocked everywhere: /,
      );
      await wins(exchange, SHOES);
    },
  );

  await t.test('an advertiser that one publisher has blocked is shown at others', async () => {
    const domain = ['--domain', 'Shoes.example', '--publisher', '2001'];
    assert.match(await decide(exchange, 'block', ...domain), /^Blocked at publisher 2001: /);
    await wins(exchange, TRAVEL);
    assert.equal((await auction(exchange, STAR_REQUEST)).winner, SHOES);
    await decide(exchange, 'unblock', ...domain);
    await wins(exchange, SHOES);
  });

  await t.test('what cannot be decided is told in words', async () => {
    const unknown = await creatives(exchange, 'block', '--partner', '77', '--crid', 'x');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /demand partner 77/);
  });
  assertInvariants(await exchange.records());
});
