import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isRecord } from '../../src/openrtb/schema-node.ts';
import { validateIncomingRequest } from '../../src/openrtb/validate-incoming.ts';
import { validateOutgoingRequest } from '../../src/openrtb/validate-outgoing.ts';
import { exampleMarket, holdGolden } from '../support/golden.ts';

type Json = Record<string, unknown>;

/** A request as a vendor or a specification documents it, in our own words. */
interface Sample {
  readonly description: string;
  /** Where the like of it is documented. */
  readonly source: string;
  /** Pointers of all problems that it has, in order. */
  readonly problems: readonly string[];
  readonly request: Json;
}

const FOLDER = join(import.meta.dirname, '../openrtb-samples');
const NAMES = await readdir(FOLDER);

/** The example exchange, one ad space of each property with every format. */
const market = await exampleMarket((yaml) =>
  yaml
    .replace(
      'sizes: [320x50] }',
      'sizes: [320x50] }, video: { w: 640, h: 360 }, native: { title: 90 }',
    )
    .replace(
      'sizes: [300x250] }',
      'sizes: [300x250] }, video: { w: 640, h: 360 }, native: { title: 90 }',
    )
    .replace('ad_formats: { identifiers: [{ code: banner }], is_whitelist: true }', ''),
);

async function read(name: string): Promise<Sample> {
  const sample: Sample = JSON.parse(await readFile(join(FOLDER, name), 'utf8'));
  return sample;
}

/** The sample as the publisher of the example exchange would send it, which knows no seats of others. */
function ofPublisher({ request: { wseat: _wseat, ...request } }: Sample): Json {
  const imps: unknown = request['imp'];
  const tagid = request['app'] === undefined ? '4004' : '4001';
  const [key, media] =
    request['app'] === undefined ? ['site', request['site']] : ['app', request['app']];
  const { id: _id, publisher: _publisher, ...described } = isRecord(media) ? media : {};
  const device = isRecord(request['device']) ? request['device'] : {};
  return {
    ...request,
    imp: Array.isArray(imps) ? imps.map((imp: Json) => ({ ...imp, tagid })) : imps,
    [key]: described,
    // From where the example's line items take traffic.
    device: {
      ...device,
      geo: { ...(isRecord(device['geo']) ? device['geo'] : {}), country: 'USA' },
    },
  };
}

for (const name of NAMES) {
  test(`the sample ${name} is accepted, or refused for what it says and nothing else`, async () => {
    const { request, problems, source } = await read(name);
    assert.match(source, /^https:\/\//);
    const before = JSON.stringify(request);
    const checked = validateIncomingRequest(request);
    const pointers = checked.ok ? [] : checked.problems.map(({ pointer }) => pointer);
    assert.deepEqual(pointers, problems, JSON.stringify(checked));
    assert.equal(JSON.stringify(request), before, 'the request was changed');
  });
}

test('bidders are asked for what the samples offer, and get nothing but OpenRTB of their version', async () => {
  const asked = { '2.6': 0, '2.5': 0, '2.2': 0 };
  for (const name of NAMES) {
    const request = ofPublisher(await read(name));
    if (!validateIncomingRequest(request).ok) continue;
    const { calls } = await holdGolden(market, { request, bidders: {} });
    // Where GDPR applies nobody is asked without consent.
    const isProtected = JSON.stringify(request).includes('"gdpr":1');
    // A private auction by deals of another exchange is open to nobody here.
    const isPrivate = JSON.stringify(request).includes('"private_auction":1');
    assert.equal(calls.length > 0, !isProtected && !isPrivate, name);
    for (const { request: sent, version } of calls) {
      asked[version] += 1;
      const checked = validateOutgoingRequest(sent, version);
      assert.ok(checked.ok, `${name}: ${JSON.stringify(checked)}`);
    }
  }
  assert.ok(asked['2.5'] >= 13 && asked['2.2'] >= 13, JSON.stringify(asked));
});
