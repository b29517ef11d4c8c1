import type { Bid } from '../openrtb/bid-response.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { durationsOfVast, isNonLinearVast, typeOfBanner } from '../openrtb/markup.ts';
import { VideoLinearity } from '../openrtb/video-lists.ts';
import type { BidRequirements } from '../snapshot/entities.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import type { Objection } from './objection.ts';
import type { AuctionImp } from './offer.ts';

const MISSING: Readonly<Record<BidRequirements['fields'][number], LossReason>> = {
  adomain: LossReason.InvalidAdvertiserDomain,
  cat: LossReason.MissingApprovalData,
  crid: LossReason.MissingCreativeId,
  iurl: LossReason.MissingApprovalData,
};

/** What the exchange wants to know of every creative. */
export function checkRequirements(
  bid: Bid,
  { fields, adomainsMax }: BidRequirements,
): Objection | null {
  for (const field of fields) {
    const value = bid[field];
    if (value !== undefined && value.length > 0) continue;
    return { reason: MISSING[field], detail: `${field} is missing; this exchange requires it` };
  }
  const named = bid.adomain?.length ?? 0;
  if (adomainsMax === null || named <= adomainsMax) return null;
  const detail = `adomain names ${named} domains; allowed: ${adomainsMax}`;
  return { reason: LossReason.InvalidAdvertiserDomain, detail };
}

/** The markup must not need what is not there (spec, section 2.21, `api`). */
export function checkApi({ api }: Bid, format: number, imp: AuctionImp): Objection | null {
  const there = apisOf(format, imp);
  if (api === undefined || there === undefined || there.includes(api)) return null;
  const detail = `the markup requires api ${api} of list 5.6; there are: ${there.join(', ') || 'none'}`;
  return { reason: LossReason.IncorrectFormat, detail };
}

/** Undefined where nobody said, and while it is open which format the markup is of. */
function apisOf(format: number, imp: AuctionImp): readonly number[] | undefined {
  switch (format) {
    case FORMAT_BANNER:
      return imp.banner?.api;
    case FORMAT_VIDEO:
      return imp.video?.api;
    case FORMAT_NATIVE:
      return imp.nativeTerms?.api;
    default:
      return undefined;
  }
}

/** A banner of a type that the publisher blocks, as far as its markup shows it. */
export function checkBannerType(adm: string, format: number, imp: AuctionImp): Objection | null {
  const blocked = imp.banner?.btype ?? [];
  if (format !== FORMAT_BANNER || blocked.length === 0) return null;
  const type = typeOfBanner(adm);
  if (!blocked.includes(type)) return null;
  const detail = `adm is of banner type ${type} of list 5.2, which is blocked`;
  return { reason: LossReason.AdTypeBlocked, detail };
}

/** Each of the durations that VAST tells must be within the bounds, and linear be linear. */
export function checkVideo(adm: string, format: number, { video }: AuctionImp): Objection | null {
  if (format !== FORMAT_VIDEO || video === null) return null;
  const { minduration, maxduration, maxextended = 0, linearity } = video;
  if (linearity === VideoLinearity.Linear && isNonLinearVast(adm)) {
    const detail = 'adm has non-linear ads alone; allowed: linear ones';
    return { reason: LossReason.AdTypeBlocked, detail };
  }
  const longest = maxextended < 0 ? Infinity : maxduration + maxextended;
  for (const seconds of durationsOfVast(adm)) {
    if (seconds >= minduration && seconds <= longest) continue;
    const detail = `adm lasts ${seconds} s; allowed: ${minduration} to ${longest} s`;
    return { reason: LossReason.IncorrectFormat, detail };
  }
  return null;
}
