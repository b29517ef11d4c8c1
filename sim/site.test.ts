import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { catalogueOf, readCatalogue } from './catalogue.ts';
import { startSite } from './site.ts';

const CONFIG = fileURLToPath(new URL('../examples/demo.yaml', import.meta.url));

test("a site's front page has the exchange's tag, the frame of user matching and a slot for each of three ads", async (t) => {
  const site = await startSite(readCatalogue(CONFIG), 'http://ads.example/');
  t.after(() => site.close());
  const answer = await fetch(site.url);
  const html = await answer.text();
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(html, /<title>planet\.example<\/title>/);
  assert.match(html, /<script async src="http:\/\/ads\.example\/tag\.js"><\/script>/);
  assert.match(html, /<iframe src="http:\/\/ads\.example\/sync" [^>]*hidden>/);
  const slots = Array.from(html.matchAll(/data-rialto="(\d+)" data-rialto-size="(\w+)"/g));
  // In the order of the page; the site has two ad spaces, and the first one is there twice.
  assert.deepEqual(
    slots.map(([, id, size]) => [id, size]),
    [
      ['4005', '300x250'],
      ['4004', '300x250'],
      ['4004', '300x250'],
    ],
  );
  assert.equal((await fetch(`${site.url}other`)).status, 404);
});

test('without a site that shows banners there is no page', async () => {
  await assert.rejects(
    startSite(catalogueOf({}), 'http://ads.example'),
    /no site with an ad space/,
  );
});
