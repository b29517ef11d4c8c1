/**
 * Why a bid won or lost: the loss reason codes of OpenRTB 2.5 that the exchange gives to every bid
 * (section 5.25 of that document). Bidders read them in `${AUCTION_LOSS}`, the console shows the sentences.
 */
export const LossReason = {
  Won: 0,
  InternalError: 1,
  Expired: 2,
  InvalidResponse: 3,
  InvalidDealId: 4,
  InvalidAuctionId: 5,
  InvalidAdvertiserDomain: 6,
  MissingMarkup: 7,
  MissingCreativeId: 8,
  MissingPrice: 9,
  MissingApprovalData: 10,
  BelowFloor: 100,
  BelowDealFloor: 101,
  LostToHigherBid: 102,
  LostToDeal: 103,
  SeatBlocked: 104,
  CreativeFiltered: 200,
  CreativePending: 201,
  CreativeDisapproved: 202,
  SizeNotAllowed: 203,
  IncorrectFormat: 204,
  AdvertiserBlocked: 205,
  AppBlocked: 206,
  NotSecure: 207,
  LanguageNotAllowed: 208,
  CategoryBlocked: 209,
  AttributeBlocked: 210,
  AdTypeBlocked: 211,
  AnimationTooLong: 212,
  NotAllowedInDeal: 213,
} as const;
export type LossReason = (typeof LossReason)[keyof typeof LossReason];

/** One sentence per code, for the engineer who asks why a bid lost. */
export const LOSS_REASONS: Readonly<Record<LossReason, string>> = {
  [LossReason.Won]: 'The bid won.',
  [LossReason.InternalError]: 'The exchange failed while it handled the bid.',
  [LossReason.Expired]: 'The impression expired before the win was confirmed.',
  [LossReason.InvalidResponse]: 'The bid or its response is malformed.',
  [LossReason.InvalidDealId]: 'The deal id is missing, unknown, or not open to this seat.',
  [LossReason.InvalidAuctionId]: 'The response does not carry the id of the bid request.',
  [LossReason.InvalidAdvertiserDomain]: 'The advertiser domain is malformed.',
  [LossReason.MissingMarkup]: 'Neither the bid nor its win notice brought markup in time.',
  [LossReason.MissingCreativeId]: 'The bid has no creative id.',
  [LossReason.MissingPrice]: 'The bid has no price above zero within the allowed range.',
  [LossReason.MissingApprovalData]: 'The bid lacks the data that creative approval needs.',
  [LossReason.BelowFloor]: 'The price is below the floor of the impression or line item.',
  [LossReason.BelowDealFloor]: 'The price is below the floor or fixed price of the deal.',
  [LossReason.LostToHigherBid]: 'Another bid was higher.',
  [LossReason.LostToDeal]: 'A bid for a deal ranked above this one.',
  [LossReason.SeatBlocked]: 'The buyer seat may not bid on this impression.',
  [LossReason.CreativeFiltered]: 'The creative was filtered.',
  [LossReason.CreativePending]: 'The creative has not been reviewed yet.',
  [LossReason.CreativeDisapproved]: 'The creative was reviewed and disapproved.',
  [LossReason.SizeNotAllowed]: 'The creative does not have a size that the impression allows.',
  [LossReason.IncorrectFormat]:
    'The markup is not of a format that the impression offers, or not as it asks for it.',
  [LossReason.AdvertiserBlocked]: 'The advertiser is blocked on this impression.',
  [LossReason.AppBlocked]: 'The advertised app is blocked on this impression.',
  [LossReason.NotSecure]: 'The impression requires HTTPS and the markup loads plain HTTP.',
  [LossReason.LanguageNotAllowed]: 'The language of the creative is not among the allowed ones.',
  [LossReason.CategoryBlocked]: 'A category of the creative is blocked on this impression.',
  [LossReason.AttributeBlocked]: 'An attribute of the creative is blocked on this impression.',
  [LossReason.AdTypeBlocked]: 'The banner ad type is blocked on this impression.',
  [LossReason.AnimationTooLong]: 'The animation of the creative is too long.',
  [LossReason.NotAllowedInDeal]: 'The deal does not allow this advertiser.',
};

/** The sentence for a loss code; a code that the exchange does not give says so. */
export function describeLossReason(code: number): string {
  const sentences: Readonly<Record<number, string>> = LOSS_REASONS;
  return sentences[code] ?? `Loss reason ${code} is not one that this exchange gives.`;
}
