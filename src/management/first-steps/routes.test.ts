import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { noteTest } from '../../configuration/tested-bidders.ts';

/** An exchange with an operator, and nothing else. */
const EMPTY = 'operators: [{ email: operator@example.com, password: operator-password }]\n';
const BY = { actor: { name: 'test', userId: null, clientId: null }, nowMs: 0 };

test('an operator of an empty exchange is told what is left to do, step by step', async (t) => {
  const seen = { hasRequests: false, hasImpressions: false };
  let asked = 0;
  const server = await openManagement(t, () => EMPTY, {
    readFirsts: async () => {
      asked += 1;
      return { ...seen };
    },
  });
  const { db } = server;
  const operator = await apiOf(server, 'operator@example.com');
  const done = async (): Promise<string> => {
    const { status, body } = await operator('GET', '/first-steps/');
    assert.equal(status, 200);
    assert.equal(body.is_done, seen.hasImpressions);
    return body.steps
      .filter(({ is_done: isDone }: { is_done: boolean }) => isDone)
      .map(({ step }: { step: string }) => step)
      .join(' ');
  };
  assert.equal(await done(), '');
  const partner = (await operator('POST', '/demand-partners/', { name: 'Acme' })).body.id;
  assert.equal(await done(), 'demand_partner');
  await noteTest(db, { demandPartnerId: partner, outcome: 'timeout' }, BY);
  assert.equal(await done(), 'demand_partner');
  await noteTest(db, { demandPartnerId: partner, outcome: 'no_bid' }, BY);
  const publisher = await operator('POST', '/publishers/', { name: 'Planet', revenue_share: 0.8 });
  assert.equal(await done(), 'demand_partner bidder_test publisher');
  const path = `/publishers/${publisher.body.id}`;
  const app = { name: 'Reader', bundle: 'com.planet.reader', platform: 'Android' };
  const made = await operator('POST', `${path}/apps/`, app);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const space = { name: 'Top', banner: { sizes: ['320x50'] }, app_id: made.body.id };
  const added = await operator('POST', `${path}/ad-spaces/`, space);
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const { body } = await operator('GET', '/first-steps/');
  assert.deepEqual(
    [body.demand_partner_id, body.publisher_id, body.ad_space_id],
    [partner, publisher.body.id, added.body.id],
  );
  assert.equal(await done(), 'demand_partner bidder_test publisher ad_space');
  seen.hasRequests = true;
  seen.hasImpressions = true;
  assert.match(await done(), /ad_space ad_request impression$/);
  const before = asked;
  await done();
  assert.equal(asked, before, 'what was counted once stays so');
});
