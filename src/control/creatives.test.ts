import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Compile } from 'typebox/compile';
import type { CreativesAnswer } from '../analytics/creatives-wire.ts';
import {
  ListAnswerSchema,
  registerCreatives,
  ReviewAnswerSchema,
  ReviewsAnswerSchema,
  type CreativeService,
} from './creatives.ts';
import { answerProblems } from './problem-details.ts';

const SEEN = { first_seen_ms: 1, last_seen_ms: 2, wins: 3, pending: 0 };

const LISTED: CreativesAnswer = {
  creatives: [
    {
      demand_partner_id: 1001,
      crid: 'c-1',
      adomain: ['shop.example'],
      ad_format: 'banner',
      w: 320,
      h: 50,
      markup_bytes: 20,
      markup: '',
      ...SEEN,
      places: [{ publisher_id: 2001, ...SEEN, verdict: 'none', by: '', domain: '', reason: '' }],
    },
  ],
  more: false,
};

function server(service: Partial<CreativeService>): FastifyInstance {
  const app = fastify();
  answerProblems(app, pino({ level: 'silent' }));
  const unasked = () => Promise.reject(new Error('nobody asked for this'));
  registerCreatives(app, {
    list: unasked,
    reviews: unasked,
    save: unasked,
    remove: unasked,
    ...service,
  });
  return app;
}

async function post(app: FastifyInstance, url: string, payload: object): Promise<unknown> {
  const answer = await app.inject({ method: 'POST', url, payload });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}

test('what was seen is answered as it was found, in the form that is promised', async () => {
  const app = server({ list: () => Promise.resolve({ ok: true, value: LISTED }) });
  const answer = await post(app, '/internal/creatives', { demand_partner: 1001 });
  assert.ok(Compile(ListAnswerSchema).Check(answer));
  assert.deepEqual(answer, { problems: [], ...LISTED });
});

test('whoever names an unknown partner or publisher is told so', async () => {
  const problems = [{ pointer: '/publisher', message: 'There is no publisher 9.' }];
  const app = server({ list: () => Promise.resolve({ ok: false, problems }) });
  const answer = await post(app, '/internal/creatives', { publisher: 9 });
  assert.deepEqual(answer, { problems, creatives: [], more: false });
});

test('a decision that breaks its form reaches nobody, and is told what is wrong', async () => {
  const app = server({});
  for (const path of ['save', 'remove']) {
    const url = `/internal/creatives/reviews/${path}`;
    const by = path === 'save' ? { by: 'ops' } : {};
    const answer = await post(app, url, { domain: 'a b', verdict: 'blocked', ...by });
    assert.ok(Compile(ReviewAnswerSchema).Check(answer));
    assert.equal(answer.outcome, 'refused');
    assert.match(answer.problems[0]?.message ?? '', /^domain must be a domain such as/);
  }
});

test('a decision is passed on as it is, and what became of it is answered', async () => {
  const asked: unknown[] = [];
  const app = server({
    save: async (review) => {
      asked.push(review);
      return { ok: true, outcome: 'created', review: null };
    },
    remove: async (review) => {
      asked.push(review);
      return { ok: true, outcome: 'unchanged', review: null };
    },
    reviews: () => Promise.resolve([]),
  });
  const removal = { demand_partner: 1001, crid: 'c-1', verdict: 'blocked' };
  const review = { ...removal, by: 'ops' };
  const saved = await post(app, '/internal/creatives/reviews/save', review);
  assert.deepEqual(saved, { problems: [], outcome: 'created' });
  const removed = await post(app, '/internal/creatives/reviews/remove', removal);
  assert.deepEqual(removed, { problems: [], outcome: 'unchanged' });
  assert.deepEqual(asked, [review, removal]);
  assert.ok(Compile(ReviewsAnswerSchema).Check(await post(app, '/internal/creatives/reviews', {})));
});
