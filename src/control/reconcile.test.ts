import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { RowsQuestion, StoreQuestion, StoreSide } from '../analytics/reconcile-wire.ts';
import { RialtoError } from '../base/errors.ts';
import { answerProblems } from './problem-details.ts';
import { registerReconcile, type StoreReader } from './reconcile.ts';

const QUESTION: StoreQuestion = { date: '2026-11-20', node: 'a'.repeat(16), after_ms: 5 };

const SIDE: StoreSide = {
  offsets: { 'money-1.ndjson': 7 },
  unfinished: [],
  held: [],
  digests: [],
  metrics: [],
  duplicates: [],
  notices: [],
  totals: {
    auctions: 1,
    filled_auctions: 1,
    wins: 1,
    impressions: 0,
    clicks: 0,
    gross_cpm_micros: '0',
    payout_cpm_micros: '0',
  },
};

function server(store: Partial<StoreReader>): FastifyInstance {
  const app = fastify();
  answerProblems(app, pino({ level: 'silent' }));
  const unasked = () => Promise.reject(new Error('nobody asked for this'));
  registerReconcile(app, { side: unasked, rows: unasked, ...store });
  return app;
}

test('the store is asked what was asked for, and its answer goes out as it is', async () => {
  const asked: (StoreQuestion | RowsQuestion)[] = [];
  const app = server({
    side: async (question) => {
      asked.push(question);
      return SIDE;
    },
    rows: async (question) => {
      asked.push(question);
      return { rows: [], complete: true };
    },
  });
  const side = await app.inject({ method: 'POST', url: '/internal/reconcile', payload: QUESTION });
  assert.deepEqual(side.json(), SIDE);
  const question = { ...QUESTION, kind: 'click', bucket: 255 };
  const url = '/internal/reconcile/rows';
  const rows = await app.inject({ method: 'POST', url, payload: question });
  assert.deepEqual(rows.json(), { rows: [], complete: true });
  assert.deepEqual(asked, [QUESTION, question]);
});

test('what is no question is 400, before the store is asked', async () => {
  const app = server({});
  const wrong = [
    { ...QUESTION, date: '2026-02-30' },
    { ...QUESTION, date: 'today' },
    { ...QUESTION, node: "a' OR 1" },
    { ...QUESTION, after_ms: -1 },
    {},
  ];
  for (const payload of wrong) {
    for (const url of ['/internal/reconcile', '/internal/reconcile/rows']) {
      const answer = await app.inject({ method: 'POST', url, payload });
      assert.equal(answer.statusCode, 400, JSON.stringify(payload));
      assert.equal(answer.json().code, 'invalid_request');
    }
  }
});

test('a store that is not open yet is 503', async () => {
  const app = server({ side: () => Promise.reject(new RialtoError('analytics_unavailable')) });
  const answer = await app.inject({
    method: 'POST',
    url: '/internal/reconcile',
    payload: QUESTION,
  });
  assert.equal(answer.statusCode, 503);
});
