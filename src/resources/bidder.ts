import Type, { type Static } from 'typebox';
import { BIDDER_HEADERS } from './bidder-headers.ts';
import { FieldTable } from './field-table.ts';
import { flag, jsonOrNull, number, numberOrNull, text, textOrNull } from './field.ts';
import {
  CONTENT_TYPE,
  GVL_ID,
  SYNC_ADDRESS,
  WEB_ADDRESS,
  listOfSome,
  mapping,
  whole,
} from './vocabulary.ts';

const TIMEOUT_LIMIT_MS = 10_000;
const QPS_LIMIT = 10_000_000;
/** What an exchange process allows any bidder. */
const CONCURRENCY_LIMIT = 512;

/** Where and how a demand partner is asked for bids. */
export const BIDDER = new FieldTable({
  endpoint: text(WEB_ADDRESS, '', { isNeeded: true }),
  openrtb_version: text(
    Type.Enum(['2.6', '2.5', '2.2'], { description: '"2.6", "2.5" or "2.2", in quotes' }),
    '2.5',
  ),
  timeout_ms: number(whole(1, TIMEOUT_LIMIT_MS), 200),
  /** Bid requests a second over the whole exchange; null is no limit. */
  max_qps: numberOrNull(whole(1, QPS_LIMIT, ', or null for no limit')),
  /** Bid requests open at a time in one exchange process; null is what a process allows at most. */
  max_concurrency: numberOrNull(whole(1, CONCURRENCY_LIMIT, ', or null for 512')),
  send_bidfloor: flag(0),
  /** Bid requests go out gzipped, and gzipped answers are asked for. */
  gzip: flag(0),
  /** Vendor id of the global vendor list, for consent strings. */
  gvl_id: numberOrNull(GVL_ID),
  /** Content types that its creatives have; null is any. */
  mimes: jsonOrNull(listOfSome(CONTENT_TYPE, 'content types', 50)),
  /** It is told how likely an impression is seen, where the ad space says so. */
  send_viewability: flag(0),
  /** A bidder of version 2.2 gets native ads in `imp.ext.native`, also alone; without it none. */
  native_in_ext: flag(0),
  /** An interstitial of several formats is one impression, or a pair of which one is filled. */
  interstitial_imps: text(
    Type.Enum(['one', 'pair'], {
      description: 'one or pair: what an interstitial of several formats is offered as',
    }),
    'one',
  ),
  /** What a browser opens so that the partner tells its id of the user, with macros; null for none. */
  sync_url: textOrNull(SYNC_ADDRESS),
  sync_type: text(
    Type.Enum(['image', 'iframe'], {
      description: 'image or iframe: what the address of user matching is opened as',
    }),
    'image',
  ),
  /** Sent with every bid request, by their names; may be secrets. Null for none. */
  headers: jsonOrNull(BIDDER_HEADERS),
});

export const BidderSchema = mapping('a bidder', BIDDER.inputs);

export type BidderInput = Static<typeof BidderSchema>;
