import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Device, Geo } from '../openrtb/device.ts';
import type { User } from '../openrtb/user.ts';
import { applyEffects } from './apply-effects.ts';
import { consentString, type ConsentChoices } from './consent-string-fixture.ts';
import { type Effects, privacyFor } from './effects.ts';
import { gppString, type SectionFields } from './gpp-fixture.ts';
import { readSignals, type Signals, type SignalSources } from './signals.ts';

/** `docs/reference/privacy.md` is the specification of these tests: each of its cells is one. */
const DOCUMENT = readFileSync(new URL('../../docs/reference/privacy.md', import.meta.url), 'utf8');

const VENDOR = 755;

/** The rows of "What each signal does": a request, and the partner's vendor id. */
const SITUATIONS: Readonly<Record<string, { request: SignalSources; gvlId?: null }>> = {
  'Nothing said': { request: {} },
  COPPA: { request: { regs: { coppa: 1 } } },
  'Limit ad tracking': { request: { device: { lmt: 1 } } },
  'Do not track': { request: { device: { dnt: 1 } } },
  'GDPR does not apply': { request: { regs: { ext: { gdpr: 0 } }, user: refusal() } },
  'GDPR, no consent string': { request: { regs: { ext: { gdpr: 1 } } } },
  'GDPR, consent string unreadable': {
    request: { regs: { ext: { gdpr: 1 } }, user: { ext: { consent: 'BOJ8RZsOJ8RZsABAB8AAAAA' } } },
  },
  'GDPR, partner without vendor id': { request: gdprRequest({ purposes: [1, 2] }), gvlId: null },
  'GDPR, vendor not disclosed': {
    request: gdprRequest({ purposes: [1, 2], disclosed: [10] }),
  },
  'GDPR, no purpose 2 for the vendor': {
    request: gdprRequest({ purposes: [1], specialFeatures: [1] }),
  },
  'GDPR, purpose 2, no purpose 1, no feature 1': { request: gdprRequest({ purposes: [2] }) },
  'GDPR, purpose 2, no purpose 1, feature 1': {
    request: gdprRequest({ purposes: [2], specialFeatures: [1] }),
  },
  'GDPR, purposes 1 and 2, no feature 1': { request: gdprRequest({ purposes: [1, 2] }) },
  'GDPR, purposes 1 and 2, feature 1': {
    request: gdprRequest({ purposes: [1, 2], specialFeatures: [1] }),
  },
  'Consent string, nothing said about GDPR': { request: { user: refusal() } },
  'US privacy, opted out (`1?Y?`)': { request: { regs: { ext: { us_privacy: '1YYN' } } } },
  'US privacy, not opted out': { request: { regs: { ext: { us_privacy: '1YNN' } } } },
  'US privacy, not understood': { request: { regs: { ext: { us_privacy: 'YES' } } } },
  'Opted out at the exchange, or by `Sec-GPC`': { request: { optedOut: true } },
  'GPP, nothing refused': gppRequest({ usnat: { SaleOptOut: 2, SharingOptOut: 2 } }, [7]),
  'GPP, no section applies': gppRequest({ usnat: { SaleOptOut: 1 } }, [-1]),
  'GPP, opted out of sale': gppRequest({ usnat: { SaleOptOut: 1 } }, [7]),
  'GPP, opted out of sharing': gppRequest({ usca: { SharingOptOut: 1 } }, [8]),
  'GPP, opted out of targeted advertising': gppRequest(
    { usva: { TargetedAdvertisingOptOut: 1 } },
    [9],
  ),
  'GPP, Global Privacy Control': gppRequest({ usco: { Gpc: true } }, [10]),
  'GPP, not told of the right to opt out': gppRequest({ ustx: { SaleOptOutNotice: 2 } }, [16]),
  'GPP, no consent to further uses': gppRequest(
    { usnj: { AdditionalDataProcessingConsent: 1 } },
    [21],
  ),
  'GPP, service provider mode': gppRequest({ usmd: { MspaMode: 2 } }, [24]),
  'GPP, some kind of sensitive data refused': gppRequest(
    { usnat: { SensitiveDataProcessing: [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] } },
    [7],
  ),
  'GPP, known child': gppRequest({ usut: { KnownChildSensitiveDataConsents: 2 } }, [11]),
  'GPP, US privacy section, opted out': gppRequest(
    { uspv1: { Notice: 'Y', OptOutSale: 'Y' } },
    [6],
  ),
  'GPP, section missing, unreadable or unknown': gppRequest({ usnat: { SaleOptOut: 2 } }, [99]),
  'GPP, EU section that consents': {
    request: {
      regs: { gpp: `DBABMA~${consentString({ vendors: [VENDOR], purposes: [2] })}`, gpp_sid: [2] },
    },
  },
  'GPP, EU section that refuses': {
    request: { regs: { gpp: `DBABMA~${consentString({})}`, gpp_sid: [2] } },
  },
  'GPP, EU section applies and is missing': { request: { regs: { gpp_sid: [2] } } },
};

/** The columns of the same table, as the code names them. */
const COLUMNS: Readonly<Record<string, (effects: Effects) => string>> = {
  'Partner asked': ({ callable }) => yesOrNo(callable),
  Identifiers: ({ identifiers }) => yesOrNo(identifiers),
  'Buyer id': ({ buyeruid }) => yesOrNo(buyeruid),
  Demographics: ({ userDemographics }) => yesOrNo(userDemographics),
  'Precise location': ({ preciseLocation }) => yesOrNo(preciseLocation),
  Coordinates: ({ coordinates }) => yesOrNo(coordinates),
  Reason: ({ reason }) => (reason === null ? '' : `\`${reason}\``),
};

const situations = tableUnder('## What each signal does');

test('the table of signals has a row for each situation and a column for each effect', () => {
  assert.deepEqual(
    situations.map((row) => row['Situation']),
    Object.keys(SITUATIONS),
  );
  for (const row of situations) assert.deepEqual(Object.keys(row).slice(1), Object.keys(COLUMNS));
});

for (const row of situations) {
  const name = row['Situation'] ?? '';
  for (const [column, show] of Object.entries(COLUMNS)) {
    const cell = row[column] ?? '';
    test(`${name}: "${column}" is "${cell}"`, () => {
      const situation = SITUATIONS[name];
      assert.ok(situation !== undefined);
      const gvlId = situation.gvlId === undefined ? VENDOR : null;
      assert.equal(show(privacyFor(readSignals(situation.request), gvlId)), cell);
    });
  }
}

/** The rows of "Where signals are read": a value to send, and what must have been understood. */
const READINGS: Readonly<Record<string, { value: unknown; read: (signals: Signals) => unknown }>> =
  {
    "Children's privacy (COPPA)": { value: 1, read: ({ coppa }) => coppa },
    'Limit ad tracking, by the platform': { value: 1, read: ({ lmt }) => lmt },
    'Do not track, by the browser': { value: 1, read: ({ dnt }) => dnt },
    'GDPR applies': { value: 1, read: ({ gdpr }) => gdpr },
    'Consent string (TCF v2)': { value: 'COvFyGBOvFyGBAbAAA', read: ({ consent }) => consent },
    'US privacy string': { value: '1YYN', read: ({ usPrivacy }) => usPrivacy },
    'Global Privacy Platform string': { value: 'DBABMA~1', read: ({ gpp }) => gpp },
    'Global Privacy Platform sections': { value: [2, 6], read: ({ gppSid }) => gppSid },
  };

const readings = tableUnder('## Where signals are read');

test('the table of places has a row for each signal', () => {
  assert.deepEqual(
    readings.map((row) => row['Signal']),
    Object.keys(READINGS),
  );
});

for (const row of readings) {
  const name = row['Signal'] ?? '';
  for (const path of pathsIn(row['Read from'] ?? '')) {
    test(`${name} is read from ${path.name}`, () => {
      const reading = READINGS[name];
      assert.ok(reading !== undefined);
      const request = nest(path.name, reading.value);
      assert.deepEqual(reading.read(readSignals(request)), reading.value);
    });
  }
}

/** The rows of "What each effect covers": the effect alone taken away. */
const LESS: Readonly<Record<string, Partial<Effects>>> = {
  Identifiers: { identifiers: false },
  'Buyer id': { buyeruid: false },
  Demographics: { userDemographics: false },
  'Precise location': { preciseLocation: false },
  Coordinates: { coordinates: false },
};

const coverages = tableUnder('## What each effect covers');

test('the table of fields has a row for each effect', () => {
  assert.deepEqual(
    coverages.map((row) => row['Effect']),
    Object.keys(LESS),
  );
});

for (const row of coverages) {
  const name = row['Effect'] ?? '';
  const paths = pathsIn(row['Fields'] ?? '');
  const everything = privacyFor(readSignals({}), VENDOR);
  const identity = { device: device(), user: user(), signals: readSignals({}) };
  const whole = flatten(applyEffects(identity, everything));
  const less = flatten(applyEffects(identity, { ...everything, ...LESS[name] }));

  for (const { name: path, change } of paths) {
    test(`without ${name.toLowerCase()}, ${path} is ${change}`, () => {
      const [before, after] = [whole.get(path), less.get(path)];
      assert.notEqual(before, undefined);
      if (change === 'removed') assert.equal(after, undefined);
      if (change === 'rounded') assert.equal(after, Math.round(Number(before) * 100) / 100);
      if (change === 'shortened') assert.equal(after, '192.0.2.0');
      assert.notEqual(before, after);
    });
  }

  test(`without ${name.toLowerCase()}, nothing but the listed fields changes`, () => {
    const changed = [...whole.keys()].filter((path) => whole.get(path) !== less.get(path));
    assert.deepEqual(new Set(changed), new Set(paths.map(({ name: path }) => path)));
  });
}

function gppRequest(
  sections: Readonly<Record<string, SectionFields>>,
  gppSid: readonly number[],
): { request: SignalSources } {
  return { request: { regs: { ext: { gpp: gppString(sections), gpp_sid: gppSid } } } };
}

function gdprRequest(choices: ConsentChoices): SignalSources {
  const consent = consentString({ vendors: [VENDOR], ...choices });
  return { regs: { ext: { gdpr: 1 } }, user: { ext: { consent } } };
}

function refusal(): { ext: { consent: string } } {
  return { ext: { consent: consentString({}) } };
}

function geo(): Geo {
  return {
    lat: 52.520_008,
    lon: 13.404_954,
    type: 1,
    accuracy: 12,
    ipservice: 1,
    country: 'DEU',
    region: 'BE',
    regionfips104: '16',
    metro: '807',
    city: 'DEBER',
    zip: '10117',
    utcoffset: 120,
  };
}

function device(): Device {
  return {
    ua: 'Mozilla/5.0',
    geo: geo(),
    ip: '192.0.2.77',
    ifa: 'f5a1c2d4-0000-4000-8000-1234567890ab',
    didsha1: 'a'.repeat(40),
    didmd5: 'b'.repeat(32),
    dpidsha1: 'c'.repeat(40),
    dpidmd5: 'd'.repeat(32),
  };
}

function user(): User {
  return {
    buyeruid: 'buyer-1',
    yob: 1980,
    gender: 'F',
    keywords: 'cars,travel',
    customdata: 'cookie-data',
    geo: geo(),
    data: [{ id: '1', segment: [{ id: '2' }] }],
    eids: [{ source: 'id.example', uids: [{ id: 'user-1' }] }],
  };
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** The rows of the first Markdown table under a heading, by the names of its columns. */
function tableUnder(heading: string): Record<string, string>[] {
  const section = DOCUMENT.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const [columns = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) =>
    Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
  );
}

/** The fields that a cell names in backticks, and in what way they change. */
function pathsIn(cell: string): { name: string; change: string }[] {
  return Array.from(cell.matchAll(/`([^`]+)`(?: \((\w+)\))?/g), ([, name = '', change]) => ({
    name,
    change: change ?? 'removed',
  }));
}

/** `a.b.c` and a value become `{ a: { b: { c: value } } }`. */
function nest(path: string, value: unknown): SignalSources {
  return path
    .split('.')
    .reduceRight<object>(
      (inner, name, index, names) => ({ [name]: index === names.length - 1 ? value : inner }),
      {},
    );
}

/** Every value of an object by its path; lists count as one value. */
function flatten(value: object, prefix = ''): Map<string, unknown> {
  const fields = Object.entries(value).flatMap(([name, field]): [string, unknown][] =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? [...flatten(field, `${prefix}${name}.`)]
      : [[prefix + name, field]],
  );
  return new Map(fields);
}
