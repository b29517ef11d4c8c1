import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogueOf, readCatalogue } from './catalogue.ts';

const EXAMPLE = new URL('../examples/exchange.yaml', import.meta.url).pathname;

test('the example file gives its ad spaces, each with its app or site and publisher', () => {
  const { adSpaces } = readCatalogue(EXAMPLE);
  assert.deepEqual(
    adSpaces.map(({ id, publisherId, medium }) => [id, publisherId, medium.kind, medium.id]),
    [
      ['4001', '2001', 'app', '3001'],
      ['4002', '2001', 'app', '3001'],
      ['4003', '2001', 'app', '3001'],
      ['4004', '2001', 'site', '3002'],
      ['4005', '2001', 'site', '3002'],
    ],
  );
  assert.partialDeepStrictEqual(adSpaces[0], {
    banner: { sizes: [{ w: 320, h: 50 }] },
    floorUsd: 0.2,
    medium: { bundle: 'com.planet.reader', platform: 'Android', categories: ['IAB12'] },
  });
  assert.deepEqual(adSpaces[1]?.video, { w: 640, h: 360 });
  assert.deepEqual(adSpaces[2]?.native, {
    title: 90,
    icon: { w: 80, h: 80 },
    image: { w: 1200, h: 627 },
    description: 140,
    cta: 15,
  });
  assert.partialDeepStrictEqual(adSpaces[3], { medium: { domain: 'planet.example' } });
});

test('the example file gives its bidders with their seats', () => {
  assert.deepEqual(readCatalogue(EXAMPLE).partners, [
    { id: '1001', name: 'Acme DSP', endpoint: 'http://127.0.0.1:9101/bid', seats: ['acme-1'] },
    { id: '1002', name: 'Bolt DSP', endpoint: 'http://127.0.0.1:9102/bid', seats: ['bolt-1'] },
  ]);
});

test('what is not active, and a partner without a bidder, is left out', () => {
  const site = (fields: object) => ({
    id: 3,
    domain: 'x.example',
    ad_spaces: [{ id: 4 }],
    ...fields,
  });
  const { adSpaces, partners } = catalogueOf({
    publishers: [
      { id: 1, status: 'PAUSED', sites: [site({})] },
      { id: 2, status: 'ACTIVE', sites: [site({ status: 'ARCHIVED' }), site({ id: 5 })] },
    ],
    demand_partners: [
      { id: 6, name: 'No bidder' },
      {
        id: 7,
        bidder: { endpoint: 'http://127.0.0.1:1/bid' },
        line_items: [{ seat: 'a' }, { seat: 'a' }, { seat: 'b', status: 'PAUSED' }, {}],
      },
    ],
  });
  assert.deepEqual(
    adSpaces.map(({ medium }) => medium.id),
    ['5'],
  );
  assert.deepEqual(partners, [
    { id: '7', name: '7', endpoint: 'http://127.0.0.1:1/bid', seats: ['a'] },
  ]);
});

test('a document of another shape is an empty catalogue, and a missing file an error', () => {
  for (const document of [null, 'text', [], { publishers: 'none', demand_partners: [null, 1] }]) {
    assert.deepEqual(catalogueOf(document), { adSpaces: [], partners: [] });
  }
  assert.throws(() => readCatalogue('no-such-file.yaml'), /no-such-file\.yaml/);
});
