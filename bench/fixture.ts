/**
 * The fixed input of the bench: one configuration with three partners, one request of two
 * kilobytes for one banner. Changing it makes figures incomparable with earlier ones.
 */

/**
 * A configuration in which each port of this machine is one demand partner's bidder.
 *
 * @param publishers how many there are, each with one ad space.
 */
export function benchConfiguration(ports: readonly number[], publishers = 1): string {
  const partners = ports.map((port, index) => ({
    id: 1001 + index,
    name: `Stub ${index}`,
    status: 'ACTIVE',
    bidder: {
      endpoint: `http://127.0.0.1:${port}/bid`,
      openrtb_version: '2.5',
      timeout_ms: 500,
      send_bidfloor: true,
    },
    line_items: [{ id: 501 + index, name: 'All', seat: `stub-${index}`, floor: 0.05 }],
  }));
  // YAML takes JSON as it is.
  return JSON.stringify({
    exchange: {
      name: 'Bench',
      blocked_categories: ['IAB25', 'IAB26'],
      allow_private_addresses: ['127.0.0.0/8'],
    },
    demand_partners: partners,
    publishers: Array.from({ length: publishers }, (_, index) => benchPublisher(index)),
  });
}

/** With which the first publisher's reports are read. */
export const REPORT_TOKEN = 'bench-report-token';

function benchPublisher(index: number): object {
  const adSpace = {
    id: 4001 + index,
    name: 'Box',
    banner: { sizes: ['300x250'] },
    floor: 0.3,
  };
  return {
    id: 2001 + index,
    name: index === 0 ? 'Bench publisher' : `Bench publisher ${index}`,
    status: 'ACTIVE',
    ...(index === 0 ? { account_auth_token: REPORT_TOKEN } : {}),
    revenue_share: 0.8,
    blocked_advertisers: ['blocked-advertiser.example'],
    sites: [
      {
        id: 3001 + index,
        name: 'bench.example',
        domain: 'bench.example',
        categories: ['IAB12'],
        ad_spaces: [adSpace],
      },
    ],
  };
}

/** The time that the publisher's request gives. */
export const TMAX_MS = 400;

const KEYWORDS = Array.from({ length: 85 }, (_, index) => `keyword-${index}`).join(',');

/** A publisher's request as its server sends it, as one text of about two kilobytes. */
export const PUBLISHER_REQUEST = JSON.stringify({
  id: '7e1a5c3e-5d3c-4f8f-9d56-0b8f3c1f2a11',
  imp: [
    {
      id: '1',
      tagid: '4001',
      secure: 1,
      bidfloor: 0.25,
      bidfloorcur: 'USD',
      banner: {
        w: 300,
        h: 250,
        format: [{ w: 300, h: 250 }],
        pos: 1,
        api: [3, 5],
        battr: [1, 3, 8],
      },
    },
  ],
  site: {
    id: '3001',
    domain: 'bench.example',
    page: 'https://bench.example/news/2026/11/a-long-story-about-many-things?section=front&ref=home',
    ref: 'https://search.example/?q=many+things',
    cat: ['IAB12'],
    keywords: KEYWORDS,
    publisher: { id: '2001' },
  },
  device: {
    ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ip: '81.2.69.142',
    language: 'en',
    w: 1920,
    h: 1080,
    js: 1,
    dnt: 0,
    lmt: 0,
    connectiontype: 2,
    geo: { country: 'GBR', region: 'ENG', utcoffset: 0, type: 2 },
  },
  user: { yob: 1984, gender: 'F', keywords: 'news,politics,travel' },
  at: 2,
  tmax: TMAX_MS,
  cur: ['USD'],
  bcat: ['IAB7-39', 'IAB8-5', 'IAB8-18', 'IAB9-9', 'IAB14-1'],
  badv: ['competitor-one.example', 'competitor-two.example'],
  source: { fd: 0, tid: '0d4f7a2e-31a5-4b90-8f4f-6a5c8d9b7e10' },
  regs: { coppa: 0, ext: { gdpr: 0 } },
});

/** The same request of another publisher of {@link benchConfiguration}. */
export function requestOf(publisher: number): string {
  return PUBLISHER_REQUEST.replace('"4001"', `"${4001 + publisher}"`)
    .replace('"3001"', `"${3001 + publisher}"`)
    .replace('"2001"', `"${2001 + publisher}"`);
}
