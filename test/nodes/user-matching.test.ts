import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { CookieJar } from '../../src/matching/fixtures.ts';
import { consentString } from '../../src/privacy/consent-string-fixture.ts';
import type { SimBidder } from '../../sim/bidder.ts';
import { bannerRequest, startExchange, type StartedExchange } from '../support/exchange.ts';

/** The vendor ids of the example's first bidder, and of the second as it is set here. */
const VENDORS = [9001, 9002];

/** The example exchange, whose bidders match users at their own servers. */
function startMatching(t: Parameters<typeof startExchange>[0]['t'], workers = 1) {
  const sync = (port: string, type: string): string =>
    `\n      sync_url: http://127.0.0.1:${port}/match?gdpr=\${GDPR}&c=\${GDPR_CONSENT}&redirect=\${REDIRECT}\n      sync_type: ${type}`;
  return startExchange({
    t,
    args: [`--workers=${workers}`],
    edit: (yaml) =>
      yaml
        .replace(/(127\.0\.0\.1:(\d+)\/bid)(\n[^-]*?gvl_id: 9001)/, (_, address, port, rest) => {
          return `${address}${rest}${sync(port, 'image')}`;
        })
        .replace(/(127\.0\.0\.1:(\d+)\/bid)(\n[^-]*?"2.2")/, (_, address, port, rest) => {
          return `${address}${rest}\n      gvl_id: 9002${sync(port, 'iframe')}`;
        }),
  });
}

/** A browser: it opens what a page has, follows where it is sent, and keeps cookies by host. */
class Browser {
  readonly #exchange: StartedExchange;
  readonly #jars = new Map<string, CookieJar>();

  constructor(exchange: StartedExchange) {
    this.#exchange = exchange;
  }

  /** The cookies of the exchange. */
  get jar(): CookieJar {
    return this.#jarOf(new URL(this.#exchange.node.urls.exchange).port);
  }

  /** Opens the page of user matching with all that is on it, side by side. */
  async sync(query = ''): Promise<readonly string[]> {
    const page = await this.#open(`${this.#exchange.node.urls.exchange}/sync${query}`);
    const found = page.matchAll(/<(?:img|iframe) src="([^"]+)"/g);
    const urls = Array.from(found, ([, url = '']) => url.replaceAll('&amp;', '&'));
    await Promise.all(urls.map((url) => this.#open(url)));
    return urls;
  }

  /** Asks for an ad from a page, and gives what each bidder is told of the user. */
  async users(differs: object = {}): Promise<{ acme: unknown; bolt: unknown }> {
    const { acme, bolt } = this.#exchange;
    const { status, headers } = await this.#exchange.ask(bannerRequest(differs), {
      origin: 'https://planet.example',
      cookie: this.jar.header,
    });
    assert.ok(status === 200 || status === 204);
    this.jar.take(headers['set-cookie']);
    return { acme: lastUser(acme), bolt: lastUser(bolt) };
  }

  async #open(address: string, hops = 0): Promise<string> {
    assert.ok(hops < 5);
    // The exchange calls itself localhost, and where that is differs from machine to machine.
    const url = new URL(address.replace('//localhost:', '//127.0.0.1:'));
    const jar = this.#jarOf(url.port);
    const { statusCode, headers, body } = await request(url, {
      headers: jar.header === '' ? {} : { cookie: jar.header },
    });
    jar.take(headers['set-cookie']);
    const text = await body.text();
    if (statusCode === 302) return this.#open(String(headers['location']), hops + 1);
    assert.equal(statusCode, 200, `${url.href}: ${text}`);
    return text;
  }

  #jarOf(port: string): CookieJar {
    const jar = this.#jars.get(port) ?? new CookieJar();
    this.#jars.set(port, jar);
    return jar;
  }
}

function lastUser({ requests }: SimBidder): unknown {
  return requests.at(-1)?.request.user;
}

test('partners that a page opened know the user in auctions, each by its own id, over all processes', async (t) => {
  const exchange = await startMatching(t, 2);
  const browser = new Browser(exchange);
  assert.deepEqual(await browser.users(), { acme: undefined, bolt: undefined });
  assert.equal((await browser.sync()).length, 2);
  for (let round = 0; round < 6; round += 1) {
    // One after the other, so that both processes have their turn.
    // oxlint-disable-next-line no-await-in-loop
    const users = await browser.users();
    assert.deepEqual(users, { acme: { buyeruid: 'acme-1' }, bolt: { buyeruid: 'bolt-1' } });
  }
  assert.deepEqual([exchange.acme.matched.length, exchange.acme.matched[0]?.referer], [1, null]);
  assert.equal((await browser.sync()).length, 0);
  assert.deepEqual(browser.jar.names, ['rialto_user']);
  assert.ok(browser.jar.header.length < 400, browser.jar.header);

  const stranger = new Browser(exchange);
  assert.deepEqual(await stranger.users(), { acme: undefined, bolt: undefined });
  const metrics = await (await request(exchange.node.urls.metrics)).body.text();
  for (const id of [1001, 1002]) {
    assert.match(
      metrics,
      new RegExp(`user_syncs_total\\{.*demand_partner="${id}",outcome="stored"\\} 1\\n`),
    );
  }
  const secret = join(exchange.node.dataDirectory, 'secrets', 'user-keys.json');
  assert.equal(statSync(secret).mode & 0o777, 0o600);
  assert.doesNotMatch(exchange.node.output(), /acme-1|bolt-1/);
  assert.ok(readFileSync(secret, 'utf8').includes('"keys"'));
});

test('without consent nothing is opened, kept or sent', async (t) => {
  const exchange = await startMatching(t);
  const browser = new Browser(exchange);
  const yes = consentString({ vendors: VENDORS, purposes: [1, 2] });
  const no = consentString({ vendors: VENDORS, purposes: [2] });
  assert.deepEqual(await browser.sync(`?gdpr=1&consent=${no}`), []);
  assert.deepEqual(browser.jar.names, []);
  await browser.sync(`?gdpr=1&consent=${yes}`);
  assert.equal(exchange.acme.matched[0]?.parameters['c'], yes);
  const gdpr = (consent: string): object => ({
    regs: { ext: { gdpr: 1 } },
    user: { ext: { consent } },
  });
  const told = (consent: string, buyeruid?: string): object => ({
    ...(buyeruid === undefined ? {} : { buyeruid }),
    ext: { consent },
  });
  assert.deepEqual(await browser.users(gdpr(yes)), {
    acme: told(yes, 'acme-1'),
    bolt: told(yes, 'bolt-1'),
  });
  assert.deepEqual(await browser.users(gdpr(no)), { acme: told(no), bolt: told(no) });
  assert.deepEqual(await browser.sync(`?gdpr=1&consent=${no}`), []);
  assert.deepEqual(browser.jar.names, []);
});

test('an opt-out ends it, and what a bidder wants kept is kept until then', async (t) => {
  const exchange = await startMatching(t);
  exchange.bolt.respondWith(({ id, imp }) => ({
    body: JSON.stringify({
      id,
      customdata: 'frequency=3',
      seatbid: [{ seat: 'bolt-1', bid: [{ id: 'b', impid: imp[0]?.id, price: 1, adm: '<b>' }] }],
    }),
  }));
  const browser = new Browser(exchange);
  await browser.sync();
  await browser.users();
  const users = await browser.users();
  assert.deepEqual(users, {
    acme: { buyeruid: 'acme-1' },
    bolt: { buyeruid: 'bolt-1', customdata: 'frequency=3' },
  });
  const { headers, body } = await request(`${exchange.node.urls.exchange}/optout?choice=out`, {
    method: 'POST',
    headers: { cookie: browser.jar.header, 'sec-fetch-site': 'same-origin' },
  });
  await body.dump();
  browser.jar.take(headers['set-cookie']);
  assert.deepEqual(browser.jar.names, ['rialto_optout']);
  assert.deepEqual(await browser.sync(), []);
  assert.deepEqual(await browser.users(), { acme: undefined, bolt: undefined });
  assert.deepEqual(browser.jar.names, ['rialto_optout']);
});
