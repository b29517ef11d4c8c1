import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';

import type { AuctionChoice, PageQuestion } from '../analytics/recorded-wire.ts';
import { RialtoError } from '../base/errors.ts';
import { answerProblems } from './problem-details.ts';
import { registerReplay, type RecordedReader } from './replay.ts';

const CHOICE: AuctionChoice = {
  from_ms: 1_000,
  to_ms: 2_000,
  publisher_id: 0,
  zone_id: 4001,
  demand_partner_id: 0,
};
const QUESTION: PageQuestion = { ...CHOICE, sample_ppm: 1_000_000, seed: '1', after: null };

function server(store: Partial<RecordedReader>): FastifyInstance {
  const app = fastify();
  answerProblems(app, pino({ level: 'silent' }));
  const unasked = () => Promise.reject(new Error('nobody asked for this'));
  registerReplay(app, { minutes: unasked, recordedPage: unasked, ...store });
  return app;
}

function post(app: FastifyInstance, url: string, payload: object) {
  return app.inject({ method: 'POST', url, payload });
}

test('the store is asked what was asked for, and its answer goes out as it is', async () => {
  const asked: object[] = [];
  const after = { at_ms: 1_500, auction_id: 'a' };
  const page = { auctions: [], next: after };
  const app = server({
    minutes: async (choice) => {
      asked.push(choice);
      return [{ at_ms: 0, auctions: 3 }];
    },
    recordedPage: async (question) => {
      asked.push(question);
      return page;
    },
  });
  const minutes = await post(app, '/internal/replay/minutes', CHOICE);
  assert.deepEqual(minutes.json(), [{ at_ms: 0, auctions: 3 }]);
  const pages = await post(app, '/internal/replay', { ...QUESTION, after });
  assert.deepEqual(pages.json(), page);
  assert.deepEqual(asked, [CHOICE, { ...QUESTION, after }]);
});

test('what is no question is 400, before the store is asked', async () => {
  const app = server({});
  for (const wrong of [{ from_ms: -1 }, { zone_id: "4001' OR 1" }, { to_ms: 1e15 }]) {
    for (const [url, question] of [
      ['/internal/replay/minutes', CHOICE],
      ['/internal/replay', QUESTION],
    ] as const) {
      const answer = await post(app, url, { ...question, ...wrong });
      assert.equal(answer.statusCode, 400, JSON.stringify(wrong));
      assert.equal(answer.json().code, 'invalid_request');
    }
  }
  const answer = await post(app, '/internal/replay', { ...QUESTION, sample_ppm: 0 });
  assert.equal(answer.statusCode, 400);
});

test('a store that is not open yet is 503', async () => {
  const app = server({ minutes: () => Promise.reject(new RialtoError('analytics_unavailable')) });
  assert.equal((await post(app, '/internal/replay/minutes', CHOICE)).statusCode, 503);
});
