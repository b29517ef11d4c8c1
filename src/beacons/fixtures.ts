import type { BeaconKind, WonImp } from '../events/beacon-record.ts';
import type { Beacon, SealedWin } from './beacon.ts';
import { keyRingAt, type KeyRing } from './key-ring.ts';
import { sealWin } from './token.ts';

/** The moment at which the tests of beacons take place. */
export const BEACON_NOW_MS = Date.UTC(2026, 10, 20, 12);

/** An impression of an app as there are many: all dimensions known, a price of 2.01 USD CPM. */
export function createWonImp(differs: Partial<WonImp> = {}): WonImp {
  return {
    auction_id: '00112233445566778899aabbccddeeff',
    imp: 0,
    expires_ms: BEACON_NOW_MS + 3_600_000,
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    zone_id: 4001,
    demand_partner_id: 1002,
    lineitem_id: 502,
    dealid: '',
    ad_format: 'banner',
    interstitial: 0,
    rewarded: 0,
    app_bundle: 'com.example.game',
    app_site_domain: 'game.example.com',
    country_code: 'USA',
    platform_demand: 'Android',
    platform_supply: 'Android',
    os: 'Android',
    clearing_micros: 2_010_000,
    payout_micros: 1_608_000,
    ...differs,
  };
}

export function createBeacon(differs: Partial<Beacon> = {}): Beacon {
  return {
    kind: 'impression',
    home: '0123456789abcdef',
    url: differs.kind === 'view' ? '' : 'https://bidder.example.com/burl?p=2.01',
    winUrl: '',
    imp: createWonImp(),
    ...differs,
  };
}

/** A ring with one key that has sealed for an hour. */
export function createKeyRing(id = 7): KeyRing {
  const secret = Buffer.alloc(32, id);
  return keyRingAt([{ id, secret, sealsFromMs: BEACON_NOW_MS - 3_600_000 }], BEACON_NOW_MS);
}

/** A win that has all addresses, as a publisher that decides would get it. */
export function createSealedWin(differs: Partial<SealedWin> = {}): SealedWin {
  return {
    home: '0123456789abcdef',
    burl: 'https://bidder.example.com/burl?p=2.01',
    nurl: 'https://bidder.example.com/nurl?p=2.01',
    clickUrl: 'https://shop.example/landing',
    imp: createWonImp({ fd: 1 }),
    ...differs,
  };
}

/**
 * The token of a beacon, of a win that has no addresses but the beacon's own.
 *
 * @param nonce 12 bytes from chance.
 */
export function sealBeacon(beacon: Beacon, ring: KeyRing, nonce: Uint8Array): string {
  const { kind, home, url, winUrl, imp } = beacon;
  const bare = { home, burl: '', nurl: '', clickUrl: '', imp };
  return sealWin({ ...bare, ...ADDRESSES[kind](url, winUrl) }, ring, () => nonce)(kind);
}

const ADDRESSES: Readonly<Record<BeaconKind, (url: string, winUrl: string) => Partial<SealedWin>>> =
  {
    win: (url) => ({ nurl: url }),
    impression: (url, winUrl) => ({ burl: url, nurl: winUrl }),
    view: () => ({}),
    click: (url) => ({ clickUrl: url }),
  };
