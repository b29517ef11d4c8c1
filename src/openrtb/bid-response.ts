import Type, { type Static } from 'typebox';
import { API_FRAMEWORKS, CREATIVE_ATTRIBUTES } from './creative-lists.ts';
import { MEDIA_RATINGS } from './content-lists.ts';
import {
  array,
  code,
  count,
  ext,
  flag,
  id,
  integer,
  listed,
  listedArray,
  longText,
  object,
  optional,
  text,
  texts,
} from './fields.ts';
import { BIDS_MAX, LONG_TEXT_LENGTH_MAX, MARKUP_LENGTH_MAX } from './limits.ts';
import { VIDEO_PROTOCOLS } from './video-lists.ts';

/** The URL of a notice. */
function noticeUrl(description: string) {
  return Type.String({ description, minLength: 1, maxLength: LONG_TEXT_LENGTH_MAX });
}

/** Bid, section 2.21: an offer to buy one impression. A field that is there is not empty. */
export const BidSchema = object('An offer to buy an impression.', {
  id: id('Id that the bidder chose.'),
  impid: id('Id of the impression bid on.'),
  price: Type.Number({ description: 'Price in USD CPM.' }),
  adid: optional(id('Id of the ad to serve if won.')),
  nurl: optional(noticeUrl('Win notice URL.')),
  burl: optional(noticeUrl('Billing notice URL.')),
  lurl: optional(noticeUrl('Loss notice URL.')),
  adm: optional(
    Type.String({
      description: 'Markup: XHTML, VAST XML or native JSON; supersedes that of the win notice.',
      minLength: 1,
      maxLength: MARKUP_LENGTH_MAX,
    }),
  ),
  adomain: optional(texts('Advertiser domains.')),
  bundle: optional(text('Identifier of the advertised app.')),
  iurl: optional(longText('URL of a sample image.')),
  cid: optional(id('Campaign id.')),
  crid: optional(id('Creative id.')),
  tactic: optional(id('Tactic id.')),
  cat: optional(texts('Categories of the creative.')),
  attr: optional(listedArray(CREATIVE_ATTRIBUTES)),
  api: optional(listed(API_FRAMEWORKS, 'API that the markup requires.')),
  protocol: optional(listed(VIDEO_PROTOCOLS, 'Video protocol of the markup.')),
  qagmediarating: optional(listed(MEDIA_RATINGS)),
  language: optional(code('ISO 639-1 code, or "xx" without linguistic content.')),
  dealid: optional(id('Id of the deal that the bid answers.')),
  w: optional(count('Width in pixels.')),
  h: optional(count('Height in pixels.')),
  wratio: optional(count('Relative width; required for flex ads.')),
  hratio: optional(count('Relative height; required for flex ads.')),
  exp: optional(count('Seconds that the bidder waits between auction and impression.')),
  ext: ext('Carries advertiser information.'),
});
export type Bid = Static<typeof BidSchema>;

/** SeatBid, section 2.21. */
export const SeatBidSchema = object('The bids of one seat.', {
  bid: array(BidSchema, 'The bids.', { maxItems: BIDS_MAX }),
  seat: optional(id('The buyer seat.')),
  group: optional(flag('1 = the bids are won or lost as a group.', { default: 0 })),
  ext: ext(),
});
export type SeatBid = Static<typeof SeatBidSchema>;

/** BidResponse, section 2.21. */
export const BidResponseSchema = object('The answer to a bid request.', {
  id: id('Id of the request.'),
  seatbid: optional(array(SeatBidSchema, 'At least one, if there is a bid.')),
  bidid: optional(id("The bidder's tracking id.")),
  cur: optional(code('ISO 4217 code; the exchange takes USD only.')),
  customdata: optional(longText("Data for the exchange's cookie.")),
  nbr: optional(integer('No-bid reason, list 5.24.', { 'x-list': '5.24' })),
  ext: ext(),
});
export type BidResponse = Static<typeof BidResponseSchema>;
