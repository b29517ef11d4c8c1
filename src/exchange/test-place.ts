import { alpha3FromAlpha2 } from '../resources/country-codes.ts';
import type { IncomingImp, IncomingRequest } from '../openrtb/incoming-request.ts';
import type { AdSpace, Entity, Format, Property, Publisher } from '../snapshot/entities.ts';
import { AD_SPACE } from '../resources/ad-space.ts';
import { VIDEO_DEFAULTS, type NativeSettings, type Size } from '../resources/formats.ts';
import { APP_FIELDS } from '../resources/property.ts';
import { PUBLISHER } from '../resources/publisher.ts';

/** What a test request offers. */
export interface TestWish {
  readonly format: Format;
  /** Null is the size that is usual there. */
  readonly size: Size | null;
  readonly environment: 'app' | 'site';
  readonly interstitial: boolean;
  /** Where the device is, ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** No id of the configuration is 0: what is made up here is nobody's. */
const MADE_UP_ID = 0;
const DOMAIN = 'rialto-test.example';
const BANNER_SIZES = { app: { w: 320, h: 50 }, site: { w: 300, h: 250 } };
const INTERSTITIAL_SIZE: Size = { w: 320, h: 480 };
const VIDEO_SIZE: Size = { w: 640, h: 360 };
/** VAST 2.0 and 3.0, with their wrappers. */
const VAST = [2, 3, 5, 6];

/** A publisher with an app or site and an ad space that exist nowhere, and are named so. */
export function testPlace(wish: TestWish): readonly Entity[] {
  return [TEST_PUBLISHER, propertyOf(wish), adSpaceOf(wish)];
}

/** What a publisher's server would ask for that place. */
export function testRequest(wish: TestWish): IncomingRequest {
  const { environment, country } = wish;
  const geo = { type: 2, country: alpha3FromAlpha2(country) ?? 'USA' } as const;
  return {
    id: 'rialto-test',
    test: 1,
    imp: [impOf(wish)],
    ...(environment === 'app' ? { app: {} } : { site: { page: `https://${DOMAIN}/` } }),
    device: { ...DEVICES[environment], ip: TEST_ADDRESS, language: 'en', connectiontype: 2, geo },
  };
}

/** Of the network that documents may use (RFC 5737): nobody's. */
const TEST_ADDRESS = '203.0.113.7';

const DEVICES = {
  app: {
    ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36',
    os: 'Android',
    osv: '14',
    make: 'Google',
    model: 'Pixel 8',
    devicetype: 4,
    ifa: '00000000-0000-4000-8000-000000000000',
  },
  site: {
    ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    os: 'Windows',
    osv: '10',
    devicetype: 2,
  },
} as const;

function impOf({ format, interstitial, size }: TestWish): IncomingImp {
  const imp = {
    id: '1',
    tagid: String(MADE_UP_ID),
    ...(interstitial ? { instl: 1 as const } : {}),
  };
  if (format === 'native') return { ...imp, native: {} };
  if (format === 'video') return { ...imp, video: { protocols: VAST } };
  return { ...imp, banner: size === null ? {} : { ...size } };
}

const TEST_PUBLISHER: Publisher = {
  kind: 'publisher',
  id: MADE_UP_ID,
  ...PUBLISHER.entity(PUBLISHER.initial),
  name: 'Rialto test publisher',
  revenueShareBps: 10_000,
  priceBasis: 'gross',
  invalidTraffic: 'ignore',
  domain: DOMAIN,
};

function propertyOf({ environment }: TestWish): Property {
  const isApp = environment === 'app';
  return {
    kind: 'property',
    id: MADE_UP_ID,
    publisherId: MADE_UP_ID,
    type: environment,
    ...APP_FIELDS.entity(APP_FIELDS.initial),
    name: isApp ? 'Rialto test app' : 'Rialto test site',
    bundle: isApp ? 'example.rialto.test' : null,
    domain: DOMAIN,
    platform: isApp ? 'Android' : null,
    categories: ['IAB1'],
  };
}

function adSpaceOf(wish: TestWish): AdSpace {
  const { format, interstitial, environment } = wish;
  const size = wish.size ?? (interstitial ? INTERSTITIAL_SIZE : BANNER_SIZES[environment]);
  return {
    kind: 'adSpace',
    id: MADE_UP_ID,
    propertyId: MADE_UP_ID,
    ...AD_SPACE.entity(AD_SPACE.initial),
    name: 'Rialto test ad space',
    banner: format === 'banner' ? { sizes: [size], api: [] } : null,
    video: format === 'video' ? { ...VIDEO_DEFAULTS, ...(wish.size ?? VIDEO_SIZE) } : null,
    native: format === 'native' ? NATIVE : null,
    floorMicros: 10_000,
    interstitial,
  };
}

const NATIVE: NativeSettings = {
  title: 90,
  icon: { w: 80, h: 80, isMinimum: true, mimes: [] },
  image: { w: 300, h: 157, isMinimum: true, mimes: [] },
  description: 140,
  cta: 15,
  rating: false,
  context: null,
  contextsubtype: null,
};
