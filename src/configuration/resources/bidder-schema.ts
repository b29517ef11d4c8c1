import Type, { type Static } from 'typebox';
import {
  CONTENT_TYPE,
  SYNC_ADDRESS,
  WEB_ADDRESS,
  YES_OR_NO,
  listOfSome,
  mapping,
  nullable,
  whole,
} from '../fields.ts';
import { BIDDER_HEADERS } from './bidder-headers-schema.ts';

const TIMEOUT_LIMIT_MS = 10_000;
const QPS_LIMIT = 10_000_000;
/** What an exchange process allows any bidder. */
const CONCURRENCY_LIMIT = 512;
/** Vendor ids have 16 bits in a consent string (IAB TCF v2, "Vendor Consent Section"). */
const GVL_ID_MAX = 65_535;

/** Where and how a demand partner is asked for bids. */
export const BidderSchema = mapping('a bidder', {
  endpoint: Type.Optional(WEB_ADDRESS),
  openrtb_version: Type.Optional(
    Type.Enum(['2.6', '2.5', '2.2'], { description: '"2.6", "2.5" or "2.2", in quotes' }),
  ),
  timeout_ms: Type.Optional(whole(1, TIMEOUT_LIMIT_MS)),
  max_qps: Type.Optional(nullable(whole(1, QPS_LIMIT, ', or null for no limit'))),
  max_concurrency: Type.Optional(nullable(whole(1, CONCURRENCY_LIMIT, ', or null for 512'))),
  send_bidfloor: Type.Optional(YES_OR_NO),
  gzip: Type.Optional(YES_OR_NO),
  gvl_id: Type.Optional(nullable(whole(1, GVL_ID_MAX))),
  mimes: Type.Optional(nullable(listOfSome(CONTENT_TYPE, 'content types', 50))),
  send_viewability: Type.Optional(YES_OR_NO),
  native_in_ext: Type.Optional(YES_OR_NO),
  interstitial_imps: Type.Optional(
    Type.Enum(['one', 'pair'], {
      description: 'one or pair: what an interstitial of several formats is offered as',
    }),
  ),
  sync_url: Type.Optional(nullable(SYNC_ADDRESS)),
  sync_type: Type.Optional(
    Type.Enum(['image', 'iframe'], {
      description: 'image or iframe: what the address of user matching is opened as',
    }),
  ),
  headers: Type.Optional(nullable(BIDDER_HEADERS)),
});

export type BidderInput = Static<typeof BidderSchema>;
