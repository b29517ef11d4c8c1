/** Documents that the exchange sends, for the tests: one constructor for each. */

type Json = Record<string, unknown>;

/** A bid request as the exchange sends it: app, banner with a fixed-price and a floor deal. */
export function outgoingRequest(changes: Json = {}): Json {
  return {
    id: 'a8Xk2mQ9',
    imp: [outgoingImp()],
    app: {
      id: '3001',
      name: '',
      bundle: 'com.planet.reader',
      cat: ['IAB12'],
      publisher: { id: '2001', name: '' },
      content: { context: '5', language: 'en' },
    },
    device: {
      ua: 'Mozilla/5.0 (Linux; Android 14)',
      ip: '192.0.2.44',
      geo: {
        lat: 40.7,
        lon: -74,
        type: 1,
        accuracy: 20,
        country: 'USA',
        region: 'NY',
        city: 'USNYC',
      },
      devicetype: 4,
      js: 1,
      language: 'en',
      dpidsha1: '356a192b7913b04c54574d18c28d46e6395428ab',
    },
    user: { buyeruid: 'buyer-1', gender: 'F', ext: { consent: 'CPXxRfAPXxRfAAfKABENB' } },
    at: 2,
    tmax: 180,
    wseat: ['acme-1'],
    allimps: 0,
    cur: ['USD'],
    bcat: ['IAB25'],
    source: {
      fd: 0,
      ext: {
        schain: { ver: '1.0', complete: 1, nodes: [{ asi: 'rialto.example', sid: '2001', hp: 1 }] },
      },
    },
    regs: { coppa: 0, ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7] } },
    ...changes,
  };
}

/** An impression for a banner, as the exchange sends it. */
export function outgoingImp(changes: Json = {}): Json {
  return {
    id: '1',
    tagid: '4001',
    metric: [{ type: 'viewability', value: 0.7, vendor: 'EXCHANGE' }],
    banner: { w: 320, h: 50, format: [{ w: 320, h: 50 }], pos: 1, api: [5], battr: [8] },
    pmp: {
      private_auction: 1,
      deals: [
        { id: 'fixed', at: 3, bidfloor: 3, bidfloorcur: 'USD', wseat: ['acme-1'] },
        { id: 'floor', at: 2, bidfloor: 1 },
      ],
    },
    displaymanagerver: '',
    instl: 0,
    bidfloor: 0.25,
    bidfloorcur: 'USD',
    secure: 1,
    ...changes,
  };
}

/** A video as the exchange sends it. */
export function outgoingVideo(changes: Json = {}): Json {
  return {
    mimes: ['video/mp4'],
    minduration: 5,
    maxduration: 60,
    protocols: [2, 5, 3, 6],
    w: 640,
    h: 360,
    startdelay: -1,
    linearity: 1,
    minbitrate: 250,
    maxbitrate: 4000,
    companionad: [{ id: 'c1', w: 300, h: 250, vcm: 1 }],
    ext: { rewarded: 1 },
    ...changes,
  };
}

/** A bid request of version 2.2: site, banner and video, native in its extension. */
export function outgoingRequest22(changes: Json = {}): Json {
  return {
    id: 'a8Xk2mQ9',
    imp: [outgoingImp22()],
    site: { id: '3002', name: 'Front page box', page: 'https://planet.example/' },
    device: {
      ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
      ip: '192.0.2.44',
      geo: { lat: 40.7, lon: -74, type: 1, country: 'USA' },
      dnt: 0,
      js: 1,
    },
    user: { gender: 'F', geo: { country: 'USA' }, ext: { consent: 'CPXxRfAPXxRfAAfKABENB' } },
    at: 2,
    tmax: 180,
    wseat: ['bolt-1'],
    allimps: 0,
    cur: ['USD'],
    badv: ['blocked-advertiser.example'],
    regs: { coppa: 0, ext: { gdpr: 0 } },
    ...changes,
  };
}

/** An impression for a banner, a video or a native ad in version 2.2. */
export function outgoingImp22(changes: Json = {}): Json {
  const { companionad: _c, ...video } = outgoingVideo();
  return {
    id: '1',
    tagid: '4001',
    banner: { w: 320, h: 50, wmax: 320, hmax: 100, pos: 1, battr: [8] },
    video: { ...video, deliver: [1], companionad: [{ id: 'c1', w: 300, h: 250 }] },
    displaymanagerver: '',
    instl: 0,
    bidfloor: 0.1,
    bidfloorcur: 'USD',
    secure: 1,
    ext: { native: { request: JSON.stringify(nativeRequest()), ver: '1.1' } },
    ...changes,
  };
}

/** A native request, the payload of `native.request`, before it becomes text. */
export function nativeRequest(changes: Json = {}): Json {
  return {
    ver: '1.1',
    context: 1,
    plcmttype: 1,
    plcmtcnt: 1,
    seq: 0,
    assets: [
      { id: 1, required: 1, title: { len: 90 } },
      { id: 2, required: 1, img: { type: 1, w: 80, h: 80 } },
      { id: 3, required: 1, img: { type: 3, wmin: 1200, hmin: 627 } },
      { id: 4, required: 1, data: { type: 2, len: 140 } },
    ],
    ...changes,
  };
}
