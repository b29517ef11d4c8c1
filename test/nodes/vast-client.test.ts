import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { VASTClient } from '@dailymotion/vast-client';
import { vastMarkup } from '../../sim/markup.ts';
import { vastWrapper } from '../../src/edge/vast-wrapper.ts';
import { startExchange } from '../support/exchange.ts';

/**
 * The wrapper and what it leads to, read by a VAST client that others have written, as players do.
 */

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
const EVENTS = ['complete', 'creativeView', 'firstQuartile', 'midpoint', 'start', 'thirdQuartile'];

for (const vastver of ['2', '3']) {
  test(`a VAST client resolves our wrapper of VAST ${vastver} to the partner's ad, with our trackers`, async (t) => {
    const exchange = await startExchange({
      t,
      acme: { price: { medianUsd: 8, spread: 0 }, bidRate: 1 },
      args: ['--workers=2'],
    });
    const query = new URLSearchParams({ vastver, ip: '8.8.8.8', ua: PHONE });
    const client = new VASTClient();
    const { ads, version } = await client.get(
      `${exchange.node.urls.exchange}/vast/4002?${query.toString()}`,
    );
    assert.equal(version, `${vastver}.0`);
    assert.equal(ads.length, 1);
    const [ad] = ads;
    const tracker = exchange.node.urls.tracker.replace('127.0.0.1', 'localhost');
    const ours = (url: string | undefined): boolean => url?.startsWith(tracker) === true;
    // Ours and the partner's.
    const impressions = ad.impressionURLTemplates.map(({ url }: { url: string }) => url);
    assert.equal(impressions.length, 2);
    assert.equal(impressions.filter(ours).length, 1);
    assert.deepEqual(
      ad.errorURLTemplates.map((url: string) => url.replace(/\/[^/]*$/, '')),
      [`${tracker}/event/error`],
    );
    const [creative] = ad.creatives;
    assert.equal(creative.type, 'linear');
    assert.equal(creative.mediaFiles.length, 1);
    assert.match(creative.videoClickThroughURLTemplate.url, /^https:\/\//);
    const clicks = creative.videoClickTrackingURLTemplates.map(({ url }: { url: string }) => url);
    assert.ok(clicks.length >= 1 && clicks.every(ours));
    assert.deepEqual(Object.keys(creative.trackingEvents).toSorted(), EVENTS);
    assert.ok(Object.values<string[]>(creative.trackingEvents).flat().every(ours));
  });
}

test('a VAST client finds no ad, and no fault, in the answer when nobody bought', async (t) => {
  const exchange = await startExchange({ t, acme: { bidRate: 0 }, bolt: { bidRate: 0 } });
  const { ads } = await new VASTClient().get(`${exchange.node.urls.exchange}/vast/4002`);
  assert.deepEqual(ads, []);
});

test('hostile texts in a wrapper stay texts for a VAST client', async (t) => {
  const hostile = 'https://x.example/?a=<b>&c="d"]]></Impression><Error>evil</Error>';
  const spot = {
    version: '2.0',
    durationSeconds: 15,
    mime: 'video/mp4',
    bitrateKbps: 900,
    skipAfterSeconds: undefined,
  } as const;
  const creative = { bidId: 'b', adomain: 'x.example', w: 640, h: 360, trackerOrigin: 'http://b' };
  const server = createServer(({ url }, response) => {
    const wrapper = vastWrapper('2.0', {
      id: 'a"><Evil id="',
      markupUrl: `${origin()}/inner?]]>`,
      impressionUrl: hostile,
      clickUrl: hostile,
      eventUrl: () => hostile,
      nonLinear: false,
    });
    response.end(url === '/' ? wrapper : vastMarkup(creative, spot));
  });
  const origin = (): string => {
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { ads } = await new VASTClient().get(`${origin()}/`);
  assert.equal(ads.length, 1);
  const impressions = ads[0].impressionURLTemplates.map(({ url }: { url: string }) => url);
  assert.ok(impressions.includes(hostile), impressions.join());
  assert.deepEqual(ads[0].errorURLTemplates, [`${hostile}?code=[ERRORCODE]`]);
});
