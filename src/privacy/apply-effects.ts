import { unlessEmpty } from '../base/fields.ts';
import type { Device, Geo } from '../openrtb/device.ts';
import type { Regs } from '../openrtb/bid-request.ts';
import type { User } from '../openrtb/user.ts';
import type { Effects } from './effects.ts';
import { ipv4Of, truncateIp } from './ip-address.ts';
import { roundLocation } from './location.ts';
import type { Signals } from './signals.ts';

/**
 * An OpenRTB object of fixed shape: every field of the schema stands in it, undefined where it is
 * not sent, which JSON leaves out. A field added to a schema does not compile until it is decided
 * about here, so nothing new reaches a bidder by oversight.
 */
type Outgoing<Shape, NeverSent extends keyof Shape = never> = {
  readonly [Name in Exclude<keyof Shape, NeverSent>]-?: Shape[Name] | undefined;
};

/**
 * Never sent: `geo.lastfix` and `user.id`, which the spec does not map (sections 2.18, 2.19), and what
 * nobody has asked for.
 */
export type BidderGeo = Outgoing<Omit<Geo, 'ext'>, 'lastfix'>;
export type BidderDevice = Outgoing<Omit<Device, 'geo' | 'ext'>, 'ipv6'> & {
  readonly geo: BidderGeo | undefined;
};
export type BidderUser = Outgoing<Omit<User, 'geo' | 'ext'>, 'id'> & {
  readonly geo: BidderGeo | undefined;
};
export type BidderRegs = Outgoing<Omit<Regs, 'ext'>>;

/** What all partners with the same `Effects.key` get of a request's device and user. */
export interface PermittedIdentity {
  readonly device: BidderDevice;
  readonly user: BidderUser;
}

/** A request's device and user, enriched; `user.buyeruid` must be the partner's own or absent. */
export interface Identity {
  readonly device: Device;
  readonly user: User;
  /** They go to every partner as they came, and limit what goes with them. */
  readonly signals: Signals;
}

/**
 * Builds the device and the user as a partner may see them, leaving the originals as they are. A
 * user's id differs from partner to partner: leave `buyeruid` out, build once for each key, and add
 * it where `Effects.buyeruid` allows.
 */
export function applyEffects(identity: Identity, effects: Effects): PermittedIdentity {
  return {
    device: permittedDevice(identity.device, identity.signals, effects),
    user: permittedUser(identity.user, identity.signals, effects),
  };
}

/** The signals as they go on to every partner. */
export function regsOf(signals: Signals): BidderRegs {
  const { coppa, gdpr, usPrivacy, gpp, gppSid } = signals;
  return {
    coppa: coppa ?? undefined,
    gdpr: gdpr ?? undefined,
    us_privacy: usPrivacy ?? undefined,
    gpp: gpp ?? undefined,
    gpp_sid: gppSid === null ? undefined : [...gppSid],
  };
}

function permittedDevice(device: Device, signals: Signals, effects: Effects): BidderDevice {
  const { identifiers } = effects;
  return {
    ua: device.ua,
    sua: device.sua,
    geo: permittedGeo(device.geo, effects),
    dnt: signals.dnt ?? undefined,
    lmt: signals.lmt ?? undefined,
    ip: permittedIp(device.ip, effects),
    devicetype: device.devicetype,
    make: device.make,
    model: device.model,
    os: device.os,
    osv: device.osv,
    hwv: device.hwv,
    h: device.h,
    w: device.w,
    ppi: device.ppi,
    pxratio: device.pxratio,
    js: device.js,
    geofetch: device.geofetch,
    language: device.language,
    langb: device.langb,
    carrier: device.carrier,
    mccmnc: device.mccmnc,
    connectiontype: device.connectiontype,
    ifa: identifiers ? device.ifa : undefined,
    didsha1: identifiers ? device.didsha1 : undefined,
    didmd5: identifiers ? device.didmd5 : undefined,
    dpidsha1: identifiers ? device.dpidsha1 : undefined,
    dpidmd5: identifiers ? device.dpidmd5 : undefined,
  };
}

function permittedUser(user: User, { consent }: Signals, effects: Effects): BidderUser {
  const { identifiers, userDemographics } = effects;
  const buyeruid = identifiers && effects.buyeruid;
  return {
    buyeruid: buyeruid ? user.buyeruid : undefined,
    yob: userDemographics ? user.yob : undefined,
    gender: userDemographics ? user.gender : undefined,
    keywords: userDemographics ? user.keywords : undefined,
    kwarray: userDemographics ? user.kwarray : undefined,
    customdata: buyeruid ? user.customdata : undefined,
    geo: permittedGeo(user.geo, effects),
    data: identifiers && userDemographics ? user.data : undefined,
    eids: buyeruid ? user.eids : undefined,
    consent: consent ?? undefined,
  };
}

/** An IPv6 address has no place in the message that we speak, and an odd one is none. */
function permittedIp(ip: string | undefined, effects: Effects): string | undefined {
  if (ip === undefined) return undefined;
  const ipv4 = ipv4Of(ip);
  if (ipv4 === null) return undefined;
  const isWhole = effects.identifiers && effects.preciseLocation;
  return isWhole ? ipv4 : (truncateIp(ipv4) ?? undefined);
}

/** What describes coordinates goes with them, and an accuracy is no longer true of rounded ones. */
function permittedGeo(geo: Geo | undefined, effects: Effects): BidderGeo | undefined {
  if (geo === undefined) return undefined;
  const { coordinates, preciseLocation } = effects;
  return unlessEmpty({
    lat: permittedDegrees(geo.lat, effects),
    lon: permittedDegrees(geo.lon, effects),
    type: coordinates ? geo.type : undefined,
    accuracy: preciseLocation ? geo.accuracy : undefined,
    ipservice: coordinates ? geo.ipservice : undefined,
    country: geo.country,
    region: geo.region,
    regionfips104: geo.regionfips104,
    metro: coordinates ? geo.metro : undefined,
    city: coordinates ? geo.city : undefined,
    zip: preciseLocation ? geo.zip : undefined,
    utcoffset: geo.utcoffset,
  });
}

function permittedDegrees(degrees: number | undefined, effects: Effects): number | undefined {
  if (degrees === undefined || !effects.coordinates) return undefined;
  return effects.preciseLocation ? degrees : roundLocation(degrees);
}
