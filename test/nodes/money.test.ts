import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Audience } from '../../sim/audience.ts';
import type { SimBidder } from '../../sim/bidder.ts';
import { EAGER_BEHAVIOUR } from '../../sim/page.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { countedTwice, impressionKey, readMoney, reportOf, type Money } from '../support/money.ts';
import { reconciledWhen } from '../support/reconcile.ts';
import { REPORT_PAUSE_MS, until } from '../support/wait.ts';

const AUCTIONS = 60;
const PARTNERS = [
  { id: 1001, token: 'acme-report-token' },
  { id: 1002, token: 'bolt-report-token' },
] as const;

test('from the request over notices and beacons to the report, every micro-dollar is where it belongs', async (t) => {
  const exchange = await startExchange({ t, bolt: { bidRate: 0.7 } });
  const { node } = exchange;
  const bidders = [exchange.acme, exchange.bolt];
  // Every ad is shown, seen and clicked, and every beacon sent again after it was acknowledged.
  const audience = new Audience({
    seed: 'money',
    behaviour: { ...EAGER_BEHAVIOUR, takeRate: 0.5, repeatRate: 1 },
  });
  for (let index = 0; index < AUCTIONS; index += 1) {
    // Of every third the publisher decides; every tenth is a test, which nobody pays for.
    const body = bannerRequest({
      id: `request-${index}`,
      source: { fd: index % 3 === 0 ? 1 : 0 },
      test: index % 10 === 9 ? 1 : 0,
    });
    const { status, text } = await exchange.ask(body);
    if (status === 200 && index % 10 !== 9) audience.receive(body, text);
  }
  await audience.settled();
  const { totals } = audience.ledger;
  assert.ok(totals.undecided > totals.dropped && totals.dropped > 0, 'some taken, some not');
  assert.ok(totals.beacons.impression.repeats > 0, 'beacons came again');

  const money = await readMoney(node);
  assert.deepEqual(countedTwice(money), []);
  for (const kind of ['impression', 'view', 'click'] as const) {
    assert.equal(money.beacons[kind].length, totals.beacons[kind].acknowledged, kind);
  }
  const payoutMicros = sumOf(money.beacons.impression, 'payout_micros');
  assert.equal(payoutMicros, totals.toldMicros, 'paid = told to the publisher, per mille');

  await until('every notice has arrived', 15_000, () => bidders.every(hasItsNotices(money)));
  for (const [index, { id, token }] of PARTNERS.entries()) {
    const row = await until(
      `the report of ${id} is whole`,
      15_000,
      async () => {
        const found = await reportOf(exchange, 'demand', token);
        const isWhole =
          found?.['clicks'] === ofPartner(money.beacons.click, id).length &&
          found['wins'] === winsOf(money, id);
        return isWhole ? found : undefined;
      },
      REPORT_PAUSE_MS,
    );
    const impressions = ofPartner(money.beacons.impression, id);
    assert.equal(row['impressions'], impressions.length);
    const grossMicros = sumOf(impressions, 'clearing_micros');
    assert.equal(Math.round(Number(row['gross_revenue']) * 1e9), grossMicros);
    assert.equal(row['wins'], winsOf(money, id));
    const { notices, priceMicros, repeats, conflicts } = bidders[index]?.noticeLedger.sum(
      'billing',
    ) ?? { notices: -1, priceMicros: -1, repeats: -1, conflicts: -1 };
    assert.deepEqual(
      [notices, priceMicros, repeats, conflicts],
      [billable(impressions).length, sumOf(billable(impressions), 'clearing_micros'), 0, 0],
    );
  }
  // One rollup is filled after the other.
  const supply = await until(
    'the report of the publisher is whole',
    15_000,
    async () => {
      const found = await reportOf(exchange, 'supply', 'planet-report-token');
      return found?.['impressions'] === money.beacons.impression.length ? found : undefined;
    },
    REPORT_PAUSE_MS,
  );
  assert.equal(Math.round(Number(supply['payout']) * 1e9), payoutMicros);
  assert.equal(
    supply['supply_wins'],
    PARTNERS.reduce((sum, { id }) => sum + winsOf(money, id), 0),
  );

  // Deliveries are loaded later than what they tell of.
  await reconciledWhen(node.dataDirectory, (report) => report.agrees);
});

test('three repeated beacons of each kind are billed once, and forged or foreign ones never', async (t) => {
  const exchange = await startExchange({ t });
  const { text } = await exchange.ask(bannerRequest());
  const answer: { seatbid: { bid: { burl: string; ext: { rialto: { click: string } } }[] }[] } =
    JSON.parse(text);
  const bid = answer.seatbid[0]?.bid[0];
  assert.ok(bid !== undefined);
  const { burl } = bid;
  for (let times = 0; times < 3; times += 1) assert.equal((await fetch(burl)).status, 200);
  assert.equal((await fetch(burl.replace('/imp/', '/click/'))).status, 400);
  assert.equal((await fetch(bid.ext.rialto.click.replace('/click/', '/imp/'))).status, 400);
  const flipped = burl.at(-9) === 'A' ? 'B' : 'A';
  assert.equal((await fetch(`${burl.slice(0, -9)}${flipped}${burl.slice(-8)}`)).status, 400);
  const elsewhere = await startExchange({ t });
  const moved = `${elsewhere.node.urls.tracker}${new URL(burl).pathname}`;
  // The other node's keys are its own: it cannot even read whose this is.
  assert.equal((await fetch(moved)).status, 400);

  const money = await readMoney(exchange.node);
  assert.equal(money.beacons.impression.length, 1);
  assert.deepEqual([money.beacons.click.length, money.beacons.view.length], [0, 0]);
  const bidder =
    money.beacons.impression[0]?.demand_partner_id === 1001 ? exchange.acme : exchange.bolt;
  const billed = billable(money.beacons.impression).length;
  await until('it was billed', 5_000, () => bidder.noticeLedger.sum('billing').notices >= billed);
  assert.equal(bidder.noticeLedger.sum('billing').notices, billed);
});

type Priced = 'clearing_micros' | 'payout_micros';
type Beacons = Money['beacons']['impression'];

function sumOf(records: Beacons, field: Priced): number {
  return records.reduce((sum, record) => sum + record[field], 0);
}

function ofPartner(records: Beacons, id: number): Beacons {
  return records.filter((record) => record.demand_partner_id === id);
}

/** OpenRTB 2.2 knows no billing notice, so that some impressions make none due. */
function billable(records: Beacons): Beacons {
  return records.filter((record) => record.notice_url !== '');
}

/** Final ones, and those that the publisher has confirmed. */
function winsOf({ auctions, beacons }: Money, id: number): number {
  const final = auctions
    .filter(({ test: isTest, fd }) => isTest === 0 && fd === 0)
    .flatMap(({ bids }) => bids)
    .filter((bid) => bid.loss_reason === 0 && bid.demand_partner_id === id);
  return final.length + ofPartner(beacons.win, id).length;
}

/** Whether a bidder has got what the journal says that it is due, and nothing else. */
function hasItsNotices({ auctions, beacons }: Money) {
  const due = auctions.flatMap((auction) =>
    auction.notices
      .filter((notice) => notice.unless_won_by_ms === 0)
      .map((notice) => ({ ...notice, key: impressionKey({ ...auction, imp: notice.imp }) })),
  );
  const confirmed = beacons.win.filter(({ notice_url: url }) => url !== '');
  return (bidder: SimBidder): boolean => {
    const own = (url: string): boolean => url.startsWith(new URL(bidder.url).origin);
    const wins =
      due.filter(({ event, url }) => event === 'win' && own(url)).length +
      confirmed.filter(({ notice_url: url }) => own(url)).length;
    const losses = due.filter(({ event, url }) => event === 'loss' && own(url)).length;
    const bills = billable(beacons.impression).filter(({ notice_url: url }) => own(url)).length;
    const ledger = bidder.noticeLedger;
    return (
      ledger.sum('win').notices === wins &&
      ledger.sum('loss').notices === losses &&
      ledger.sum('billing').notices === bills
    );
  };
}
