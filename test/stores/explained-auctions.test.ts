import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { describeAuctionView } from '../../src/cli/explain-text.ts';
import { AuctionRecordSchema } from '../../src/events/auction-record.ts';
import { AuctionTraceSchema } from '../../src/events/trace-record.ts';
import { explainAuction, type Reader } from '../../src/management/auctions/explain-auction.ts';
import { AuctionViewSchema, type AuctionView } from '../../src/management/auctions/schema.ts';
import { holdGolden, marketWith, type GoldenAuction } from '../support/golden.ts';

/** The golden auctions explained: what the exchange records is what the explanation reads. */

const auctionValidator = Compile(AuctionRecordSchema);
const traceValidator = Compile(AuctionTraceSchema);
const viewValidator = Compile(AuctionViewSchema);

const OPERATOR: Reader = { role: 'operator' };

/** Golden auctions with something that their explanation has to say. */
const SAYS: Readonly<Record<string, readonly string[]>> = {
  'banner-second-price.json': [
    "Bolt DSP's bid of $2.25 ranked first of 2 and pays $1.51, one cent more than Acme DSP's $1.50",
    "Acme DSP bid $1.50 and lost: Bolt DSP's bid of $2.25 was higher; $2.26 would have won.",
  ],
  'deal-fixed-price.json': [
    "Acme DSP's bid of $3.50 ranked first of 2 and pays $3.00, the price agreed for deal planet-acme-1",
    "Bolt DSP bid $5.00 and lost: Acme DSP's bid of $3.50 was for deal planet-acme-1, which ranks above.",
  ],
  'first-price.json': ['pays $1.50, its bid, as the ad space is of first price;'],
  'budget-for-one-win.json': [
    'lost: line item 501 has no more impressions of the day to cover the price.',
  ],
  'ties.json': [
    "Acme DSP's bid of $1.25 was as high, and came first by lot; $1.26 would have won.",
  ],
  'privacy-gdpr-without-consent.json': [
    'Acme DSP matched impression 1 and was not asked: GDPR applies and the request carried no consent string.',
    'Bolt DSP was not asked: none of its line items matches.',
  ],
  'unhealthy-bidder.json': ['was not asked: its bidder had failed too often'],
  'failures.json': ['its bidder refused the connection (ECONNREFUSED).', 'had not answered after'],
  'publisher-decides.json': ['won at $2.26, if the publisher takes it, which is not confirmed.'],
  'test-request.json': ['the request was a test, which OpenRTB 2.2 cannot say.'],
};

for (const folder of ['exemplary', 'supplemental']) {
  const directory = new URL(`../auctions/${folder}/`, import.meta.url);
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.json'))) {
    const golden: GoldenAuction = JSON.parse(readFileSync(new URL(name, directory), 'utf8'));
    test(`${name} is explained to everybody who was in it`, async () => {
      const { auction, explain } = await explainable(golden);
      const whole = explain(OPERATOR);
      assert.ok(whole !== null);
      const text = assertTold(whole);
      // What the exchange decided is what the explanation computes from the records.
      assert.doesNotMatch(text, /do not explain/);
      for (const sentence of SAYS[name] ?? []) assert.ok(text.includes(sentence), text);
      assert.equal(whole.calls.length, auction.calls.length);
      assert.equal(whole.bids.length, auction.bids.length);
      for (const demandPartnerId of [1001, 1002]) {
        const own = auction.calls.filter((call) => call.demand_partner_id === demandPartnerId);
        const part = explain({ role: 'demand-partner', demandPartnerId });
        assert.equal(part?.calls.length ?? 0, own.length);
        if (part === null) continue;
        const other = demandPartnerId === 1001 ? 'Bolt DSP' : 'Acme DSP';
        assert.ok(!assertTold(part).includes(other));
      }
    });
  }
}

test('the reference shows an auction as it is explained', async () => {
  const file = new URL('../auctions/exemplary/banner-second-price.json', import.meta.url);
  const { explain } = await explainable(JSON.parse(readFileSync(file, 'utf8')));
  const reference = readFileSync(
    new URL('../../docs/reference/explain.md', import.meta.url),
    'utf8',
  );
  for (const reader of [OPERATOR, { role: 'demand-partner', demandPartnerId: 1001 } as const]) {
    const view = explain(reader);
    assert.ok(view !== null);
    const shown = `\`\`\`text\n${describeAuctionView(view)}\n\`\`\``;
    assert.ok(reference.includes(shown), shown);
  }
});

async function explainable(golden: GoldenAuction) {
  const market = await marketWith(golden);
  const { record: auction, trace } = await holdGolden(market, golden);
  assert.ok(auctionValidator.Check(auction));
  assert.ok(trace === null || traceValidator.Check(trace));
  const found = { auction, trace, beacons: [], deliveries: [] };
  const surroundings = { snapshot: market.snapshot, nowMs: auction.at_ms + 5_000 };
  return { auction, explain: (reader: Reader) => explainAuction(found, reader, surroundings) };
}

/** It is of its schema, and has words for everything; returns them. */
function assertTold(view: AuctionView): string {
  assert.ok(viewValidator.Check(view), JSON.stringify(viewValidator.Errors(view)));
  const text = describeAuctionView(view);
  assert.doesNotMatch(text, /undefined|NaN|null|\[object|the reason was/);
  for (const { sentence } of [...view.calls, ...view.bids, ...view.notices]) {
    assert.ok(text.includes(`  ${sentence}`));
  }
  return text;
}

test('what a bidder wrote is explained on one line, and commands no terminal', async () => {
  const file = new URL('../auctions/exemplary/banner-second-price.json', import.meta.url);
  const { explain } = await explainable(JSON.parse(readFileSync(file, 'utf8')));
  const view = explain(OPERATOR);
  assert.ok(view?.view === 'operator');
  const bids = view.bids.map((bid) => ({ ...bid, sentence: 'a\u001b[2J\nb' }));
  const text = describeAuctionView({ ...view, bids });
  assert.ok(text.includes('\n  a\\u{1b}[2J\\u{a}b\n') && !text.includes('\u001b'));
});
