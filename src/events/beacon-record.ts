import Type, { type Static } from 'typebox';

import { AdFormatSchema, Flag, Micros } from './dimensions.ts';

/**
 * What happened to a won impression after its auction, as a browser, an app or a publisher's server
 * said by calling one of our sealed addresses. Each is one line of the *money* stream, written by
 * the tracker that is home to the impression, and is acknowledged once it is on the disk. At most
 * one record of each kind exists for one impression of one auction.
 *
 * It carries every dimension of both reports, so that no report needs the auction's own record, and
 * it belongs to the day of its own `at_ms`. Prices are integer micro-dollars CPM.
 */
export const BEACON_KINDS = ['win', 'impression', 'view', 'click'] as const;
export type BeaconKind = (typeof BEACON_KINDS)[number];

const Id = Type.Integer({ minimum: 0 });

/** The impression that was won: what is known of it when its auction ends, and sealed until then. */
export const WonImpSchema = Type.Object({
  /** 32 hexadecimal digits; with `imp` it names the impression. */
  auction_id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  /** Index in the auction record's `imps`. */
  imp: Type.Integer({ minimum: 0, maximum: 4095 }),
  /** Unix time in milliseconds from which its beacons are refused; the same for all of them. */
  expires_ms: Type.Integer({ minimum: 0, maximum: 2 ** 48 - 1 }),
  test: Flag,
  /** 1: the publisher decides (`source.fd`), so that the win counts once a beacon confirms it. */
  fd: Flag,
  publisher_id: Id,
  property_id: Id,
  zone_id: Id,
  demand_partner_id: Id,
  lineitem_id: Id,
  dealid: Type.String(),
  ad_format: AdFormatSchema,
  interstitial: Flag,
  rewarded: Flag,
  app_bundle: Type.String(),
  app_site_domain: Type.String(),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-3' }),
  platform_demand: Type.String(),
  platform_supply: Type.String(),
  os: Type.String(),
  /** What the buyer pays and what the publisher gets. */
  clearing_micros: Micros,
  payout_micros: Micros,
});

/** `auction_id`, `imp` and `expires_ms` stand first: a starting tracker reads them without parsing. */
export const BeaconRecordSchema = Type.Object({
  kind: Type.Union([
    Type.Literal('win'),
    Type.Literal('impression'),
    Type.Literal('view'),
    Type.Literal('click'),
  ]),
  ...WonImpSchema.properties,
  /** Incarnation of the data directory that wrote it, 16 hexadecimal digits. */
  node: Type.String(),
  /** Unix time in milliseconds at which the beacon arrived. */
  at_ms: Type.Integer(),
  /**
   * The notice that this beacon makes due, macros substituted: `burl` of an impression, `nurl` of a
   * win that the publisher confirms; '' for none.
   */
  notice_url: Type.String(),
});

export type WonImp = Static<typeof WonImpSchema>;
export type BeaconRecord = Static<typeof BeaconRecordSchema>;
