import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fastify } from 'fastify';
import { registerExplain, type ExplainQuestion } from './explain.ts';

function serverOf(t: TestContext) {
  const app = fastify();
  t.after(() => app.close());
  const asked: ExplainQuestion[] = [];
  registerExplain(app, async (question) => {
    asked.push(question);
    if (question.auction_id === 'known') return { auction: { id: 'known' } };
    return { auction: null, missing: 'auction' };
  });
  const post = async (payload: object) => {
    const answer = await app.inject({ method: 'POST', url: '/internal/explain', payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { post, asked };
}

test('an auction is answered as it is explained, and what is missing where there is none', async (t) => {
  const { post, asked } = serverOf(t);
  const question = { auction_id: 'known', demand_partner_id: 1001 };
  assert.deepEqual(await post(question), { status: 200, body: { auction: { id: 'known' } } });
  const other = { auction_id: 'other' };
  const nothing = { auction: null, missing: 'auction' };
  assert.deepEqual(await post(other), { status: 200, body: nothing });
  assert.deepEqual(asked, [question, other]);
});

test('what is no question is refused', async (t) => {
  const { post, asked } = serverOf(t);
  for (const payload of [
    {},
    { auction_id: 'known', demand_partner_id: null },
    { auction_id: 'known', demand_partner_id: 0 },
    { auction_id: 'x'.repeat(101) },
  ]) {
    assert.equal((await post(payload)).status, 400, JSON.stringify(payload));
  }
  assert.deepEqual(asked, []);
});
