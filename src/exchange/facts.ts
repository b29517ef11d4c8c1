import Type from 'typebox';
import type { ImpTraits, RequestTraits } from '../auction/targeting-traits.ts';
import { definedField, ownField, pickFields } from '../base/fields.ts';
import { alpha2FromAlpha3, alpha3FromAlpha2 } from '../resources/country-codes.ts';
import type { DetectedDevice } from '../enrich/device.ts';
import type { InvalidTraffic } from '../enrich/invalid-traffic.ts';
import { UNKNOWN_NETWORK, type Network } from '../enrich/network.ts';
import { platformsOf, type Platforms } from '../events/dimensions.ts';
import type { Matches } from '../matching/match.ts';
import { DeviceSchema, type Device, type Geo } from '../openrtb/device.ts';
import { ALPHA_2_LANGUAGES } from '../openrtb/iso-codes.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { operatingSystem, OTHER_SYSTEM } from '../openrtb/operating-systems.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { SiteSchema } from '../openrtb/site.ts';
import { UserSchema, type User } from '../openrtb/user.ts';
import { readSignals, type Signals, type SignalSources } from '../privacy/signals.ts';
import type { Slot } from './slots.ts';

const sendableDevice = createSendable(DeviceSchema);
/** A publisher's `id`, `buyeruid` and `customdata` are ours to give, so its own are not passed on. */
const sendableUser = createSendable(
  Type.Pick(UserSchema, ['yob', 'gender', 'keywords', 'kwarray', 'geo', 'data', 'eids']),
);
const sendableEids = createSendable(UserSchema.properties.eids);

const sendablePage = createSendable(SiteSchema.properties.page);

/** Who sent the HTTP request. */
export interface Caller {
  /** Null when it cannot be told. */
  readonly ip: string | null;
  readonly secure: boolean;
  /**
   * The request came from the user's own browser, so that its address and user agent are the
   * user's; from a publisher's server they would be the server's.
   */
  readonly fromBrowser: boolean;
  readonly userAgent: string | null;
  /** The page that a browser's request says it comes from. */
  readonly referer: string | null;
  /** What a browser's request says of the user's languages, the preferred one first. */
  readonly acceptLanguage: string | null;
  /** What the browser's cookies say; left out where they were not read. */
  readonly user?: CallerUser;
}

/** The person behind a request, as far as the browser's own words and cookies go. */
export interface CallerUser {
  /** By the exchange's opt-out, or for all of the web. */
  readonly optedOut: boolean;
  /** What partners have set in the exchange's cookie. */
  readonly matches: Matches;
}

/** What fills in for a request that leaves things out. */
export interface Enrichment {
  readonly detectDevice: (ua: string) => DetectedDevice;
  readonly networkOf: (ip: string) => Network;
  /** What is known of the device's user agent and address, not of who sent the HTTP request. */
  readonly findInvalidTraffic: (ua: string | null, ip: string | null) => InvalidTraffic | null;
}

/** What is known of the device and the person in front of it, before privacy takes away. */
export interface Facts {
  /** As sent, with what detection adds; sent values win. */
  readonly device: Device;
  readonly user: User;
  /** The page of a site: as sent, else the one that the browser's request comes from. */
  readonly page: string | undefined;
  /** The request came over HTTPS, or the page did. */
  readonly secure: boolean;
  readonly countryAlpha2: string | null;
  readonly countryAlpha3: string | null;
  readonly os: string | null;
  readonly platforms: Platforms;
  readonly signals: Signals;
  /** Null where nothing speaks against a person. */
  readonly invalidTraffic: InvalidTraffic | null;
  /** What targeting can ask of the request. */
  readonly traits: RequestTraits;
}

export function gatherFacts(
  request: IncomingRequest,
  caller: Caller,
  enrichment: Enrichment,
): Facts {
  // A value that may not be sent on hides nothing that detection can find. The address is taken as
  // it came, because one that is no IPv4 address still names a country.
  const sent = sendableDevice(request.device) ?? {};
  const ua = sent.ua ?? (caller.fromBrowser ? caller.userAgent : null);
  const ip = filled(request.device?.ip) ?? (caller.fromBrowser ? caller.ip : null);
  const detected = ua === null ? UNDETECTED : enrichment.detectDevice(ua);
  const network = ip === null ? UNKNOWN_NETWORK : enrichment.networkOf(ip);
  const countryAlpha2 = countryOf(sent.geo, network);
  const countryAlpha3 = countryAlpha2 === null ? null : alpha3FromAlpha2(countryAlpha2);
  const { os, written } = systemOf(sent.os ?? detected.os);
  const { langb } = sent;
  const language =
    languageOf(request.device?.language) ?? (langb === undefined ? languageAccepted(caller) : null);
  const platforms = platformsOf(
    request.app !== undefined,
    os,
    sent.devicetype ?? detected.devicetype,
  );
  const page = pageOf(request, caller);
  const secure = caller.secure || isHttps(page);
  return {
    device: {
      ...pickFields(detected, ['devicetype', 'make', 'model', 'os', 'osv']),
      ...pickFields(network, ['connectiontype', 'carrier']),
      ...sent,
      ...definedField('os', written),
      ...definedField('language', language),
      ...definedField('ua', ua),
      ...definedField('ip', ip),
      ...definedField('geo', geoOf(sent.geo, countryAlpha3)),
      // The exchange sells to devices that run markup: always 1 (spec, section 2.17).
      js: 1,
    },
    user: userOf(request),
    page,
    secure,
    countryAlpha2,
    countryAlpha3,
    os,
    platforms,
    signals: readSignals(signalSources(request, caller)),
    invalidTraffic: enrichment.findInvalidTraffic(ua, ip),
    traits: {
      country: countryAlpha2,
      hasLocation: sent.geo?.lat !== undefined && sent.geo.lon !== undefined,
      platform: platforms.demand,
      os,
      language: language ?? languageOf(langb),
      connectiontype: sent.connectiontype ?? network.connectiontype,
      secure,
    },
  };
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Most callers have no word of their own, and then the request is all there is. */
function signalSources(request: IncomingRequest, { user }: Caller): SignalSources {
  if (user?.optedOut !== true) return request;
  return { regs: request.regs, user: request.user, device: request.device, optedOut: true };
}

/** By the name that targeting and reports know, and as bidders are told: another's as it came. */
function systemOf(said: string | null): { os: string | null; written: string | null } {
  if (said === null) return { os: null, written: null };
  const os = operatingSystem(said);
  return { os: os ?? OTHER_SYSTEM, written: os ?? said };
}

/** The referer of a publisher's server would be no page of the site. */
function pageOf({ site }: IncomingRequest, { fromBrowser, referer }: Caller): string | undefined {
  const sent = sendablePage(site?.page);
  if (sent !== undefined) return sent;
  const isPage = fromBrowser && referer !== null && /^https?:\/\//i.test(referer);
  return isPage ? sendablePage(referer) : undefined;
}

function isHttps(page: string | undefined): boolean {
  return page !== undefined && /^https:/i.test(page);
}

/** What Java and old Androids write for Hebrew, Indonesian and Yiddish, by codes withdrawn in 1989. */
const WITHDRAWN_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
]);

/** ISO 639-1 alpha-2 of what devices write: `en`, `EN` or `en-US`; null for anything else. */
function languageOf(language: string | undefined): string | null {
  const found = language === undefined ? null : /^[a-z]{2}(?![a-z])/i.exec(language);
  if (found === null) return null;
  const written = found[0].toLowerCase();
  const code = WITHDRAWN_LANGUAGES.get(written) ?? written;
  return ALPHA_2_LANGUAGES.has(code) ? code : null;
}

/**
 * The first language that a browser takes: `de-CH,de;q=0.9,en;q=0.8`. Browsers write them in the
 * order of preference. A publisher's server would say its own.
 */
function languageAccepted({ fromBrowser, acceptLanguage }: Caller): string | null {
  return fromBrowser && acceptLanguage !== null ? languageOf(acceptLanguage.trim()) : null;
}

/** The country that the publisher says, else that of the address. ISO 3166-1 alpha-2. */
function countryOf(geo: Geo | undefined, { country }: Network): string | null {
  return geo?.country === undefined ? country : alpha2FromAlpha3(geo.country);
}

/** The traits of one impression: its place, and the request that all impressions share. */
export function traitsOf({ imp, space }: Slot, { traits }: Facts): ImpTraits {
  const { adSpace, property, publisher } = space;
  return {
    adSpaceId: adSpace.id,
    publisherId: publisher.id,
    bundle: property.bundle,
    domain: property.domain,
    categories: property.categories,
    formats: imp.formats,
    bannerSizes: imp.bannerSizes,
    videoSize: adSpace.video,
    interstitial: imp.interstitial,
    rewarded: adSpace.rewarded,
    country: traits.country,
    hasLocation: traits.hasLocation,
    platform: traits.platform,
    os: traits.os,
    language: traits.language,
    connectiontype: traits.connectiontype,
    secure: imp.secure,
  };
}

/** Ids of other systems stand in the extension before 2.6. */
function userOf({ user }: IncomingRequest): User {
  const sent = sendableUser(user) ?? NO_USER;
  const eids = sent.eids === undefined ? sendableEids(ownField(user?.ext, 'eids')) : undefined;
  return eids === undefined ? sent : { ...sent, eids };
}

const NO_USER: User = {};

const UNDETECTED: DetectedDevice = {
  devicetype: null,
  make: null,
  model: null,
  os: null,
  osv: null,
  browser: null,
};

/** A country that was found from the address is only that: no coordinates ever come from there. */
function geoOf(sent: Geo | undefined, countryAlpha3: string | null): Geo | undefined {
  if (sent?.country !== undefined || countryAlpha3 === null) return sent;
  return { ...sent, country: countryAlpha3 };
}
