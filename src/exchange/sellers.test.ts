import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aSnapshot } from '../auction/eligibility-fixtures.ts';
import { describeSource, describeSupplyChain } from './describe-source.ts';
import { aPublisher, aRequest } from './fixtures.ts';
import type { ExchangeSettings, Publisher } from '../snapshot/entities.ts';
import { adsTxtLines, describeSellers } from './sellers.ts';

const DOMAIN = 'exchange.example';

function sellersOf(
  settings: Partial<ExchangeSettings>,
  ...publishers: readonly Publisher[]
): ReturnType<typeof describeSellers> {
  const { exchange } = aSnapshot();
  return describeSellers(aSnapshot({ ...exchange, ...settings }, ...publishers));
}

function linesOf(settings: Partial<ExchangeSettings>, publisher: Publisher): readonly string[] {
  return adsTxtLines({ ...aSnapshot().exchange, ...settings }, publisher);
}

test('sellers.json lists each publisher, and says how the exchange is reached', () => {
  const settings = {
    domain: DOMAIN,
    tagId: '0f1e2d',
    contactEmail: 'sellers@exchange.example',
    contactAddress: '1 High Street',
  };
  const sellers = sellersOf(
    settings,
    aPublisher({ id: 1, domain: 'planet.example' }),
    aPublisher({ id: 2, name: 'Agency', sellerId: 'agency', sellerType: 'INTERMEDIARY' }),
    aPublisher({ id: 3, name: 'Both', status: 'PAUSED', sellerType: 'BOTH' }),
  );
  assert.deepEqual(sellers, {
    contact_email: 'sellers@exchange.example',
    contact_address: '1 High Street',
    version: '1.0',
    identifiers: [{ name: 'TAG-ID', value: '0f1e2d' }],
    sellers: [
      { seller_id: '1', seller_type: 'PUBLISHER', name: 'Planet', domain: 'planet.example' },
      { seller_id: 'agency', seller_type: 'INTERMEDIARY', name: 'Agency' },
      { seller_id: '3', seller_type: 'BOTH', name: 'Both' },
    ],
  });
  assert.deepEqual(sellersOf({ domain: DOMAIN }), { version: '1.0', sellers: [] });
});

test('a publisher that hides its names is confidential, with neither name nor domain', () => {
  const hidden = aPublisher({ hidesNames: true, domain: 'planet.example' });
  assert.deepEqual(sellersOf({ domain: DOMAIN }, hidden)?.sellers, [
    { seller_id: '2001', seller_type: 'PUBLISHER', is_confidential: 1 },
  ]);
});

test('an id is listed once, and an exchange without a domain lists nothing', () => {
  const twins = [aPublisher({ id: 1, sellerId: 'x' }), aPublisher({ id: 2, sellerId: 'x' })];
  assert.equal(sellersOf({ domain: DOMAIN }, ...twins)?.sellers.length, 1);
  assert.equal(sellersOf({}, ...twins), null);
  assert.deepEqual(linesOf({}, aPublisher()), []);
});

test('ads.txt says who owns the site, and whether the publisher itself has the account', () => {
  const owned = { domain: 'planet.example' };
  assert.deepEqual(linesOf({ domain: DOMAIN }, aPublisher(owned)), [
    'OWNERDOMAIN=planet.example',
    'exchange.example, 2001, DIRECT',
  ]);
  const certified = { domain: DOMAIN, tagId: '0f1e2d' };
  assert.deepEqual(linesOf(certified, aPublisher({ sellerType: 'BOTH' })), [
    'exchange.example, 2001, DIRECT, 0f1e2d',
  ]);
  const reseller = aPublisher({ ...owned, sellerType: 'INTERMEDIARY', sellerId: 'agency' });
  assert.deepEqual(linesOf(certified, reseller), ['exchange.example, agency, RESELLER, 0f1e2d']);
});

test('sellers.json, ads.txt, supply chain and payment chain name the same exchange and seller', () => {
  const settings = { ...aSnapshot().exchange, domain: DOMAIN, paymentId: 'pay-1' };
  for (const sellerId of [null, 'seller-1']) {
    const publisher = aPublisher({ sellerId });
    const sale = { request: aRequest(), exchange: settings, publisherDecides: false };
    const chain = describeSupplyChain(sale, publisher)?.('request') ?? assert.fail('no chain');
    const { nodes } = JSON.parse(chain);
    const [domain, id] = linesOf(settings, publisher)[0]?.split(', ') ?? [];
    const listed = sellersOf(settings, publisher)?.sellers[0]?.seller_id;
    assert.deepEqual([nodes[0].asi, nodes[0].sid], [domain, id]);
    assert.deepEqual([domain, id], [DOMAIN, listed]);
    assert.equal(Reflect.get(describeSource(sale, publisher), 'pchain'), `pay-1:${listed}`);
  }
});
