import { EXCHANGE } from '../resources/exchange.ts';
import type { DemandPartner, Entity } from '../snapshot/entities.ts';
import { SnapshotBuilder, type Snapshot } from '../snapshot/snapshot.ts';
import type { Targeting } from '../resources/targeting.ts';
import { FORMAT_BANNER } from './formats.ts';
import type { ImpTraits } from './targeting-traits.ts';

/** One constructor for each thing that the tests of targeting need; each takes what differs. */

export function someTraits(differs: Partial<ImpTraits> = {}): ImpTraits {
  return {
    adSpaceId: 4001,
    publisherId: 2001,
    bundle: null,
    domain: 'planet.example',
    categories: ['IAB12'],
    formats: FORMAT_BANNER,
    bannerSizes: [{ w: 320, h: 50 }],
    videoSize: null,
    interstitial: false,
    rewarded: false,
    country: 'US',
    hasLocation: false,
    platform: 'Web',
    os: 'Android',
    language: 'en',
    connectiontype: 2,
    secure: true,
    ...differs,
  };
}

export function aPartner(id: number, differs: Partial<DemandPartner> = {}): DemandPartner {
  const bidder = {
    endpoint: 'http://127.0.0.1:9101/bid',
    openrtbVersion: '2.5',
    timeoutMs: 200,
    maxQps: null,
    maxConcurrency: null,
    sendBidfloor: true,
    gzip: false,
    gvlId: null,
    mimes: null,
    sendViewability: false,
    nativeInExt: false,
    interstitialImps: 'one',
    syncUrl: null,
    syncType: 'image',
    headers: null,
  } as const;
  const name = `Partner ${id}`;
  return {
    kind: 'demandPartner',
    id,
    name,
    status: 'ACTIVE',
    stopped: false,
    bidder,
    ...differs,
  };
}

export function aSnapshot(...entities: readonly Entity[]): Snapshot {
  const builder = new SnapshotBuilder({ epoch: 'e1', seq: 1 });
  builder.add({ kind: 'exchange', ...EXCHANGE.entity(EXCHANGE.initial) });
  for (const entity of entities) builder.add(entity);
  return builder.build();
}

/** A list as targeting has it. */
type CodeList = NonNullable<Targeting['os']>;

export function allowing(...codes: readonly string[]): CodeList {
  return { identifiers: codes.map((code) => ({ code })), is_whitelist: true };
}

export function forbidding(...codes: readonly string[]): CodeList {
  return { ...allowing(...codes), is_whitelist: false };
}
