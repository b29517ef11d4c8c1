import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundDelivery } from '../../analytics/find-auction.ts';
import type { NoticeRecord } from '../../events/auction-record.ts';
import type { BeaconKind, BeaconRecord } from '../../events/beacon-record.ts';
import { explainAuction } from './explain-auction.ts';
import {
  ACME,
  aBid,
  aBidTrace,
  aFound,
  AT_MS,
  AUCTION_ID,
  twoPartners,
  type FoundParts,
} from './fixtures.ts';

const MINUTE_MS = 60_000;

function aNotice(differs: Partial<NoticeRecord> = {}): NoticeRecord {
  return {
    event: 'win',
    bid: 0,
    imp: 0,
    demand_partner_id: ACME,
    lineitem_id: 501,
    unless_won_by_ms: 0,
    url: 'https://acme.example/win',
    ...differs,
  };
}

function aDelivery(differs: Partial<FoundDelivery> = {}): FoundDelivery {
  return {
    event: 'win',
    auction_id: AUCTION_ID,
    imp: 0,
    demand_partner_id: ACME,
    lineitem_id: 501,
    due_ms: AT_MS,
    outcome: 'delivered',
    status: 204,
    tries: 1,
    at_ms: AT_MS + 500,
    ...differs,
  };
}

function aBeacon(kind: BeaconKind, notice_url = ''): BeaconRecord {
  return {
    kind,
    auction_id: AUCTION_ID,
    imp: 0,
    expires_ms: AT_MS + 60 * MINUTE_MS,
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    zone_id: 4001,
    demand_partner_id: ACME,
    lineitem_id: 501,
    dealid: '',
    ad_format: 'banner',
    interstitial: 0,
    rewarded: 0,
    app_bundle: '',
    app_site_domain: '',
    country_code: '',
    platform_demand: '',
    platform_supply: '',
    os: '',
    clearing_micros: 200_000,
    payout_micros: 160_000,
    node: 'aaaaaaaaaaaaaaaa',
    at_ms: AT_MS + 900,
    notice_url,
  };
}

interface Setting extends Omit<FoundParts, 'auction'> {
  readonly notices?: NoticeRecord[];
  readonly test?: 0 | 1;
  readonly nowMs?: number;
}

function explained({ notices = [], test: isTest = 0, nowMs = AT_MS + 5_000, ...parts }: Setting) {
  const bids = [[aBid({ loss_reason: 0, clearing_micros: 200_000 }), aBidTrace()]] as const;
  const found = aFound({ ...parts, bids, auction: { notices, test: isTest } });
  const view = explainAuction(found, { role: 'operator' }, { snapshot: twoPartners(), nowMs });
  assert.ok(view !== null);
  return view;
}

function noticesOf(setting: Setting): [state: string, sentence: string][] {
  return explained(setting).notices.map(({ state, sentence }) => [state, sentence]);
}

const HELD = aNotice({ event: 'loss', unless_won_by_ms: AT_MS + 15 * MINUTE_MS });

const CASES: readonly (readonly [string, Setting, string, string])[] = [
  [
    'a win that was answered',
    { notices: [aNotice()], deliveries: [aDelivery()] },
    'delivered',
    "Acme DSP's win notice for impression 1 was delivered at 2026-11-20 12:00:00.500 UTC after 1 try, the last answered with HTTP status 204.",
  ],
  [
    'a win that nobody answered',
    {
      notices: [aNotice()],
      deliveries: [aDelivery({ outcome: 'given_up', status: 0, tries: 7 })],
    },
    'given_up',
    "Acme DSP's win notice for impression 1 was given up at 2026-11-20 12:00:00.500 UTC after 7 tries without an answer.",
  ],
  [
    'a win that was given up and delivered after all',
    {
      notices: [aNotice()],
      deliveries: [aDelivery({ outcome: 'given_up', tries: 7 }), aDelivery({ tries: 8 })],
    },
    'delivered',
    "Acme DSP's win notice for impression 1 was delivered at 2026-11-20 12:00:00.500 UTC after 8 tries, the last answered with HTTP status 204.",
  ],
  [
    "a win whose delivery is another event's",
    { notices: [aNotice()], deliveries: [aDelivery({ event: 'billing' })] },
    'pending',
    "Acme DSP's win notice for impression 1 has been due since 2026-11-20 12:00:00.000 UTC, and is not known to be delivered yet.",
  ],
  [
    'a loss',
    { notices: [aNotice({ event: 'loss' })] },
    'called_once',
    "Acme DSP's loss notice for impression 1 was due at 2026-11-20 12:00:00.000 UTC; losses are called once, and what came of it is not recorded.",
  ],
  [
    'a loss that waits for the publisher',
    { notices: [HELD] },
    'held',
    "Acme DSP's loss notice for impression 1 is due at 2026-11-20 12:15:00.000 UTC unless the publisher takes the bid before.",
  ],
  [
    'a loss that has waited long enough',
    { notices: [HELD], nowMs: AT_MS + 16 * MINUTE_MS },
    'called_once',
    "Acme DSP's loss notice for impression 1 was due at 2026-11-20 12:15:00.000 UTC; losses are called once, and what came of it is not recorded.",
  ],
  [
    'a loss that is none, because the publisher took the bid',
    { notices: [HELD], beacons: [aBeacon('win')] },
    'not_due',
    "Acme DSP's loss notice for impression 1 is not due, because the publisher has taken the bid.",
  ],
  [
    'a bill',
    {
      beacons: [aBeacon('impression', 'https://acme.example/bill')],
      deliveries: [aDelivery({ event: 'billing', status: 200 })],
    },
    'delivered',
    "Acme DSP's billing notice for impression 1 was delivered at 2026-11-20 12:00:00.500 UTC after 1 try, the last answered with HTTP status 200.",
  ],
];

for (const [what, setting, state, sentence] of CASES) {
  test(`${what} is told as ${state}`, () => {
    assert.deepEqual(noticesOf(setting), [[state, sentence]]);
  });
}

test('a test makes no notice due', () => {
  const beacons = [aBeacon('impression', 'https://acme.example/bill')];
  assert.deepEqual(noticesOf({ test: 1, beacons }), []);
});

test('beacons are told with their times, in their order', () => {
  const beacons = [aBeacon('impression'), aBeacon('view'), aBeacon('click')];
  assert.deepEqual(
    explained({ beacons }).beacons.map(({ sentence }) => sentence),
    [
      '2026-11-20 12:00:00.900 UTC: the ad was shown, which is what is paid for, for impression 1.',
      '2026-11-20 12:00:00.900 UTC: the ad was in view for impression 1.',
      '2026-11-20 12:00:00.900 UTC: somebody clicked the ad of impression 1.',
    ],
  );
});
