import { describeProblems, type Problem } from '../base/problem.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import { BID_PROBLEMS_MAX } from '../openrtb/limits.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { MarkupType } from '../openrtb/later-lists.ts';
import { kindOfMarkup, protocolOfVast, versionOfVast } from '../openrtb/markup.ts';
import { readVast } from '../openrtb/read-vast.ts';
import { explainNativeAd, explainNativeSizes } from '../openrtb/native-compliance.ts';
import { readNativeResponse } from '../openrtb/read-native.ts';
import type { Size } from '../resources/formats.ts';
import { findBlockedCategory, findBlockedDomain } from './block-lists.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO, formatNames } from './formats.ts';
import {
  checkApi,
  checkBannerType,
  checkDeclaredDuration,
  checkRequirements,
  checkVideo,
} from './creative-terms.ts';
import { findInsecureAsset } from './insecure-assets.ts';
import type { Objection } from './objection.ts';
import type { AuctionImp } from './offer.ts';

/** Characters of what is wrong with VAST that are told; it names elements of the bidder's. */
const PROBLEM_CHARS_MAX = 200;
/** Characters of a VAST version that are told. */
const VERSION_CHARS_MAX = 16;
/** What a creative says that has no words, or no language that could be named. */
const NO_LANGUAGES: ReadonlySet<string> = new Set(['xx', 'zxx', 'und', 'mul']);

const FORMATS = { html: FORMAT_BANNER, vast: FORMAT_VIDEO, native: FORMAT_NATIVE } as const;

/** The format that markup is of, by how it starts. */
export function formatOfMarkup(adm: string): number {
  return FORMATS[kindOfMarkup(adm)];
}

/** The markup has to be one of the formats that were offered. */
export function checkFormat(format: number, offered: number): Objection | null {
  if ((format & offered) !== 0) return null;
  const detail = `adm is ${formatNames(format)}; offered: ${formatNames(offered)}`;
  return { reason: LossReason.IncorrectFormat, detail };
}

/**
 * Checks a creative against what publisher and impression allow; null when nothing is wrong.
 *
 * @param adm null while the markup is to come: what it has to fulfil is checked then.
 */
export function checkCreative(
  bid: Bid,
  adm: string | null,
  format: number,
  imp: AuctionImp,
): Objection | null {
  return (
    checkRequirements(bid, imp.requirements) ??
    (adm === null ? null : checkNative(adm, format, imp)) ??
    checkDeclaredType(bid, format) ??
    checkDeclaredProtocol(bid, format, imp) ??
    checkDeclaredDuration(bid, format, imp) ??
    (adm === null ? null : checkVast(adm, format, imp)) ??
    (adm === null ? null : checkBannerType(adm, format, imp)) ??
    checkApi(bid, format, imp) ??
    checkSize(bid, format, imp) ??
    checkAdvertiser(bid, imp) ??
    checkLanguage(bid, imp) ??
    checkCategories(bid, imp) ??
    checkAttributes(bid, imp) ??
    checkApplication(bid, imp) ??
    (adm === null ? null : checkSecure(adm, format, imp))
  );
}

/** Native markup is read, because nobody could show what is no native ad, or lacks an asset. */
function checkNative(adm: string, format: number, { native }: AuctionImp): Objection | null {
  if (format !== FORMAT_NATIVE) return null;
  const checked = readNativeResponse(adm);
  if (!checked.ok) return objectToNative('adm is no native ad', checked.problems);
  if (native === null) return null;
  const what = 'adm does not comply with the native request';
  const problems = explainNativeAd(checked.value, native);
  if (problems.length > 0) return objectToNative(what, problems);
  const sizes = explainNativeSizes(checked.value, native);
  return sizes.length === 0 ? null : objectToNative(what, sizes, LossReason.SizeNotAllowed);
}

function objectToNative(
  what: string,
  problems: readonly Problem[],
  reason: LossReason = LossReason.IncorrectFormat,
): Objection {
  const detail = `${what}: ${describeProblems(problems.slice(0, BID_PROBLEMS_MAX))}`;
  return { reason, detail };
}

const MARKUP_TYPES: ReadonlyMap<number, number> = new Map([
  [MarkupType.Banner, FORMAT_BANNER],
  [MarkupType.Video, FORMAT_VIDEO],
  [MarkupType.Native, FORMAT_NATIVE],
]);

/** What a bid says that its markup is, it has to be. */
function checkDeclaredType({ mtype }: Bid, format: number): Objection | null {
  if (mtype === undefined || mtype <= 0) return null;
  if (((MARKUP_TYPES.get(mtype) ?? 0) & format) !== 0) return null;
  const detail = `the bid says mtype ${mtype}; the markup is ${formatNames(format)}`;
  return { reason: LossReason.IncorrectFormat, detail };
}

/** What a bid says of its video's protocol; bidders that write 0 say nothing. */
function checkDeclaredProtocol(bid: Bid, format: number, imp: AuctionImp): Objection | null {
  const { protocol = 0 } = bid;
  if (format !== FORMAT_VIDEO || protocol <= 0 || imp.protocols.includes(protocol)) return null;
  return objectToProtocol(`the bid says protocol ${protocol}`, imp);
}

/** VAST is read, because no player shows what it cannot read, or what has no ad. */
function checkVast(adm: string, format: number, imp: AuctionImp): Objection | null {
  if (format !== FORMAT_VIDEO) return null;
  const read = readVast(adm);
  const reason = LossReason.IncorrectFormat;
  if (!read.ok) return { reason, detail: `adm is not well-formed: ${clip(read.problem)}` };
  if (read.vast.ads === 0) return { reason, detail: 'adm is VAST without an ad' };
  return checkVersion(adm, imp) ?? checkVideo(read.vast, imp);
}

/** A player shows the VAST that it knows. What names no version is left to the player. */
function checkVersion(adm: string, imp: AuctionImp): Objection | null {
  const version = versionOfVast(adm);
  if (version === undefined) return null;
  const protocol = protocolOfVast(adm);
  if (protocol !== undefined && imp.protocols.includes(protocol)) return null;
  const found = protocol === undefined ? 'no protocol' : `protocol ${protocol}`;
  return objectToProtocol(`adm is VAST ${version.slice(0, VERSION_CHARS_MAX)}, ${found}`, imp);
}

function objectToProtocol(found: string, { protocols }: AuctionImp): Objection {
  const detail = `${found} of list 5.8; allowed: ${protocols.join(', ')}`;
  return { reason: LossReason.IncorrectFormat, detail };
}

function clip(text: string): string {
  return text.slice(0, PROBLEM_CHARS_MAX).toWellFormed();
}

function checkSize(bid: Bid, format: number, imp: AuctionImp): Objection | null {
  const { w, h } = bid;
  if (format !== FORMAT_BANNER || w === undefined || h === undefined) return null;
  if (imp.bannerSizes.some((size) => fits(size, w, h, imp.interstitial))) return null;
  const allowed = imp.bannerSizes.map((size) => `${size.w}x${size.h}`).join(', ');
  return { reason: LossReason.SizeNotAllowed, detail: `size ${w}x${h}; allowed: ${allowed}` };
}

function fits(size: Size, w: number, h: number, interstitial: boolean): boolean {
  return interstitial ? w <= size.w && h <= size.h : w === size.w && h === size.h;
}

/** A bid that hides its advertiser is refused only where some advertiser is blocked. */
function checkAdvertiser(bid: Bid, imp: AuctionImp): Objection | null {
  const blocked = imp.blocking.advertisers;
  if (blocked.length === 0) return null;
  const reason = LossReason.AdvertiserBlocked;
  if (bid.adomain === undefined || bid.adomain.length === 0) {
    return { reason, detail: 'adomain is missing where advertisers are blocked' };
  }
  for (const domain of bid.adomain) {
    const hit = findBlockedDomain(domain, blocked);
    if (hit !== null) return { reason, detail: `adomain ${domain} is blocked by ${hit}` };
  }
  return null;
}

/**
 * A creative without words, "xx", is in every language (spec, section 2.21). Of a tag the first part
 * counts: `zh` of `zh-Hant`.
 */
function checkLanguage(bid: Bid, { languages }: AuctionImp): Objection | null {
  const language = bid.language?.trim() || bid.langb?.trim();
  if (language === undefined || language === '' || languages.length === 0) return null;
  const [code = ''] = language.toLowerCase().split(/[-_]/, 1);
  if (NO_LANGUAGES.has(code) || languages.includes(code)) return null;
  const detail = `language ${language}; allowed: ${languages.join(', ')}`;
  return { reason: LossReason.LanguageNotAllowed, detail };
}

/** A blocked category blocks its children: IAB25 blocks IAB25-3. */
function checkCategories(bid: Bid, imp: AuctionImp): Objection | null {
  const blocked = imp.blocking.categories;
  if (blocked.length === 0 || bid.cat === undefined) return null;
  for (const category of bid.cat) {
    const hit = findBlockedCategory(category, blocked);
    if (hit !== null) {
      const detail = `cat ${category} is blocked by ${hit}`;
      return { reason: LossReason.CategoryBlocked, detail };
    }
  }
  return null;
}

function checkAttributes(bid: Bid, imp: AuctionImp): Objection | null {
  const hit = bid.attr?.find((attribute) => imp.blocking.attributes.includes(attribute));
  if (hit === undefined) return null;
  return { reason: LossReason.AttributeBlocked, detail: `attr ${hit} is blocked` };
}

function checkApplication(bid: Bid, imp: AuctionImp): Objection | null {
  if (bid.bundle === undefined || !imp.blocking.apps.includes(bid.bundle)) return null;
  return { reason: LossReason.AppBlocked, detail: `bundle ${bid.bundle} is blocked` };
}

function checkSecure(adm: string, format: number, imp: AuctionImp): Objection | null {
  if (!imp.secure) return null;
  const address = findInsecureAsset(adm, format);
  if (address === null) return null;
  const detail = `the markup loads ${address} over plain HTTP`;
  return { reason: LossReason.NotSecure, detail };
}
