import { test } from 'node:test';

import { JournalNews } from './journal-news.ts';

const NEVER = new AbortController().signal;
const LONG_MS = 60_000;

test('who waits is woken when the journal has grown', async () => {
  const news = new JournalNews();
  const woken = news.after(news.count, LONG_MS, NEVER);
  news.tell();
  await woken;
});

test('what was told since the journal was looked at is not waited for', async () => {
  const news = new JournalNews();
  const seen = news.count;
  news.tell();
  await news.after(seen, LONG_MS, NEVER);
});

test('who waits goes on when the time is over, and at the signal', async () => {
  const news = new JournalNews();
  await news.after(news.count, 1, NEVER);
  const stopping = new AbortController();
  const waited = news.after(news.count, LONG_MS, stopping.signal);
  stopping.abort();
  await waited;
  await news.after(news.count, LONG_MS, stopping.signal);
});
