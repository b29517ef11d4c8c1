import { LossReason } from '../../openrtb/loss-reason.ts';

/** What a demand partner can do about the bids that lost by a reason, one sentence for each. */
export const LOSS_ACTIONS: Readonly<Record<Exclude<LossReason, 0>, string>> = {
  [LossReason.InternalError]:
    'There is nothing to change on your side: give the operator the id of such an auction.',
  [LossReason.Expired]:
    'The publisher decides and did not take the bid in time: let bids stand longer (`exp`), or ask the operator about the publisher.',
  [LossReason.InvalidResponse]:
    'Open such an auction to see which field is wrong, and correct it in your bidder.',
  [LossReason.InvalidDealId]:
    'Bid with a `dealid` that the bid request offers to your seat, and always with one where the auction is private.',
  [LossReason.InvalidAuctionId]:
    'Answer with the `id` of the bid request as the `id` of the response.',
  [LossReason.InvalidAdvertiserDomain]:
    'Send `adomain` as a list of plain domains such as `brand.example`.',
  [LossReason.MissingMarkup]:
    'Send the markup in `adm`, or answer the win notice with it within its time.',
  [LossReason.MissingCreativeId]: 'Send a `crid` with every bid, the same for the same creative.',
  [LossReason.MissingPrice]: 'Send a `price` above 0 and at most 10,000 US dollars CPM.',
  [LossReason.MissingApprovalData]:
    'Send what the exchange asks of every creative: `adomain`, `crid`, `cat` and `iurl` as its operator requires.',
  [LossReason.BelowFloor]:
    "Bid at least `imp.bidfloor`, or lower your line item's own floor if that is the higher one.",
  [LossReason.BelowDealFloor]:
    'Bid at least `deal.bidfloor`, which in a deal of fixed price is the price.',
  [LossReason.LostToHigherBid]:
    'Bid more where the impression is worth it to you; the shortfall says by how much.',
  [LossReason.LostToDeal]:
    'A bid for a deal ranked first: bid more for a deal of yours, or ask the publisher or the operator for one.',
  [LossReason.SeatBlocked]:
    'Bid with one of the seats in `wseat`, or ask the operator to let your seat in.',
  [LossReason.CreativeFiltered]:
    'Another bid of the same group was refused: mend that one, or send the bids without `group`.',
  [LossReason.CreativePending]:
    'Wait for the review of the creative, and keep its `crid` the same meanwhile.',
  [LossReason.CreativeDisapproved]:
    'Bid with another creative, or ask the operator why this one was disapproved.',
  [LossReason.SizeNotAllowed]:
    'Bid with a creative of a size in `banner.format`, and send its `w` and `h`.',
  [LossReason.IncorrectFormat]:
    'Answer with markup as the impression asks for it: its format, `api` and `protocols`, well-formed VAST with a file in `video.mimes`, native ads as requested.',
  [LossReason.AdvertiserBlocked]:
    'Hold back the advertisers in `badv`, and send `adomain` with every bid.',
  [LossReason.AppBlocked]: 'Hold back ads for the apps in `bapp`.',
  [LossReason.NotSecure]: 'Load everything in the markup over HTTPS.',
  [LossReason.LanguageNotAllowed]:
    'Bid with a creative in one of the languages of `wlang`; one without words is `xx`.',
  [LossReason.CategoryBlocked]:
    'Hold back the categories in `bcat`, and check the `cat` of the creative.',
  [LossReason.AttributeBlocked]:
    'Hold back the attributes in `battr`, and check the `attr` of the creative.',
  [LossReason.AdTypeBlocked]: 'Hold back the banner types in `btype`.',
  [LossReason.AnimationTooLong]: 'Bid with a creative whose animation is shorter.',
  [LossReason.NotAllowedInDeal]:
    'Bid for the deal with an advertiser in `deal.wadomain`, or without the deal.',
};

/** One sentence for any code, also for one that this exchange does not give. */
export function lossAction(code: number): string {
  const actions: Readonly<Record<number, string>> = LOSS_ACTIONS;
  return actions[code] ?? 'Open such an auction to see what became of the bid.';
}
