import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { request } from 'undici';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import { bannerRequest, startExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { readMoney, reportOf } from '../support/money.ts';
import { reconciledWhen } from '../support/reconcile.ts';
import { REPORT_PAUSE_MS, until } from '../support/wait.ts';

const directory = mkdtempSync(join(tmpdir(), 'rialto-traffic-'));
after(() => {
  rmSync(directory, { recursive: true });
});

const SPIDER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const PERSON =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

function requestBy(ua: string, ip = '8.8.8.8'): object {
  return bannerRequest({ device: { ua, ip } });
}

function treating(treatment: string): { readonly edit: (yaml: string) => string } {
  return {
    edit: (yaml) =>
      yaml.replace('  name: Rialto\n', `  name: Rialto\n  invalid_traffic: ${treatment}\n`),
  };
}

/** Asks, and calls the impression and the click of what was won. */
async function showAndClick(exchange: StartedExchange, body: object): Promise<number[]> {
  const { status, text } = await exchange.ask(body);
  assert.equal(status, 200, text);
  const response: BidResponse = JSON.parse(text);
  const [bid] = response.seatbid?.[0]?.bid ?? [];
  const { click }: { click: string } = Object(Reflect.get(Object(bid?.ext), 'rialto'));
  return Promise.all(
    [bid?.burl ?? '', click].map(async (url) => {
      const answer = await request(url);
      await answer.body.dump();
      return answer.statusCode;
    }),
  );
}

async function metricsOf({ node }: StartedExchange): Promise<string> {
  return (await request(node.urls.metrics)).body.text();
}

test('what is refused is answered at once without asking anybody, and reported as requests', async (t) => {
  const ranges = join(directory, 'ranges.txt');
  writeFileSync(ranges, '198.51.100.0/24\n1.1.1.0/24 # a cloud\n');
  const exchange = await startExchange({
    t,
    ...treating('refuse'),
    args: [`--data-center-list=${ranges}`],
  });
  const statuses: number[] = [];
  for (const body of [requestBy(SPIDER), requestBy(PERSON, '1.1.1.1'), requestBy(PERSON)]) {
    statuses.push((await exchange.ask(body)).status);
  }
  assert.deepEqual(statuses, [204, 204, 200]);
  assert.equal(exchange.acme.requests.length, 1);
  const records = await exchange.records();
  assertInvariants(records, { filled: 1, unfilled: 2 });
  assert.deepEqual(
    records.map(({ calls }) => calls.length),
    [0, 0, 2],
  );
  const metrics = await metricsOf(exchange);
  assert.match(metrics, /rialto_invalid_traffic_total\{.*kind="spider",treatment="refuse"\} 1/);
  assert.match(metrics, /rialto_invalid_traffic_total\{.*kind="datacenter",treatment="refuse"\} 1/);
  await until(
    'the report has all requests, and the one that was filled',
    15_000,
    async () => {
      const row = await reportOf(exchange, 'supply', 'planet-report-token');
      return row?.['requests'] === 3 && row['filled_requests'] === 1;
    },
    REPORT_PAUSE_MS,
  );
});

test('what is marked is sold and not billed: no beacon counts, and no billing notice goes out', async (t) => {
  // OpenRTB 2.5, which has billing notices, wins.
  const acme = { price: { medianUsd: 5, spread: 0 } };
  const exchange = await startExchange({ t, ...treating('mark'), acme });
  assert.deepEqual(await showAndClick(exchange, requestBy(SPIDER)), [200, 204]);
  assert.deepEqual(await showAndClick(exchange, requestBy(PERSON)), [200, 204]);
  const { auctions, beacons } = await readMoney(exchange.node);
  assert.deepEqual(
    auctions.map(({ test: isTest, imps }) => [isTest, imps[0]?.filled]),
    [
      [0, 1],
      [0, 1],
    ],
  );
  const person = auctions[1]?.auction_id;
  for (const kind of ['impression', 'click'] as const) {
    assert.deepEqual(
      beacons[kind].map((record) => record.auction_id),
      [person],
    );
  }
  const billing = () => exchange.acme.noticeLedger.sum('billing').notices;
  await until('the person is billed', 10_000, () => billing() > 0);
  await until(
    'the report counts both wins and one impression',
    15_000,
    async () => {
      const row = await reportOf(exchange, 'supply', 'planet-report-token');
      return row?.['supply_wins'] === 2 && row['impressions'] === 1;
    },
    REPORT_PAUSE_MS,
  );
  assert.equal(billing(), 1);
  await reconciledWhen(exchange.node.dataDirectory, (report) => report.agrees);
});

test("a publisher's own setting wins, and an operator's list takes the place of the installed one", async (t) => {
  const patterns = join(directory, 'spiders.txt');
  writeFileSync(patterns, 'AcmeProbe\n');
  const exchange = await startExchange({
    t,
    edit: (yaml) =>
      yaml.replace('    price_basis: net', '    invalid_traffic: refuse\n    price_basis: net'),
    args: [`--spider-list=${patterns}`],
  });
  assert.equal((await exchange.ask(requestBy('AcmeProbe/1.0'))).status, 204);
  assert.equal((await exchange.ask(requestBy(SPIDER))).status, 200);
  assert.equal(exchange.acme.requests.length, 1);
});
