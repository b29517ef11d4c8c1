/** Documents for the tests of this folder: one constructor for each, changed by what it is given. */

type Json = Record<string, unknown>;

/** An incoming banner request from an app, about 2 KB as a publisher's server writes it. */
export function incomingRequest(changes: Json = {}) {
  return {
    id: '3f0c2a6e-7d0f-4b53-9f3a-0a2f4b7f6c11',
    imp: [incomingImp()],
    app: {
      id: '3001',
      name: 'Planet Reader',
      bundle: 'com.planet.reader',
      domain: 'planet.example',
      storeurl: 'https://store.example/apps/details?id=com.planet.reader',
      cat: ['IAB12', 'IAB12-1'],
      ver: '5.14.2',
      privacypolicy: 1,
      paid: 0,
      publisher: { id: '2001', name: 'Daily Planet', domain: 'planet.example', cat: ['IAB12'] },
      content: {
        id: 'article-88213',
        title: 'Harbour reopens after the storm',
        url: 'https://planet.example/news/harbour-reopens-after-the-storm',
        context: '5',
        language: 'en',
        keywords: 'harbour,storm,shipping,city',
      },
      keywords: 'news,local,weather',
    },
    device: {
      ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
      ip: '192.0.2.44',
      ifa: 'b1c1a2e0-6f1f-4d43-8f02-5f2a7f7f9c0d',
      devicetype: 4,
      make: 'Google',
      model: 'Pixel 8',
      os: 'Android',
      osv: '14',
      hwv: '8',
      w: 1080,
      h: 2400,
      pxratio: 2.625,
      js: 1,
      language: 'en',
      carrier: 'Example Wireless',
      connectiontype: 6,
      lmt: 0,
      dnt: 0,
      geo: {
        lat: 40.7128,
        lon: -74.006,
        type: 1,
        accuracy: 20,
        country: 'USA',
        region: 'NY',
        zip: '10007',
        utcoffset: -240,
      },
    },
    user: {
      id: 'reader-5512',
      yob: 1987,
      gender: 'F',
      keywords: 'sailing,cooking',
      geo: { country: 'USA', region: 'NY' },
      data: [{ id: '7', name: 'planet', segment: [{ id: 's1', name: 'sports', value: '1' }] }],
      ext: { consent: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA' },
    },
    test: 0,
    at: 2,
    tmax: 300,
    cur: ['USD'],
    bcat: ['IAB25', 'IAB26', 'IAB7-39', 'IAB8-5', 'IAB8-18', 'IAB9-9'],
    badv: ['blocked-advertiser.example', 'rival-paper.example', 'casino.example'],
    source: {
      fd: 0,
      tid: '9a3f9a55-4c7e-45c5-8d5e-7b7a9f6f6f10',
      ext: {
        schain: { ver: '1.0', complete: 1, nodes: [{ asi: 'planet.example', sid: '2001', hp: 1 }] },
      },
    },
    regs: { coppa: 0, ext: { gdpr: 0, us_privacy: '1YNN' } },
    ...changes,
  };
}

/** An impression for a banner. */
export function incomingImp(changes: Json = {}): Json {
  return {
    id: '1',
    tagid: '4001',
    banner: {
      w: 320,
      h: 50,
      format: [{ w: 320, h: 50 }],
      pos: 1,
      api: [3, 5],
      battr: [8, 14],
      mimes: ['image/png', 'text/html'],
    },
    displaymanager: 'planet-sdk',
    displaymanagerver: '3.2.1',
    instl: 0,
    bidfloor: 0.25,
    bidfloorcur: 'USD',
    secure: 1,
    ...changes,
  };
}

/** A response of one seat with two bids, about 2 KB. */
export function bidResponse(
  bids: readonly unknown[] = [bid({ id: 'b-1' }), bid({ id: 'b-2' })],
): Json {
  return {
    id: '3f0c2a6e-7d0f-4b53-9f3a-0a2f4b7f6c11',
    bidid: 'answer-1',
    cur: 'USD',
    seatbid: [{ seat: 'acme-1', group: 0, bid: bids }],
  };
}

/** A banner bid with markup and notices. */
export function bid(changes: Json = {}): Json {
  const notice = 'https://bidder.example/notice?auction=${AUCTION_ID}&imp=${AUCTION_IMP_ID}';
  return {
    id: 'b-1',
    impid: '1',
    price: 1.25,
    adid: 'ad-77',
    nurl: `${notice}&kind=win&price=\${AUCTION_PRICE}`,
    burl: `${notice}&kind=billing&price=\${AUCTION_PRICE}`,
    lurl: `${notice}&kind=loss&reason=\${AUCTION_LOSS}`,
    adm: '<a href="https://advertiser.example/landing?from=${AUCTION_ID}"><img src="https://cdn.bidder.example/creative/77/320x50.png" width="320" height="50" alt="Shoes for sailors"></a><img src="https://bidder.example/seen?auction=${AUCTION_ID}" width="1" height="1">',
    adomain: ['advertiser.example'],
    iurl: 'https://cdn.bidder.example/creative/77/sample.png',
    cid: 'campaign-9',
    crid: 'creative-77',
    cat: ['IAB18'],
    attr: [12],
    w: 320,
    h: 50,
    ...changes,
  };
}

/** A native ad that answers the native request of the outgoing fixtures. */
export function nativeAd(changes: Json = {}): Json {
  return {
    link: { url: 'https://advertiser.example/' },
    imptrackers: ['https://bidder.example/seen'],
    assets: [
      { id: 1, title: { text: 'Shoes for sailors' } },
      { id: 2, img: { url: 'https://cdn.bidder.example/icon.png', w: 80, h: 80 } },
      { id: 3, img: { url: 'https://cdn.bidder.example/shoes.png', w: 1200, h: 627 } },
      { id: 4, data: { value: 'They float.' } },
    ],
    ...changes,
  };
}
