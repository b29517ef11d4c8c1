import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SeenCreative } from '../../analytics/creatives-wire.ts';
import { RialtoError } from '../../base/errors.ts';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import type { CreativeFinder } from './routes.ts';

const SEEN = {
  first_seen_ms: Date.parse('2026-11-02T09:30:00.000Z'),
  last_seen_ms: Date.parse('2026-11-20T08:15:00.000Z'),
  wins: 3,
  pending: 1,
};
const TIMES = {
  first_seen_at: '2026-11-02T09:30:00.000Z',
  last_seen_at: '2026-11-20T08:15:00.000Z',
};

const LOOK = {
  demand_partner_id: 1001,
  crid: '<b>c-1</b>',
  adomain: ['shop.example'],
  ad_format: 'banner',
  w: 320,
  h: 50,
  markup_bytes: 120,
  markup: '<script>alert(1)</script>',
};
const STANDING = { verdict: 'blocked', by: 'operator', domain: '', reason: 'fake' } as const;

const CREATIVE: SeenCreative = {
  ...LOOK,
  ...SEEN,
  places: [{ publisher_id: 2001, ...SEEN, ...STANDING }],
};

type Asked = Parameters<CreativeFinder>;

/** A server whose analytics notes what it is asked, and always finds the one creative of two. */
async function openWithCreative(t: TestContext) {
  const asked: Asked[] = [];
  const findCreatives: CreativeFinder = async (...question) => {
    asked.push(question);
    return { creatives: [CREATIVE], total: 2 };
  };
  return { server: await openManagement(t, undefined, { findCreatives }), asked };
}

test('an operator lists creatives by what is asked for, page by page', async (t) => {
  const { server, asked } = await openWithCreative(t);
  const api = await apiOf(server, 'operator@example.com');
  const query = 'demand_partner=1001&publisher=2001&crid=c%201&pending=true&markup=true';
  const listed = await api('GET', `/creatives/?${query}&limit=1&offset=0`);
  assert.equal(listed.status, 200);
  const { wins, pending } = SEEN;
  const counts = { ...TIMES, wins, pending };
  assert.deepEqual(listed.body, [
    { ...LOOK, ...counts, places: [{ publisher_id: 2001, ...counts, ...STANDING }] },
  ]);
  assert.equal(listed.headers['x-total-count'], '2');
  assert.match(String(listed.headers['link']), /offset=1>; rel="next"/);
  const filters = { demand_partner: 1001, publisher: 2001, crid: 'c 1' };
  assert.deepEqual(asked, [
    [
      { ...filters, pending: true, markup: true },
      { limit: 1, offset: 0 },
    ],
  ]);
});

test('a publisher sees what is on its ad spaces, a partner its own, whatever they ask for', async (t) => {
  const { server, asked } = await openWithCreative(t);
  const page = { limit: 1_000, offset: 0 };
  const publisher = await apiOf(server, 'ads@planet.example');
  await publisher('GET', '/creatives/');
  await publisher('GET', '/creatives/?publisher=2001&demand_partner=1002');
  const partner = await apiOf(server, 'engineer@acme.example');
  await partner('GET', '/creatives/?pending=false');
  await partner('GET', '/creatives/?publisher=2001');
  assert.deepEqual(asked, [
    [{ publisher: 2001 }, page],
    [{ publisher: 2001, demand_partner: 1002 }, page],
    [{ demand_partner: 1001, pending: false }, page],
    [{ demand_partner: 1001, publisher: 2001 }, page],
  ]);
  for (const answer of [
    await publisher('GET', '/creatives/?publisher=2002'),
    await partner('GET', '/creatives/?demand_partner=1002'),
    await partner('GET', '/creatives/?demand_partner=999'),
  ]) {
    assert.deepEqual([answer.status, answer.body, answer.headers['x-total-count']], [200, [], '0']);
  }
  assert.equal(asked.length, 4, 'what is another’s is not even looked for');
});

test('a wrong query is told by its parameter, and a closed store with 503', async (t) => {
  const findCreatives: CreativeFinder = async () => {
    throw new RialtoError('analytics_unavailable');
  };
  const api = await apiOf(
    await openManagement(t, undefined, { findCreatives }),
    'operator@example.com',
  );
  const query = 'demand_partner=x&publisher=0&crid=&pending=1x&markup=&limit=1001&offset=-1&day=1';
  const refused = await api('GET', `/creatives/?${query}`);
  assert.equal(refused.status, 400);
  const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(
    pointers.toSorted(),
    query
      .split('&')
      .map((each) => `/${each.split('=')[0]}`)
      .toSorted(),
  );
  const closed = await api('GET', '/creatives/');
  assert.deepEqual([closed.status, closed.body.code], [503, 'analytics_unavailable']);
});
