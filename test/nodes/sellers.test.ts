import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { runRialto } from '../support/node.ts';

/** An exchange with a domain, whose publisher has an id among its sellers. */
const EDIT = (yaml: string): string =>
  yaml
    .replace(
      '  name: Rialto\n',
      '  name: Rialto\n  domain: exchange.example\n  payment_id: pay-1\n  tag_id: 0f1e2d\n  contact_email: sellers@exchange.example\n',
    )
    .replace(
      '    price_basis: net',
      '    seller_id: planet-1\n    domain: planet.example\n    price_basis: net',
    );

test('sellers.json, ads.txt and the chains of a bid request agree on exchange and seller', async (t) => {
  const exchange = await startExchange({ t, edit: EDIT });
  const { node, acme } = exchange;
  const answer = await fetch(`${node.urls.exchange}/sellers.json`);
  assert.equal(answer.status, 200);
  const sellers: unknown = await answer.json();
  assert.deepEqual(sellers, {
    contact_email: 'sellers@exchange.example',
    version: '1.0',
    identifiers: [{ name: 'TAG-ID', value: '0f1e2d' }],
    sellers: [
      {
        seller_id: 'planet-1',
        seller_type: 'PUBLISHER',
        name: 'Daily Planet',
        domain: 'planet.example',
      },
    ],
  });

  const printed = await runRialto(['ads-txt', '2001', '--data', node.dataDirectory]);
  assert.equal(
    printed.stdout,
    'OWNERDOMAIN=planet.example\nexchange.example, planet-1, DIRECT, 0f1e2d\n',
  );

  await exchange.ask(bannerRequest());
  const source = acme.requests[0]?.request.source;
  assert.equal(source?.pchain, 'pay-1:planet-1');
  const chain: unknown = Reflect.get(Object(source.ext), 'schain');
  const [last] = Object(Reflect.get(Object(chain), 'nodes'));
  assert.deepEqual([last.asi, last.sid, last.hp], ['exchange.example', 'planet-1', 1]);
});

test('without a domain there is neither, and a publisher that is not there is told', async (t) => {
  const { node } = await startExchange({ t });
  const answer = await fetch(`${node.urls.exchange}/sellers.json`);
  assert.equal(answer.status, 404);
  assert.match(await answer.text(), /"code":"no_sellers"/);
  const adsTxt = (publisher: string) =>
    runRialto(['ads-txt', publisher, '--data', node.dataDirectory]);
  const withoutDomain = await adsTxt('2001');
  assert.deepEqual(
    [withoutDomain.code, withoutDomain.stdout, withoutDomain.stderr],
    [1, '', 'The exchange has no domain; set exchange.domain in the configuration file.\n'],
  );
  const nobody = await adsTxt('9');
  assert.deepEqual(
    [nobody.code, nobody.stderr],
    [4, 'There is no publisher 9; give the id of one.\n'],
  );
});
