import assert from 'node:assert/strict';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import { consentString } from '../../sim/consent.ts';

/**
 * What Prebid's OpenRTB clients send and what they make of an answer, in our own words: the requests
 * of Prebid.js' OpenRTB converter and of Prebid Server's `generic` bidder, and the checks which a bid
 * has to pass in each before it takes part.
 */

/** Vendors up to it have consent: both partners of the example. */
const VENDOR_ID_MAX = 10_000;

const CONSENT = consentString({
  purposes: [1, 2, 3, 4, 7, 9, 10],
  specialFeatures: [1],
  vendorIdMax: VENDOR_ID_MAX,
});
/** The same in the EU's section of a GPP string. */
export const GPP = `DBABMA~${CONSENT}`;

export const DESKTOP_UA =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

export interface PrebidImp {
  readonly id: string;
  readonly tagid: string;
  readonly banner?: object;
  readonly video?: object;
  readonly native?: { readonly request: string; readonly ver: string };
}

export interface PrebidRequest {
  readonly imp: readonly PrebidImp[];
  readonly [field: string]: unknown;
}

/** An ad unit's impression of each kind, as the converter fills it, with the ad spaces of the test. */
export const IMPS = {
  banner: {
    id: '2f4a3b1c5d6e7f',
    tagid: '4004',
    banner: {
      topframe: 1,
      pos: 1,
      format: [
        { w: 970, h: 250 },
        { w: 300, h: 250 },
      ],
    },
  },
  video: {
    id: '3c5b4a2d6e7f80',
    tagid: '4006',
    video: {
      context: 'instream',
      w: 640,
      h: 360,
      mimes: ['video/mp4'],
      protocols: [2, 3, 5, 6, 7, 8],
      plcmt: 1,
      placement: 1,
      playbackmethod: [2],
      minduration: 5,
      maxduration: 30,
      api: [2],
      linearity: 1,
    },
  },
  native: {
    id: '4d6c5b3e7f8091',
    tagid: '4007',
    native: {
      request: JSON.stringify({
        ver: '1.2',
        assets: [
          { id: 1, required: 1, title: { len: 90 } },
          { id: 3, required: 1, img: { type: 3, w: 1200, h: 627 } },
        ],
        eventtrackers: [{ event: 1, methods: [1] }],
      }),
      ver: '1.2',
    },
  },
} as const satisfies Record<string, PrebidImp>;

/** As Prebid.js sends it from a page of the example's site, modules for consent and ids included. */
export function prebidJsRequest(
  imps: readonly PrebidImp[],
  differs: Readonly<Record<string, unknown>> = {},
): PrebidRequest {
  return {
    imp: imps.map((imp) => ({
      ...imp,
      secure: 1,
      bidfloor: 0.1,
      bidfloorcur: 'USD',
      ext: {
        gpid: `/1111/home#${imp.id}`,
        tid: '0c1b4ff2-4d0a-4b40-93c1-8d2f7f6c6f1a',
        data: { adserver: { name: 'gam', adslot: '/1111/home' }, pbadslot: `/1111/home#${imp.id}` },
      },
    })),
    site: {
      domain: 'planet.example',
      page: 'https://planet.example/front?x=1',
      ref: 'https://search.example/',
      publisher: { domain: 'planet.example' },
      ext: { data: { documentLang: 'en' } },
    },
    device: {
      w: 1920,
      h: 1080,
      dnt: 0,
      ua: DESKTOP_UA,
      language: 'en',
      ext: { vpw: 1200, vph: 900 },
      sua: { source: 2, platform: { brand: 'Windows', version: ['15', '0', '0'] }, mobile: 0 },
    },
    user: {
      data: [{ name: 'data.example', ext: { segtax: 4 }, segment: [{ id: '1' }] }],
      ext: {
        consent: CONSENT,
        eids: [{ source: 'id.example', uids: [{ id: 'abc', atype: 3 }] }],
      },
    },
    regs: { coppa: 0, ext: { gdpr: 1 }, gpp: GPP, gpp_sid: [2] },
    source: {
      tid: 'b6f3f8c1-5d26-4a55-8c36-0d9f5bb5c0b8',
      fd: 1,
      ext: {
        schain: {
          ver: '1.0',
          complete: 1,
          nodes: [{ asi: 'planet.example', sid: '1234', hp: 1 }],
        },
      },
    },
    id: '5b5f1c5e-1d58-4d8c-9b1a-4e5c2a31a6a4',
    test: 0,
    tmax: 5_000,
    cur: ['USD'],
    ext: { prebid: { channel: { name: 'pbjs', version: 'v9.20.0' } } },
    ...differs,
  };
}

/**
 * As Prebid Server's `generic` bidder sends it: the page's address and user agent stand in the body,
 * the parameters of the ad unit in `imp.ext.bidder`, and privacy where OpenRTB 2.6 has it, unless the
 * host brings it down to 2.5.
 */
export function prebidServerRequest(
  imps: readonly PrebidImp[],
  differs: Readonly<Record<string, unknown>> = {},
): PrebidRequest {
  const { device, user: _user, regs: _regs, source, ...request } = prebidJsRequest(imps);
  return {
    ...request,
    imp: imps.map((imp) => ({
      ...imp,
      secure: 1,
      rwdd: 0,
      ext: {
        bidder: { adSpace: imp.tagid },
        gpid: '/1111/home',
        prebid: { is_rewarded_inventory: 0 },
      },
    })),
    device: { ...Object(device), ip: '8.8.8.8' },
    user: {
      buyeruid: 'pbs-user',
      consent: CONSENT,
      eids: [{ source: 'id.example', uids: [{ id: 'abc', atype: 3 }] }],
    },
    regs: { coppa: 0, gdpr: 1, gpp: GPP, gpp_sid: [2] },
    source: {
      ...Object(source),
      ext: undefined,
      schain: { ver: '1.0', complete: 1, nodes: [{ asi: 'planet.example', sid: '1234', hp: 1 }] },
    },
    ext: { prebid: { server: { externalurl: 'https://pbs.example', gvlid: 1, datacenter: 'eu' } } },
    ...differs,
  };
}

/** What Prebid.js auctions off, as far as it decides whether a bid is taken. */
export interface PrebidBid {
  readonly requestId: string;
  readonly mediaType: 'banner' | 'video' | 'native';
  readonly cpm: number;
  readonly currency: string;
  readonly ttl: number;
  readonly creativeId: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly markup: string;
  readonly burl: string;
  readonly nurl: string | undefined;
  readonly dealId: string | undefined;
}

/** `bid.mtype` to Prebid's names: the converter drops a bid without one. */
const MEDIA_TYPES: ReadonlyMap<unknown, PrebidBid['mediaType']> = new Map([
  [1, 'banner'],
  [2, 'video'],
  [4, 'native'],
]);

/** Reads an answer as Prebid.js does, and fails where it would drop a bid. */
export function readAsPrebidJs(request: PrebidRequest, text: string): PrebidBid[] {
  const response: BidResponse = JSON.parse(text);
  assert.equal(response.id, request['id']);
  const { cur } = response;
  const bids = (response.seatbid ?? []).flatMap(({ bid }) => bid);
  return bids.map((bid) => {
    const imp = request.imp.find(({ id }) => id === bid.impid);
    assert.ok(imp !== undefined, 'a bid for another impression');
    const mediaType = MEDIA_TYPES.get(Reflect.get(bid, 'mtype'));
    assert.ok(mediaType !== undefined && imp[mediaType] !== undefined, 'cannot tell what it is');
    assert.ok(bid.price > 0 && cur !== undefined && (bid.exp ?? 0) > 0);
    assert.ok(bid.crid !== undefined && bid.adm !== undefined && bid.burl !== undefined);
    if (mediaType === 'banner') assert.ok((bid.w ?? 0) > 0 && (bid.h ?? 0) > 0, 'a size');
    return {
      requestId: imp.id,
      mediaType,
      cpm: bid.price,
      currency: cur,
      ttl: bid.exp ?? 0,
      creativeId: bid.crid,
      width: bid.w,
      height: bid.h,
      markup: bid.adm,
      burl: bid.burl,
      nurl: bid.nurl,
      dealId: bid.dealid,
    };
  });
}

/** Checks an answer as Prebid Server does before it takes a bid into its auction. */
export function assertPrebidServerTakes(request: PrebidRequest, text: string): void {
  const { seatbid = [], cur = 'USD' }: BidResponse = JSON.parse(text);
  const ids = new Set(request.imp.map(({ id }) => id));
  assert.equal(cur, 'USD', 'one of those that it asked for');
  for (const bid of seatbid.flatMap((seat) => seat.bid)) {
    assert.ok(bid.id.length > 0 && ids.has(bid.impid) && bid.price > 0, JSON.stringify(bid));
    assert.ok(bid.crid !== undefined && bid.crid.length > 0, 'a bid needs a creative id');
    assert.ok(bid.adm !== undefined, 'and markup');
  }
}
