import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validateIncomingRequest } from '../../openrtb/validate-incoming.ts';
import { apiOf, openManagement } from '../../../test/support/management.ts';

const PUBLISHER = 'ads@planet.example';
const SPACES = '/publishers/2001/ad-spaces/';
const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/publisher.md'), 'utf8');

interface Answer {
  readonly exchange_url: string;
  readonly tags: readonly { readonly kind: string; readonly use: string; readonly text: string }[];
}

const textOf = ({ tags }: Answer, kind: string): string =>
  tags.find((tag) => tag.kind === kind)?.text ?? '';
const kindsOf = ({ tags }: Answer): string[] => tags.map(({ kind }) => kind);

test('an ad space has a tag for each way to ask for its formats', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const kinds: unknown[] = [];
  for (const id of [4001, 4002, 4003, 4004]) {
    // oxlint-disable-next-line no-await-in-loop
    const { status, body } = await api('GET', `${SPACES}${id}/tags/`);
    assert.deepEqual([status, body.exchange_url], [200, 'https://ads.example']);
    kinds.push(kindsOf(body));
  }
  assert.deepEqual(kinds, [
    ['app', 'json', 'openrtb'],
    ['vast', 'json', 'openrtb'],
    ['native', 'json', 'openrtb'],
    ['script', 'frame', 'json', 'openrtb'],
  ]);
});

test('the tags of a page are those of the guide for publishers', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const { body } = await api('GET', `${SPACES}4004/tags/`);
  for (const kind of ['script', 'frame']) {
    assert.ok(GUIDE.includes(textOf(body, kind)), `${kind}: ${textOf(body, kind)}`);
  }
  assert.equal(textOf(body, 'json'), 'https://ads.example/ad/4004?format=json');
});

test('addresses have macros for what only the player or the app knows', async (t) => {
  const server = await openManagement(t, (yaml) =>
    yaml.replace('  name: Rialto\n', '  name: Rialto\n  gvl_id: 777\n'),
  );
  const api = await apiOf(server, PUBLISHER);
  const app = new URL(textOf((await api('GET', `${SPACES}4001/tags/`)).body, 'app'));
  assert.equal(`${app.origin}${app.pathname}`, 'https://ads.example/ad/4001');
  assert.deepEqual(Object.fromEntries(app.searchParams), {
    ifa: '[IFA]',
    lmt: '[LIMITADTRACKING]',
    os: 'Android',
    mraidver: '3',
    sdkver: '[SDKVERSION]',
  });
  const vast = textOf((await api('GET', `${SPACES}4002/tags/`)).body, 'vast');
  assert.equal(
    vast,
    'https://ads.example/vast/4002?vastver=3&w=640&h=360&ifa=[IFA]&lmt=[LIMITADTRACKING]&consent=${GDPR_CONSENT_777}',
  );
  const native = textOf((await api('GET', `${SPACES}4003/tags/`)).body, 'native');
  assert.equal(native, 'https://ads.example/native/4003');
});

test('the OpenRTB request is one that the exchange takes, of every format', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const player = { video: { w: 640, h: 360 }, native: { title: 90 } };
  assert.equal((await api('PATCH', `${SPACES}4004/`, player)).status, 200);
  const { body } = await api('GET', `${SPACES}4004/tags/`);
  assert.deepEqual(kindsOf(body), ['script', 'frame', 'vast', 'native', 'json', 'openrtb']);
  assert.match(textOf(body, 'vast'), /&page=\[PAGEURL\]&consent=/);
  const request: unknown = JSON.parse(textOf(body, 'openrtb'));
  assert.deepEqual(validateIncomingRequest(request), { ok: true, value: request });
  assert.deepEqual(Object(request).site, { id: '3002', publisher: { id: '2001' } });
  assert.deepEqual(Object(request).imp, [
    {
      id: '1',
      tagid: '4004',
      secure: 1,
      banner: { w: 300, h: 250 },
      video: { w: 640, h: 360 },
      native: {},
    },
  ]);
});

test('a control that was not told where the exchange is says so', async (t) => {
  const server = await openManagement(t, undefined, { exchangeUrl: null });
  const api = await apiOf(server, PUBLISHER);
  const refused = await api('GET', `${SPACES}4004/tags/`);
  assert.deepEqual([refused.status, refused.body.code], [404, 'no_exchange_url']);
  assert.equal((await api('GET', `${SPACES}987/tags/`)).body.code, 'not_found');
});
