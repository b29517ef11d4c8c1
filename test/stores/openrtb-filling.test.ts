import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BidRequestSchema } from '../../src/openrtb/bid-request.ts';
import { Origin } from '../../src/openrtb/filling.ts';
import { IncomingRequestSchema } from '../../src/openrtb/incoming-request.ts';
import { NativeRequestSchema } from '../../src/openrtb/native-request.ts';
import { schemaIn } from '../../src/openrtb/schema-in.ts';
import { isRecord, nodeOf, type SchemaNode } from '../../src/openrtb/schema-node.ts';
import { strictSchema } from '../../src/openrtb/strict-schema.ts';
import { VERSIONS, type OpenRtbVersion } from '../../src/openrtb/versions.ts';
import { EVERY_SETTING, EVERY_SETTING_26 } from '../support/every-setting.ts';
import { holdGolden, marketWith } from '../support/golden.ts';
import { documentOf } from '../support/schema-arbitrary.ts';

const APP_SPACES = ['4001', '4002', '4003'];
const SITE_SPACES = ['4004', '4005'];
const DOCUMENTS = 400;

/** The roots of what is sent, and where in it a native request stands as text. */
const ROOTS = {
  '2.6': schemaIn(BidRequestSchema, '2.6'),
  '2.5': schemaIn(BidRequestSchema, '2.5'),
  '2.2': schemaIn(BidRequestSchema, '2.2'),
};
const NATIVE_REQUEST = nodeOf(NativeRequestSchema);

/** What partners have in the cookie of the browser that asks. */
const MATCHES = { 1001: { customdata: 'acme' }, 1002: { customdata: 'bolt' } };
const BUYER_IDS = { prebid: { buyeruids: { 1001: 'acme', 1002: 'bolt' } } };

/** The paths of all fields that bidders were sent, by version, over requests that say everything. */
async function observe(): Promise<Record<OpenRtbVersion, Set<string>>> {
  const markets = [
    await marketWith({ configuration: EVERY_SETTING }),
    await marketWith({ configuration: EVERY_SETTING_26 }),
  ];
  const seen = {
    '2.6': new Set<string>(),
    '2.5': new Set<string>(),
    '2.2': new Set<string>(),
  };
  // The seed is fixed, so that what is seen does not depend on luck.
  const documents = fc.sample(documentOf(strictSchema(nodeOf(IncomingRequestSchema))), {
    seed: 25,
    numRuns: DOCUMENTS,
  });
  for (const [index, document] of documents.entries()) {
    const market = markets[index % markets.length];
    assert.ok(market !== undefined);
    for (const tagid of [...APP_SPACES, ...SITE_SPACES]) {
      const golden = {
        request: requestFor(fieldsOf(document), tagid),
        bidders: {},
        matches: MATCHES,
      };
      const { calls } = await holdGolden(market, golden);
      for (const { request, version } of calls) walk(ROOTS[version], request, '', seen[version]);
    }
  }
  return seen;
}

/** The document as a request for an ad space, from where its line items take traffic. */
function requestFor(document: Readonly<Record<string, unknown>>, tagid: string): object {
  // Seats and deals that nobody has would be sold to nobody.
  const { app, site, device, imp, user, regs, wseat: _w, ...others } = document;
  const key = APP_SPACES.includes(tagid) ? 'app' : 'site';
  const { id: _i, publisher: _p, ...media } = fieldsOf(key === 'app' ? app : site);
  const [first] = Array.isArray(imp) ? imp : [];
  const { bidfloor: _b, bidfloorcur: _c, pmp: _d, ...offered } = fieldsOf(first);
  return {
    ...others,
    regs: {
      ...fieldsOf(regs),
      ...readable(regs),
      ext: { ...fieldsOf(fieldsOf(regs)['ext']), ...readable(fieldsOf(regs)['ext']) },
    },
    user: { ...fieldsOf(user), ext: { ...fieldsOf(fieldsOf(user)['ext']), ...BUYER_IDS } },
    bcat: ['IAB25'],
    imp: [{ banner: {}, video: {}, native: {}, ...offered, id: '1', tagid }],
    [key]: media,
    device: {
      ip: '198.51.100.23',
      ...fieldsOf(device),
      geo: { ...fieldsOf(fieldsOf(device)['geo']), country: 'USA' },
    },
    cur: ['USD'],
    tmax: 300,
  };
}

/** A GPP string by which nobody has refused anything, and its section: any other text is an opt-out. */
const GPP = { gpp: 'DBABL~BAAAAAAAAAA', gpp_sid: [7] };

/** What an object has of GPP, as somebody can read it. */
function readable(regs: unknown): object {
  const fields = fieldsOf(regs);
  return Object.fromEntries(Object.entries(GPP).filter(([name]) => name in fields));
}

/** Adds the path of every field in the value that the schema says the filling of. */
function walk(node: SchemaNode, value: unknown, path: string, seen: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(node.items ?? {}, item, path, seen);
    return;
  }
  for (const [name, field] of Object.entries(fieldsOf(value))) {
    const property = node.properties?.[name] ?? {};
    if (property['x-filled'] === undefined) continue;
    const at = `${path}/${name}`;
    seen.add(at);
    const inner: unknown = isNativeRequest(at) ? JSON.parse(String(field)) : field;
    walk(insideOf(at, property), inner, at, seen);
  }
}

/** The paths of all fields that may be sent, or that may not, as their schemas say. */
function said(node: SchemaNode, isSent: boolean, path = ''): string[] {
  const paths: string[] = [];
  for (const [name, property] of Object.entries(node.items?.properties ?? node.properties ?? {})) {
    const filling = property['x-filled'];
    if (filling === undefined) continue;
    const at = `${path}/${name}`;
    const isUnsent = filling.origin === Origin.Unsent;
    if (isUnsent !== isSent) paths.push(at);
    // What stands in an object that is not sent need not be asked for.
    if (!isUnsent) paths.push(...said(insideOf(at, property), isSent, at));
  }
  return paths;
}

/** What a field holds: an object, the objects of a list, an extension, or the text of a native request. */
function insideOf(path: string, property: SchemaNode): SchemaNode {
  if (isNativeRequest(path)) return NATIVE_REQUEST;
  const outgoing = property['x-outgoing'];
  return property.type === undefined && isRecord(outgoing) ? outgoing : property;
}

function isNativeRequest(path: string): boolean {
  return path.endsWith('/native/request');
}

/** The fields of an object; none of what is not one. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

test('bidders are sent what the schemas say that is sent, and nothing that they say is not', async () => {
  const seen = await observe();
  for (const version of VERSIONS) {
    const unsent = new Set(said(ROOTS[version], false));
    const sent = said(ROOTS[version], true);
    assert.ok(sent.length > 100 && unsent.size > 20);
    assert.deepEqual(
      [...seen[version]].filter((path) => unsent.has(path)),
      [],
      version,
    );
    assert.deepEqual(
      sent.filter((path) => !seen[version].has(path)),
      [],
      version,
    );
  }
});
