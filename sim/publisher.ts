import type { BidRequest } from '../src/openrtb/bid-request.ts';
import type { AdSpace, Catalogue } from './catalogue.ts';
import { consentString } from './consent.ts';
import { DEVICES, inApp, type Device } from './devices.ts';
import { createImp } from './imps.ts';
import { PLACES, type Place } from './places.ts';
import { createRandom, type Random } from './random.ts';

/** An endless stream of ad requests. */
export interface Traffic {
  /** The next OpenRTB 2.5 request, as a publisher's server sends it to the exchange. */
  next(): BidRequest;
}

/** Whose requests to make, and from which seed. */
export interface TrafficOptions {
  readonly catalogue: Pick<Catalogue, 'adSpaces'>;
  readonly seed: string | number;
  /** The share of requests in which the publisher decides (`source.fd` = 1); none by default. */
  readonly decidesRate?: number;
}

/**
 * Makes the requests of a catalogue's publishers. The n-th request of a seed is always the same.
 * Throws a RangeError when the catalogue has no ad space.
 */
export function createTraffic({ catalogue, seed, decidesRate = 0 }: TrafficOptions): Traffic {
  const { adSpaces } = catalogue;
  if (adSpaces.length === 0) throw new RangeError('the catalogue has no ad space to ask for');
  const root = createRandom(seed);
  let sequence = 0;
  return {
    next() {
      sequence += 1;
      const random = root.fork(sequence);
      // A stream of its own: who decides changes nothing of what is asked.
      const fd = random.fork('fd').chance(decidesRate) ? 1 : 0;
      return requestFor(random.pick(adSpaces), fd, random);
    },
  };
}

function requestFor(adSpace: AdSpace, fd: 0 | 1, random: Random): BidRequest {
  const { medium } = adSpace;
  const place = random.weighted(WEIGHTED_PLACES);
  const device = random.weighted(devicesOf(adSpace));
  const limited = random.chance(0.2);
  return {
    id: random.hex(32),
    imp: [createImp(adSpace, random)],
    ...(medium.kind === 'app' ? { app: appOf(adSpace, medium) } : {}),
    ...(medium.kind === 'site' ? { site: siteOf(adSpace, medium, random) } : {}),
    device: deviceOf({ device, place, limited, app: medium.kind === 'app' }, random),
    ...userAndRegs(place, random),
    tmax: random.pick([200, 250, 300, 500]),
    cur: ['USD'],
    source: { fd, tid: random.hex(32) },
  };
}

const WEIGHTED_PLACES = PLACES.map((place) => [place, place.weight] as const);
const WEIGHTED_DEVICES = DEVICES.map((device) => [device, device.weight] as const);
const HANDHELDS = WEIGHTED_DEVICES.filter(([{ os }]) => os === 'Android' || os === 'iOS');

/** The devices on which an ad space can be seen, weighted: an app runs on its platform alone. */
function devicesOf({ medium }: AdSpace): typeof WEIGHTED_DEVICES {
  if (medium.kind === 'site') return WEIGHTED_DEVICES;
  const platform = medium.platform.toLowerCase();
  const own = WEIGHTED_DEVICES.filter(([{ os }]) => os.toLowerCase() === platform);
  return own.length > 0 ? own : HANDHELDS;
}

type App = Extract<AdSpace['medium'], { kind: 'app' }>;
type Site = Extract<AdSpace['medium'], { kind: 'site' }>;

function appOf({ publisherId }: AdSpace, app: App): NonNullable<BidRequest['app']> {
  return {
    id: app.id,
    name: app.name,
    bundle: app.bundle,
    ...(app.storeurl === undefined ? {} : { storeurl: app.storeurl }),
    ...(app.categories.length > 0 ? { cat: [...app.categories] } : {}),
    ver: '5.2.0',
    publisher: { id: publisherId },
  };
}

const SECTIONS = ['news', 'sports', 'business', 'culture', 'travel'];

function siteOf(
  { publisherId }: AdSpace,
  site: Site,
  random: Random,
): NonNullable<BidRequest['site']> {
  const page = `https://${site.domain}/${random.pick(SECTIONS)}/story-${random.integer(1, 5000)}`;
  return {
    id: site.id,
    name: site.name,
    domain: site.domain,
    page,
    ...(random.chance(0.4) ? { ref: 'https://www.google.com/' } : {}),
    ...(site.categories.length > 0 ? { cat: [...site.categories] } : {}),
    publisher: { id: publisherId },
  };
}

interface UserAgent {
  readonly device: Device;
  readonly place: Place;
  /** Whether the user has limited ad tracking. */
  readonly limited: boolean;
  readonly app: boolean;
}

function deviceOf(agent: UserAgent, random: Random): NonNullable<BidRequest['device']> {
  const { device, place, limited, app } = agent;
  const { ua, os, osv, make, model, devicetype, w, h } = device;
  const mobile = os === 'iOS' || os === 'Android';
  const geo = geoOf(place, app && !limited, random);
  const common = {
    ip: ipOf(place, random),
    language: random.chance(0.85) ? (place.languages[0] ?? 'en') : random.pick(place.languages),
    // OpenRTB list 5.22: mostly WIFI and 4G on the move, a wire or WIFI at a service.
    connectiontype: mobile
      ? random.weighted([
          [2, 60],
          [6, 32],
          [5, 6],
          [0, 2],
        ] as const)
      : random.weighted([
          [1, 50],
          [2, 40],
          [0, 10],
        ] as const),
    lmt: limited ? 1 : 0,
    dnt: limited ? 1 : 0,
    ...(geo === undefined ? {} : { geo }),
  };
  // A page knows no more than its user agent; an app's SDK knows the device that it runs on.
  if (!app) return { ...common, ua, js: 1 };
  // Both platforms zero the advertising id of a user who limits tracking.
  const ifa = limited ? '00000000-0000-0000-0000-000000000000' : uuid(random);
  return { ...common, ua: inApp(device), os, osv, make, model, devicetype, w, h, ifa };
}

/** Mostly nothing, so that the exchange has to find the country by the address. */
function geoOf(place: Place, locates: boolean, random: Random) {
  const located = locates && random.chance(0.15);
  const named = random.chance(0.1);
  const [lat, lon] = random.pick(place.cities);
  const spread = () => random.next() * 0.2 - 0.1;
  const position = { lat: degrees(lat + spread()), lon: degrees(lon + spread()) };
  if (!located && !named) return undefined;
  return {
    ...(located ? { ...position, type: 1, accuracy: random.integer(5, 100) } : {}),
    ...(named ? { country: place.country } : {}),
  };
}

function degrees(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function ipOf({ ipPrefixes }: Place, random: Random): string {
  return `${random.pick(ipPrefixes)}.${random.integer(0, 255)}.${random.integer(1, 254)}`;
}

/** A random UUID (RFC 9562, version 4). */
function uuid(random: Random): string {
  const variant = random.pick(['8', '9', 'a', 'b']);
  const [a, b, c, d, e] = [8, 4, 3, 3, 12].map((digits) => random.hex(digits));
  return `${a}-${b}-4${c}-${variant}${d}-${e}`;
}

const PURPOSES = Array.from({ length: 11 }, (_, index) => index + 1);

/** What users have agreed to, and how many of them; a vendor id above the real list is allowed. */
const CONSENTS: readonly (readonly [consent: string, weight: number])[] = [
  [consentString({ purposes: PURPOSES, specialFeatures: [1], vendorIdMax: 10_000 }), 76],
  [consentString({ purposes: PURPOSES, specialFeatures: [], vendorIdMax: 10_000 }), 8],
  [consentString({ purposes: [1], specialFeatures: [], vendorIdMax: 10_000 }), 5],
  [consentString({ purposes: [], specialFeatures: [], vendorIdMax: 0 }), 8],
  ['unreadable', 1],
  ['', 2],
];

/** What is known of the user and which rules protect it; what is empty is left out. */
function userAndRegs(place: Place, random: Random): Pick<BidRequest, 'user' | 'regs'> {
  const consent = random.weighted(CONSENTS);
  const age = { yob: random.integer(1950, 2008), gender: random.pick(['F', 'M']) };
  const optsOut = random.chance(0.1);
  const user = {
    ...(random.chance(0.2) ? age : {}),
    ...(place.privacy === 'gdpr' && consent !== '' ? { ext: { consent } } : {}),
  };
  const regs = {
    ...(random.chance(0.01) ? { coppa: 1 } : {}),
    ...(place.privacy === 'gdpr' ? { ext: { gdpr: 1 } } : {}),
    // IAB's US privacy string: notice given, and whether the user has opted out of sale.
    ...(place.privacy === 'us' ? { ext: { us_privacy: optsOut ? '1YYN' : '1YNN' } } : {}),
  };
  return {
    ...(Object.keys(user).length > 0 ? { user } : {}),
    ...(Object.keys(regs).length > 0 ? { regs } : {}),
  };
}
