import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VIDEO_EVENTS } from '../events/video-event.ts';
import { readVideoEvent } from './video-events.ts';

test('each event of VAST has its address, with or without a slash at the end', () => {
  for (const event of VIDEO_EVENTS) {
    const told = { event, token: 'TOKEN', code: '' };
    assert.deepEqual(readVideoEvent(`/event/${event}/TOKEN`), told);
    assert.deepEqual(readVideoEvent(`/event/${event}/TOKEN/?cachebust=1`), told);
  }
});

test('an error brings its code; what is none of VAST makes no label of its own', () => {
  const codeOf = (query: string): string | undefined =>
    readVideoEvent(`/event/error/TOKEN${query}`)?.code;
  assert.equal(codeOf('?code=303'), '303');
  for (const query of ['', '?code=[ERRORCODE]', '?code=304', '?code=303x', '?code=']) {
    assert.equal(codeOf(query), 'other', query);
  }
});

test('other addresses are no events', () => {
  for (const url of [
    '/event/pause/TOKEN',
    '/event/start',
    '/event/start/',
    '/events/start/T',
    '/',
  ]) {
    assert.equal(readVideoEvent(url), null, url);
  }
  assert.equal(readVideoEvent('/event/constructor/TOKEN'), null);
});
