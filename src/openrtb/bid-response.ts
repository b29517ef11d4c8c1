import Type, { type Static } from 'typebox';
import { API_FRAMEWORKS, CREATIVE_ATTRIBUTES } from './creative-lists.ts';
import { MEDIA_RATINGS } from './content-lists.ts';
import {
  advisory,
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
  required,
} from './fields.ts';
import { BIDS_MAX, LONG_TEXT_LENGTH_MAX, MARKUP_LENGTH_MAX } from './limits.ts';
import { VIDEO_PROTOCOLS } from './video-lists.ts';
import { ignored, readHere } from './filling.ts';
import { since, before, inVersion } from './variations.ts';
import type { Surroundings } from './schema-node.ts';
import { MARKUP_TYPES, SLOTS_IN_POD } from './later-lists.ts';
import { languageTag, categoryTaxonomy } from './later-fields.ts';

/** The URL of a notice. */
function noticeUrl(description: string) {
  return Type.String({ description, minLength: 1, maxLength: LONG_TEXT_LENGTH_MAX });
}

/** Earlier versions have one API for a markup. */
function firstOf(apis: unknown, { standing }: Surroundings): unknown {
  return standing ?? (Array.isArray(apis) ? apis[0] : undefined);
}

/** Bid, section 2.21: an offer to buy one impression. A field that is there is not empty. */
export const BidSchema = object('An offer to buy an impression.', {
  id: required(
    id('Id that the bidder chose.'),
    readHere('Recorded; the publisher gets an id of the exchange.'),
  ),
  impid: required(
    id('Id of the impression bid on.'),
    readHere('Names the impression; one that was not offered loses with 3.'),
  ),
  price: required(
    Type.Number({ description: 'Price in USD CPM.' }),
    readHere('In USD CPM, above 0 and at most 10,000; cut after six decimals.'),
  ),
  adid: optional(
    id('Id of the ad to serve if won.'),
    advisory,
    readHere('Fills the macro of that name.'),
  ),
  nurl: optional(noticeUrl('Win notice URL.'), readHere('The win notice.')),
  burl: optional(noticeUrl('Billing notice URL.'), since('2.5'), readHere('The billing notice.')),
  lurl: optional(noticeUrl('Loss notice URL.'), since('2.5'), readHere('The loss notice.')),
  adm: optional(
    Type.String({
      description: 'Markup: XHTML, VAST XML or native JSON; supersedes that of the win notice.',
      minLength: 1,
      maxLength: MARKUP_LENGTH_MAX,
    }),
    readHere('The markup; its macros are filled, nothing else is changed.'),
  ),
  adomain: optional(
    texts('Advertiser domains.'),
    readHere(
      'In canonical form held against blocked advertisers and those of the deal, and told to the publisher; a malformed domain loses with 6.',
    ),
  ),
  bundle: optional(
    text('Identifier of the advertised app.'),
    since('2.5'),
    readHere('Held against blocked apps; told to the publisher.'),
  ),
  iurl: optional(longText('URL of a sample image.'), advisory, readHere('Told to the publisher.')),
  cid: optional(id('Campaign id.'), advisory, readHere('Told to the publisher.')),
  crid: optional(id('Creative id.'), advisory, readHere('Told to the publisher.')),
  tactic: optional(id('Tactic id.'), advisory, since('2.5'), ignored()),
  cat: optional(
    texts('Categories of the creative.'),
    since('2.5'),
    readHere(
      'Without regard to case and blanks held against blocked categories; told to the publisher.',
    ),
  ),
  attr: optional(
    listedArray(CREATIVE_ATTRIBUTES),
    readHere('Held against blocked attributes; told to the publisher.'),
  ),
  api: optional(
    listed(API_FRAMEWORKS, 'API that the markup requires; apis in 2.6.'),
    advisory,
    since('2.5'),
    readHere('Must be among those offered, 0 means none; told to the publisher.'),
  ),
  protocol: optional(
    listed(VIDEO_PROTOCOLS, 'Video protocol of the markup.'),
    advisory,
    since('2.5'),
    readHere('Of a video must be among those offered, 0 means none; told to the publisher.'),
  ),
  qagmediarating: optional(listed(MEDIA_RATINGS), advisory, since('2.5'), ignored()),
  language: optional(
    code('ISO 639-1 code, or "xx" without linguistic content.'),
    advisory,
    since('2.5'),
    readHere('Held against the languages allowed; told to the publisher.'),
  ),
  dealid: optional(
    id('Id of the deal that the bid answers.'),
    readHere('Names the deal; required where deals are offered.'),
  ),
  w: optional(
    count('Width in pixels.'),
    readHere('Held against the sizes of a banner; told to the publisher.'),
  ),
  h: optional(
    count('Height in pixels.'),
    readHere('Held against the sizes of a banner; told to the publisher.'),
  ),
  wratio: optional(
    count('Relative width; required for flex ads.'),
    advisory,
    since('2.5'),
    ignored(),
  ),
  hratio: optional(
    count('Relative height; required for flex ads.'),
    advisory,
    since('2.5'),
    ignored(),
  ),
  exp: optional(
    count('Seconds that the bidder waits between auction and impression.'),
    since('2.5'),
    readHere('How long the impression counts after the auction; an hour without it, four at most.'),
  ),
  langb: languageTag({
    ...readHere(
      'Held against the languages allowed, where language is not there; told to the publisher.',
    ),
    ...inVersion('2.2', { at: null }),
  }),
  cattax: categoryTaxonomy(['cat'], readHere('Told to the publisher.')),
  apis: optional(
    listedArray(API_FRAMEWORKS, 'APIs that the markup requires.'),
    advisory,
    before('2.6', { at: 'api', write: firstOf, isLossy: true }),
    inVersion('2.2', { at: null }),
    readHere('Must all be among those offered, in place of api; told to the publisher.'),
  ),
  dur: optional(
    count('Duration of the video in seconds.'),
    advisory,
    since('2.6'),
    readHere('Must be within the duration of the video; 0 says nothing. Told to the publisher.'),
  ),
  mtype: optional(
    listed(MARKUP_TYPES),
    advisory,
    since('2.6'),
    readHere('Must be what the markup is; 0 says nothing.'),
  ),
  slotinpod: optional(
    listed(SLOTS_IN_POD, 'Positions in a pod that the bid is for.', { default: 0 }),
    advisory,
    since('2.6'),
    ignored(),
  ),
  ext: optional(ext('Carries advertiser information.'), ignored()),
});
export type Bid = Static<typeof BidSchema>;

/** SeatBid, section 2.21. */
export const SeatBidSchema = object('The bids of one seat.', {
  bid: required(
    array(BidSchema, 'The bids.', { maxItems: BIDS_MAX }),
    readHere('Each is judged for itself.'),
  ),
  seat: optional(
    id('The buyer seat.'),
    readHere('Must be one that was asked; decides the line item.'),
  ),
  group: optional(
    flag('1 = the bids are won or lost as a group.', { default: 0 }),
    readHere('1: the bids win together or not at all.'),
  ),
  ext: optional(ext(), ignored()),
});
export type SeatBid = Static<typeof SeatBidSchema>;

/** BidResponse, section 2.21. */
export const BidResponseSchema = object('The answer to a bid request.', {
  id: required(
    id('Id of the request.'),
    readHere('Must be the id of the request, else its bids lose with 5.'),
  ),
  seatbid: optional(
    array(SeatBidSchema, 'At least one, if there is a bid.'),
    readHere('None is a no-bid.'),
  ),
  bidid: optional(id("The bidder's tracking id."), readHere('Fills the macro of that name.')),
  cur: optional(
    code('ISO 4217 code; the exchange takes USD only.', {}, { default: 'USD' }),
    readHere('Bids in anything but USD lose with 3.'),
  ),
  customdata: optional(
    longText("Data for the exchange's cookie."),
    readHere(
      "Kept in the exchange's cookie for this bidder, if the request came from a browser, privacy allows it, the answer has a bid, and it has at most 256 bytes.",
    ),
  ),
  nbr: optional(
    integer('No-bid reason, list 5.24.', { 'x-list': '5.24' }),
    readHere('Counted as the reason of a no-bid.'),
  ),
  ext: optional(ext(), ignored()),
});
export type BidResponse = Static<typeof BidResponseSchema>;
