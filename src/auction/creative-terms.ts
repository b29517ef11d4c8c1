import type { Bid } from '../openrtb/bid-response.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { ApiFramework } from '../openrtb/creative-lists.ts';
import { typeOfBanner } from '../openrtb/markup.ts';
import type { VastDocument, VastFile } from '../openrtb/read-vast.ts';
import { VideoLinearity } from '../openrtb/video-lists.ts';
import type { BidRequirements } from '../snapshot/entities.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import type { Objection } from './objection.ts';
import type { AuctionImp, VideoTerms } from './offer.ts';

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

/**
 * The markup must not need what is not there (spec, section 2.21, `api`). What is not listed is not
 * there. Bidders that write 0 need nothing.
 */
export function checkApi(bid: Bid, format: number, imp: AuctionImp): Objection | null {
  const { api = 0, apis = NONE } = bid;
  const there = apisOf(format, imp);
  const lacking = [api, ...apis].find((each) => each > 0 && there?.includes(each) === false);
  if (lacking === undefined) return null;
  const detail = `the markup requires api ${lacking} of list 5.6; there are: ${there?.join(', ') || 'none'}`;
  return { reason: LossReason.IncorrectFormat, detail };
}

/** Undefined while it is open which format the markup is of. */
function apisOf(format: number, imp: AuctionImp): readonly number[] | undefined {
  switch (format) {
    case FORMAT_BANNER:
      return imp.banner?.api ?? NONE;
    case FORMAT_VIDEO:
      return imp.video?.api ?? NONE;
    case FORMAT_NATIVE:
      return imp.nativeTerms?.api ?? NONE;
    default:
      return undefined;
  }
}

const NONE: readonly never[] = [];

/** A banner of a type that the publisher blocks, as far as its markup shows it. */
export function checkBannerType(adm: string, format: number, imp: AuctionImp): Objection | null {
  const blocked = imp.banner?.btype ?? [];
  if (format !== FORMAT_BANNER || blocked.length === 0) return null;
  const type = typeOfBanner(adm);
  if (!blocked.includes(type)) return null;
  const detail = `adm is of banner type ${type} of list 5.2, which is blocked`;
  return { reason: LossReason.AdTypeBlocked, detail };
}

/**
 * Each of the durations that VAST tells must be within the bounds, and linear be linear; of each
 * choice of files the player must be able to show one.
 */
export function checkVideo(vast: VastDocument, { video }: AuctionImp): Objection | null {
  if (video === null) return null;
  const { linearity } = video;
  if (linearity === VideoLinearity.Linear && vast.hasNonLinear && !vast.hasLinear) {
    const detail = 'adm has non-linear ads alone; allowed: linear ones';
    return { reason: LossReason.AdTypeBlocked, detail };
  }
  for (const seconds of vast.durations) {
    if (seconds === null) {
      const detail = 'adm has a <Duration> that is not HH:MM:SS';
      return { reason: LossReason.IncorrectFormat, detail };
    }
    const tooLong = checkDuration(`adm lasts ${seconds} s`, seconds, video);
    if (tooLong !== null) return tooLong;
  }
  for (const files of vast.choices) {
    if (files.length === 0 || files.some((file) => whyNotShown(file, video) === null)) continue;
    const [first] = files;
    const why = first === undefined ? '' : whyNotShown(first, video);
    const detail = `adm has no file that the player shows: ${why}`;
    return { reason: LossReason.IncorrectFormat, detail };
  }
  return null;
}

/** What a bid says of the duration of its video; bidders that write 0 say nothing. */
export function checkDeclaredDuration(
  { dur = 0 }: Bid,
  format: number,
  { video }: AuctionImp,
): Objection | null {
  if (format !== FORMAT_VIDEO || video === null || dur <= 0) return null;
  return checkDuration(`the bid says dur ${dur}`, dur, video);
}

function checkDuration(
  found: string,
  seconds: number,
  { minduration, maxduration, maxextended = 0 }: VideoTerms,
): Objection | null {
  const longest = maxextended < 0 ? Infinity : maxduration + maxextended;
  if (seconds >= minduration && seconds <= longest) return null;
  const detail = `${found}; allowed: ${minduration} to ${longest} s`;
  return { reason: LossReason.IncorrectFormat, detail };
}

/** Characters of a content type that are told. */
const TYPE_CHARS_MAX = 64;
const VPAID: ReadonlySet<number> = new Set([ApiFramework.Vpaid1, ApiFramework.Vpaid2]);

/** Why a player does not show a file; null where it does, or nobody knows. */
function whyNotShown(
  { type, apiFramework }: VastFile,
  { api = NONE, mimes }: VideoTerms,
): string | null {
  if (apiFramework?.trim().toUpperCase() === 'VPAID') {
    // Its type is the framework's business: scripts, or what Flash played.
    if (api.some((each) => VPAID.has(each))) return null;
    return `VPAID; apis of list 5.6 there are: ${api.join(', ') || 'none'}`;
  }
  if (type === undefined || mimes === undefined) return null;
  const plain = contentType(type);
  if (mimes.some((mime) => contentType(mime) === plain)) return null;
  return `${type.slice(0, TYPE_CHARS_MAX)}; allowed: ${mimes.join(', ')}`;
}

/** Without case and parameters, such as codecs. */
function contentType(text: string): string {
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase();
}
