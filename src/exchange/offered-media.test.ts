import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncomingImp } from '../openrtb/incoming-request.ts';
import type { VideoSettings } from '../resources/formats.ts';
import { anAdSpace, aVideo } from './fixtures.ts';
import { offerMedia } from './offered-media.ts';

function offeredFor(
  video: NonNullable<IncomingImp['video']>,
  settings: Partial<VideoSettings> = {},
) {
  const adSpace = anAdSpace({ video: aVideo({ minduration: 5, maxduration: 60, ...settings }) });
  const { video: offered } = offerMedia({ id: '1', tagid: '4001', video }, adSpace);
  assert.ok(offered !== null);
  return offered;
}

test('the limits of a video in the request win over those of the ad space that conflict with them', () => {
  const cases = [
    [{}, 5, 60],
    [{ maxduration: 3 }, 0, 3],
    [{ maxduration: 5 }, 5, 5],
    [{ maxduration: 30 }, 5, 30],
    [{ minduration: 90 }, 90, 90],
    [{ minduration: 0 }, 0, 60],
    [{ minduration: 1, maxduration: 3 }, 1, 3],
    [{ minduration: 70, maxduration: 90 }, 70, 90],
    // A range that is turned around says nothing.
    [{ minduration: 30, maxduration: 10 }, 5, 60],
  ] as const;
  for (const [video, least, most] of cases) {
    const { minduration, maxduration } = offeredFor(video);
    assert.deepEqual([minduration, maxduration], [least, most], JSON.stringify(video));
  }
});

test('so do its bit rates, each pair for itself', () => {
  const slow = offeredFor({ maxbitrate: 200 });
  assert.deepEqual([slow.minbitrate, slow.maxbitrate], [0, 200]);
  const fast = offeredFor({ minbitrate: 5_000 });
  assert.deepEqual([fast.minbitrate, fast.maxbitrate], [5_000, 5_000]);
  assert.deepEqual([fast.minduration, fast.maxduration], [5, 60]);
});

test('what the ad space lets a video run over is over its own limit, not over that of the request', () => {
  const cases = [
    [{}, -1],
    [{ minduration: 10 }, -1],
    [{ maxduration: 3 }, undefined],
    [{ maxduration: 60 }, undefined],
    [{ maxduration: 3, maxextended: 2 }, 2],
    [{ maxextended: 0 }, 0],
    // A range that is turned around says nothing.
    [{ minduration: 30, maxduration: 10 }, -1],
  ] as const;
  for (const [video, expected] of cases) {
    const { maxextended } = offeredFor(video, { maxextended: -1 });
    assert.equal(maxextended, expected, JSON.stringify(video));
  }
});
