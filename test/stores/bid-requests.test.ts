import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { validateOutgoingRequest } from '../../src/openrtb/validate-outgoing.ts';
import { EVERY_SETTING, EVERY_SETTING_26 } from '../support/every-setting.ts';
import { exampleMarket, holdGolden, marketWith } from '../support/golden.ts';
import { runs } from '../support/effort.ts';
import { fieldsOf, untidyOrStrict } from '../support/incoming-arbitrary.ts';

/** As the example has it, and with everything that can be set. */
const markets = [
  await exampleMarket(),
  await marketWith({ configuration: EVERY_SETTING }),
  await marketWith({ configuration: EVERY_SETTING_26 }),
];
const APP_SPACES = ['4001', '4002', '4003'];
const SITE_SPACES = ['4004', '4005'];

test('whatever a publisher says of its media, impressions, device and user, bidders get nothing but OpenRTB of their version', async () => {
  const asked = { '2.6': 0, '2.5': 0, '2.2': 0 };
  await fc.assert(
    fc.asyncProperty(
      untidyOrStrict,
      fc.constantFrom(...APP_SPACES, ...SITE_SPACES),
      fc.constantFrom(...markets),
      async (document, tagid, market) => {
        const golden = { request: requestFor(document, tagid), bidders: {} };
        const { calls } = await holdGolden(market, golden);
        for (const { request, version } of calls) {
          asked[version] += 1;
          const checked = validateOutgoingRequest(request, version);
          assert.ok(checked.ok, JSON.stringify(checked));
        }
      },
    ),
    { numRuns: runs(40) },
  );
  assert.ok(asked['2.6'] > 0 && asked['2.5'] > 0 && asked['2.2'] > 0, JSON.stringify(asked));
});

/**
 * The document as a request that leads to calls: for a known ad space, from where its line items
 * take traffic. Floors are money, and left out.
 */
function requestFor(document: unknown, tagid: string): object {
  const { id, imp, app, site, device, user, regs, ...others } = fieldsOf(document);
  const { bcat, badv, bapp, bseat, wlang, source } = others;
  const { id: _i, publisher: _p, ...media } = fieldsOf(APP_SPACES.includes(tagid) ? app : site);
  assert.ok(Array.isArray(imp));
  return {
    id,
    imp: imp.map((each: unknown, index) => {
      const { bidfloor: _b, ...offered } = fieldsOf(each);
      return { banner: {}, video: {}, native: {}, ...offered, id: `${index}`, tagid };
    }),
    [APP_SPACES.includes(tagid) ? 'app' : 'site']: media,
    device: {
      ip: '198.51.100.23',
      ...fieldsOf(device),
      geo: { ...fieldsOf(fieldsOf(device)['geo']), country: 'USA' },
    },
    ...(user === undefined ? {} : { user }),
    ...(regs === undefined ? {} : { regs }),
    bcat,
    badv,
    bapp,
    bseat,
    wlang,
    source,
    tmax: 300,
  };
}
