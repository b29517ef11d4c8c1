import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { RialtoError } from '../base/errors.ts';
import { serveEndpoints } from '../../test/support/serve-endpoints.ts';
import { tenancyFaults } from '../../test/support/tenancy-faults.ts';
import { openTenants } from '../../test/support/tenants.ts';
import { allEndpoints } from './all-endpoints.ts';
import { DEMAND_SIDE, NO_BODY, NO_QUERY, type Endpoint } from './endpoint.ts';
import { readNumericId } from './resource.ts';

test('no endpoint tells a caller of another tenant, and none lets him change what is not his', async (t) => {
  const endpoints = await allEndpoints();
  assert.ok(endpoints.length >= 6);
  assert.deepEqual(await tenancyFaults(await openTenants(t), endpoints), []);
});

const PLANTED: Endpoint = {
  id: 'getPlanted',
  method: 'GET',
  path: '/demand-partners/:demand_partner_id/planted/:line_item_id',
  tag: 'Planted',
  summary: 'Get what is not looked after',
  roles: DEMAND_SIDE,
  query: NO_QUERY,
  body: NO_BODY,
  answer: { status: 200, meaning: 'a line item', schema: Type.Unknown() },
};

test('an endpoint that does not ask who owns a thing is found out, by what it shows and tells', async (t) => {
  const tenants = await openTenants(t);
  const { app, endpoints } = await serveEndpoints(t, tenants.db, (api) => {
    api.add(PLANTED, async ({ params }) => {
      const id = readNumericId(params['line_item_id'] ?? '') ?? 0;
      const rows = tenants.db.selectFrom('line_items').select('name').where('id', '=', id);
      const row = await rows.executeTakeFirst();
      if (row === undefined) throw new RialtoError('not_found');
      return row;
    });
  });
  const faults = (await tenancyFaults({ ...tenants, app }, endpoints)).join('\n');
  assert.match(faults, /getPlanted by a buyer: .*\/502 shows zqbuyer/);
  assert.match(faults, /getPlanted by a buyer: .*\/502 \(200\) is told from .*\/987654321 \(404\)/);
  assert.doesNotMatch(faults, /by nobody|by a seller/);
});

test('an endpoint that changes what is not the caller’s is found out, though it says nothing', async (t) => {
  const tenants = await openTenants(t);
  const endpoint = { ...PLANTED, id: 'pausePlanted', method: 'DELETE' } as const;
  const { app, endpoints } = await serveEndpoints(t, tenants.db, (api) => {
    api.add(endpoint, async ({ params }) => {
      const change = tenants.db.updateTable('line_items').set({ status: 'PAUSED' });
      const id = readNumericId(params['line_item_id'] ?? '') ?? 0;
      await change.where('id', '=', id).execute();
      throw new RialtoError('not_found');
    });
  });
  assert.deepEqual(await tenancyFaults({ ...tenants, app }, endpoints), [
    'pausePlanted: the store has changed by a stranger',
  ]);
});

test('an endpoint whose refusals differ is found out', async (t) => {
  const tenants = await openTenants(t);
  const { app, endpoints } = await serveEndpoints(t, tenants.db, (api) => {
    api.add({ ...PLANTED, roles: ['operator', 'demand-partner', 'publisher'] }, async (asked) => {
      if (asked.caller.role === 'operator') return {};
      const isThere = asked.params['line_item_id'] === '502';
      throw new RialtoError(isThere ? 'forbidden' : 'not_found');
    });
  });
  const faults = (await tenancyFaults({ ...tenants, app }, endpoints)).join('\n');
  assert.match(faults, /getPlanted by a seller: .*\(403\) is told from .*\(404\)/);
});
