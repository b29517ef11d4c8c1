import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import type { Discovery } from '../../analytics/discovery.ts';
import type { Targeting } from '../../resources/targeting.ts';

const DISCOVERY = '/inventory/discovery/';
const TRAFFIC = { ad_requests: 7, qps_avg: 0.5, qps_peak: 1 };
const ANSWER: Discovery = {
  days: [{ date: '2026-11-20', complete: false, ...TRAFFIC }],
  total: TRAFFIC,
};

/** The API over a store that answers everything with the same, and keeps what it was asked. */
async function openDiscovery(t: Parameters<typeof openManagement>[0], email: string) {
  const asked: Targeting[] = [];
  const server = await openManagement(t, undefined, {
    discover: async (targeting) => {
      asked.push(targeting);
      return ANSWER;
    },
  });
  return { asked, server, api: await apiOf(server, email, ['read']) };
}

// Management API, "Inventory discovery request".
test('a discovery request as the spec has it is answered with its targeting', async (t) => {
  const { asked, api } = await openDiscovery(t, 'engineer@acme.example');
  const requests: Targeting[] = [
    {
      geo: {
        is_geo_data_required: true,
        countries: { identifiers: [{ code: 'US' }, { code: 'DE' }], is_whitelist: true },
      },
    },
    { geo: { is_geo_data_required: false } },
    { geo: { countries: { identifiers: [{ code: 'GR' }], is_whitelist: false } } },
    { geo: {} },
    {},
    {
      sizes: { identifiers: [{ code: '320x50' }], is_whitelist: true },
      categories: { identifiers: [], is_whitelist: false },
      secure: true,
    },
  ];
  for (const targeting of requests) {
    const { status, body } = await api('POST', DISCOVERY, targeting);
    assert.deepEqual([status, body], [200, { ...ANSWER, targeting }]);
  }
  assert.deepEqual(asked, requests);
});

test('what is no targeting is told where it stands', async (t) => {
  const { asked, api } = await openDiscovery(t, 'operator@example.com');
  const codes = (code: string) => ({ identifiers: [{ code }], is_whitelist: true });
  const wrong: readonly [unknown, string][] = [
    [{ geography: {} }, '/geography'],
    [{ geo: { country: {} } }, '/geo/country'],
    [{ geo: { countries: codes('USA') } }, '/geo/countries/identifiers/0/code'],
    [{ geo: { countries: codes('ZZ') } }, '/geo/countries/identifiers/0/code'],
    [{ geo: { countries: { identifiers: [] } } }, '/geo/countries/is_whitelist'],
    [{ geo: { is_geo_data_required: 'true' } }, '/geo/is_geo_data_required'],
    [{ platforms: codes('Windows Phone') }, '/platforms/identifiers/0/code'],
    [{ secure: null }, '/secure'],
    [null, ''],
    ['all', ''],
  ];
  for (const [body, pointer] of wrong) {
    const answer = await api('POST', DISCOVERY, JSON.stringify(body));
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.errors?.[0]?.pointer, pointer, JSON.stringify(body));
  }
  assert.deepEqual(asked, []);
});

test('publishers ask for no inventory of others', async (t) => {
  const { asked, api } = await openDiscovery(t, 'ads@planet.example');
  assert.equal((await api('POST', DISCOVERY, {})).status, 403);
  assert.deepEqual(asked, []);
});
