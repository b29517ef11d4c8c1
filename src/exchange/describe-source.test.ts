import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aSnapshot } from '../auction/eligibility-fixtures.ts';
import type { ExchangeSettings, Publisher } from '../snapshot/entities.ts';
import { describeSource, describeSupplyChain, type Sale } from './describe-source.ts';
import { aPublisher, aRequest } from './fixtures.ts';

const NODE = { asi: 'reseller.example', sid: '7', hp: 1 };
const CHAIN = { ver: '1.0', complete: 1, nodes: [NODE] };
const OURS = { asi: 'exchange.example', sid: '2001', hp: 1, rid: 'bid-request' };

function sale(
  source: object | undefined,
  settings: Partial<ExchangeSettings> = { domain: 'exchange.example' },
): Sale {
  return {
    request: aRequest(source === undefined ? {} : { source }),
    exchange: { ...aSnapshot().exchange, ...settings },
    publisherDecides: false,
  };
}

function chainOf(
  source: object | undefined,
  settings?: Partial<ExchangeSettings>,
  publisher: Partial<Publisher> = {},
): unknown {
  const chain = describeSupplyChain(sale(source, settings), aPublisher(publisher));
  return chain === null ? null : JSON.parse(chain('bid-request'));
}

test('a publisher that sells itself is the one node of a complete chain', () => {
  const alone = { ver: '1.0', complete: 1, nodes: [OURS] };
  assert.deepEqual(chainOf(undefined), alone);
  assert.deepEqual(chainOf({ tid: '1', ext: {} }), alone);
  const seller = { sellerId: 'seller-1' };
  const named = chainOf(undefined, { domain: 'exchange.example' }, seller);
  assert.deepEqual(named, { ...alone, nodes: [{ ...OURS, sid: 'seller-1' }] });
});

test('a chain that came goes on with our node behind it, from where 2.5 has it and where 2.6 does', () => {
  const longer = { ...CHAIN, nodes: [NODE, OURS] };
  assert.deepEqual(chainOf({ ext: { schain: CHAIN } }), longer);
  assert.deepEqual(chainOf({ schain: CHAIN }), longer);
  const incomplete = { ...CHAIN, complete: 0 };
  assert.deepEqual(chainOf({ ext: { schain: incomplete } }), { ...longer, complete: 0 });
});

test('a chain that cannot be read, or that we cannot name ourselves in, is not complete', () => {
  for (const schain of ['text', { ...CHAIN, nodes: [] }, { ...CHAIN, ver: '2.0' }, 7, []]) {
    const chain = chainOf({ ext: { schain } });
    assert.deepEqual(chain, { ver: '1.0', complete: 0, nodes: [OURS] }, JSON.stringify(schain));
  }
  assert.deepEqual(chainOf({ ext: { schain: CHAIN } }, {}), { ...CHAIN, complete: 0 });
  assert.equal(chainOf({ ext: { schain: 'text' } }, {}), null);
  assert.equal(chainOf(undefined, {}), null);
});

test('a payment chain gets our payment id and the seller behind it, where we have one', () => {
  const pays = { paymentId: 'pay-1' };
  assert.deepEqual(describeSource(sale({ pchain: 'a:1' }, pays), aPublisher()), {
    fd: 0,
    pchain: 'a:1!pay-1:2001',
  });
  assert.deepEqual(describeSource(sale({}, pays), aPublisher()), { fd: 0, pchain: 'pay-1:2001' });
  assert.deepEqual(describeSource(sale({ pchain: 'a:1', tid: 't' }), aPublisher()), {
    fd: 0,
    tid: 't',
    pchain: 'a:1',
  });
  assert.deepEqual(describeSource({ ...sale(undefined), publisherDecides: true }, aPublisher()), {
    fd: 1,
  });
});
