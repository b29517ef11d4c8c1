import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fastify } from 'fastify';
import { RialtoError } from '../../base/errors.ts';
import type { Caller, CallerRole } from '../../identity/caller.ts';
import { createAuthenticate, requireCaller } from '../authenticate.ts';
import { Endpoints } from '../endpoints.ts';
import { createAuctionExplainer } from './explain-auction.ts';
import { registerAuctions } from './routes.ts';
import { ACME, aFound, AUCTION_ID, BOLT, NOW_MS, twoPartners } from './fixtures.ts';

function caller(role: CallerRole, entityId: number | null): Caller {
  const email = 'somebody@example.com';
  return { userId: 1, email, role, entityId, clientId: null, status: 'ACTIVE', scope: ['read'] };
}

const CALLERS: Readonly<Record<string, Caller>> = {
  operator: caller('operator', null),
  acme: caller('demand-partner', ACME),
  bolt: caller('demand-partner', BOLT),
  publisher: caller('publisher', 2001),
};

function serverOf(t: TestContext, isOpen = true) {
  const app = fastify();
  t.after(() => app.close());
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof RialtoError)) throw error;
    return reply.code(error.status).send({ code: error.code });
  });
  const explain = createAuctionExplainer({
    findAuction: (id) => {
      if (!isOpen) throw new RialtoError('analytics_unavailable');
      return Promise.resolve(id === AUCTION_ID ? aFound() : null);
    },
    snapshot: () => Promise.resolve(twoPartners()),
    now: () => NOW_MS,
  });
  app.register(
    async (api) => {
      const findCaller = (token: string) => Promise.resolve(CALLERS[token] ?? null);
      requireCaller(api, createAuthenticate(findCaller));
      const endpoints = new Endpoints(api, null);
      registerAuctions(endpoints, { explain });
      endpoints.answerOtherMethods();
    },
    { prefix: '/api' },
  );
  return async (token: string, id = AUCTION_ID, slash = '/') => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    const answer = await app.inject({ url: `/api/auctions/${id}${slash}`, headers });
    return { status: answer.statusCode, body: answer.body, headers: answer.headers };
  };
}

test('the operator gets the whole, a demand partner its part, with both forms of the path', async (t) => {
  const get = serverOf(t);
  for (const slash of ['', '/']) {
    const whole = await get('operator', AUCTION_ID, slash);
    assert.equal(whole.status, 200);
    assert.equal(whole.headers['cache-control'], 'no-store');
    assert.equal(JSON.parse(whole.body).view, 'operator');
    const part = await get('acme', AUCTION_ID, slash);
    const { view, demand_partner: partner } = JSON.parse(part.body);
    assert.deepEqual([view, partner.id], ['demand-partner', ACME]);
  }
});

test("what had nothing for the caller answers like what is not there, and so do a publisher's", async (t) => {
  const get = serverOf(t);
  const missing = await get('operator', 'f'.repeat(32));
  assert.equal(missing.status, 404);
  assert.equal(JSON.parse(missing.body).code, 'not_found');
  const answers = [
    await get('bolt'),
    await get('publisher'),
    await get('publisher', 'f'.repeat(32)),
    await get('acme', 'f'.repeat(32)),
    await get('acme', 'no-id'),
  ];
  for (const { status, body } of answers) {
    assert.deepEqual([status, body], [missing.status, missing.body]);
  }
});

test('without a token nobody learns anything', async (t) => {
  const get = serverOf(t);
  assert.equal((await get('')).status, 401);
  assert.equal((await get('stolen')).status, 401);
});

test('while the store is not open the answer is to come again', async (t) => {
  assert.equal((await serverOf(t, false)('operator')).status, 503);
});
