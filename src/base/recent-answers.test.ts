import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentAnswers } from './recent-answers.ts';

test('a question is asked once for all who ask it within a moment, and then anew', async () => {
  let nowMs = 1_000;
  let asked = 0;
  const answers = new RecentAnswers<number>(1_500, () => nowMs);
  const ask = (question = 'a') => answers.get(question, async () => (asked += 1));
  assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
  nowMs += 1_499;
  assert.equal(await ask(), 1);
  assert.equal(await ask('b'), 2);
  nowMs += 1;
  assert.equal(await ask(), 3);
});

test('an answer that takes long is waited for, and not asked for again meanwhile', async () => {
  let nowMs = 1_000;
  let asked = 0;
  const slow = Promise.withResolvers<number>();
  const answers = new RecentAnswers<number>(1_500, () => nowMs);
  const ask = () =>
    answers.get('a', () => {
      asked += 1;
      return asked === 1 ? slow.promise : Promise.resolve(asked);
    });
  const first = ask();
  nowMs += 60_000;
  const second = ask();
  slow.resolve(1);
  assert.deepEqual(await Promise.all([first, second]), [1, 1]);
  assert.equal(await ask(), 2);
});

test('a failure is told and not remembered', async () => {
  const answers = new RecentAnswers<string>(1_500, () => 0);
  const failing = async (): Promise<string> => {
    throw new Error('closed');
  };
  await assert.rejects(answers.get('a', failing), /closed/);
  assert.equal(await answers.get('a', async () => 'open'), 'open');
});

test('a clock that was put back does not keep an answer', async () => {
  let nowMs = 1_000_000;
  const answers = new RecentAnswers<number>(1_500, () => nowMs);
  assert.equal(await answers.get('a', async () => 1), 1);
  nowMs = 0;
  assert.equal(await answers.get('a', async () => 2), 2);
});
