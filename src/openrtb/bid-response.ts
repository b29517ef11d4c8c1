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
} from './fields.ts';
import { BIDS_MAX, LONG_TEXT_LENGTH_MAX, MARKUP_LENGTH_MAX } from './limits.ts';
import { VIDEO_PROTOCOLS } from './video-lists.ts';
import { filled, ignored, readHere } from './filling.ts';

/** The URL of a notice. */
function noticeUrl(description: string) {
  return Type.String({ description, minLength: 1, maxLength: LONG_TEXT_LENGTH_MAX });
}

/** Bid, section 2.21: an offer to buy one impression. A field that is there is not empty. */
export const BidSchema = filled(
  object(
    'An offer to buy an impression.',
    {
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
    },
    [],
    advisory(
      'adid',
      'iurl',
      'cid',
      'crid',
      'tactic',
      'api',
      'protocol',
      'qagmediarating',
      'language',
      'wratio',
      'hratio',
    ),
  ),
  {
    id: readHere('Recorded; the publisher gets an id of the exchange.'),
    impid: readHere('Names the impression; one that was not offered loses with 3.'),
    price: readHere('In USD CPM, above 0 and at most 10,000; cut after six decimals.'),
    adid: readHere('Fills the macro of that name.'),
    nurl: readHere('The win notice.'),
    burl: readHere('The billing notice.'),
    lurl: readHere('The loss notice.'),
    adm: readHere('The markup; its macros are filled, nothing else is changed.'),
    adomain: readHere(
      'In canonical form held against blocked advertisers and those of the deal, and told to the publisher; a malformed domain loses with 6.',
    ),
    bundle: readHere('Held against blocked apps; told to the publisher.'),
    iurl: readHere('Told to the publisher.'),
    cid: readHere('Told to the publisher.'),
    crid: readHere('Told to the publisher.'),
    api: readHere('Must be among those offered, 0 means none; told to the publisher.'),
    protocol: readHere(
      'Of a video must be among those offered, 0 means none; told to the publisher.',
    ),
    language: readHere('Held against the languages allowed; told to the publisher.'),
    tactic: ignored(),
    qagmediarating: ignored(),
    wratio: ignored(),
    hratio: ignored(),
    cat: readHere(
      'Without regard to case and blanks held against blocked categories; told to the publisher.',
    ),
    attr: readHere('Held against blocked attributes; told to the publisher.'),
    dealid: readHere('Names the deal; required where deals are offered.'),
    w: readHere('Held against the sizes of a banner; told to the publisher.'),
    h: readHere('Held against the sizes of a banner; told to the publisher.'),
    exp: readHere(
      'How long the impression counts after the auction; an hour without it, four at most.',
    ),
    ext: ignored(),
  },
);
export type Bid = Static<typeof BidSchema>;

/** SeatBid, section 2.21. */
export const SeatBidSchema = filled(
  object('The bids of one seat.', {
    bid: array(BidSchema, 'The bids.', { maxItems: BIDS_MAX }),
    seat: optional(id('The buyer seat.')),
    group: optional(flag('1 = the bids are won or lost as a group.', { default: 0 })),
    ext: ext(),
  }),
  {
    bid: readHere('Each is judged for itself.'),
    seat: readHere('Must be one that was asked; decides the line item.'),
    group: readHere('1: the bids win together or not at all.'),
    ext: ignored(),
  },
);
export type SeatBid = Static<typeof SeatBidSchema>;

/** BidResponse, section 2.21. */
export const BidResponseSchema = filled(
  object('The answer to a bid request.', {
    id: id('Id of the request.'),
    seatbid: optional(array(SeatBidSchema, 'At least one, if there is a bid.')),
    bidid: optional(id("The bidder's tracking id.")),
    cur: optional(code('ISO 4217 code; the exchange takes USD only.', {}, { default: 'USD' })),
    customdata: optional(longText("Data for the exchange's cookie.")),
    nbr: optional(integer('No-bid reason, list 5.24.', { 'x-list': '5.24' })),
    ext: ext(),
  }),
  {
    id: readHere('Must be the id of the request, else its bids lose with 5.'),
    seatbid: readHere('None is a no-bid.'),
    bidid: readHere('Fills the macro of that name.'),
    cur: readHere('Bids in anything but USD lose with 3.'),
    customdata: readHere(
      "Kept in the exchange's cookie for this bidder, if the request came from a browser, privacy allows it, the answer has a bid, and it has at most 256 bytes.",
    ),
    nbr: readHere('Counted as the reason of a no-bid.'),
    ext: ignored(),
  },
);
export type BidResponse = Static<typeof BidResponseSchema>;

/** Bid of version 2.2: all that section 10 leaves of it. Its other fields mean nothing there. */
export const Bid22Schema = Type.Pick(
  BidSchema,
  [
    'id',
    'impid',
    'price',
    'adid',
    'nurl',
    'adm',
    'adomain',
    'iurl',
    'cid',
    'crid',
    'attr',
    'dealid',
    'h',
    'w',
    'ext',
  ],
  { description: 'An offer to buy an impression.', 'x-recommended': [] },
);
export type Bid22 = Static<typeof Bid22Schema>;
