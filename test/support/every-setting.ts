const PLAYER = {
  w: 640,
  h: 360,
  skip: 1,
  skipmin: 15,
  skipafter: 5,
  startdelay: 0,
  placement: 1,
  maxextended: 30,
  boxingallowed: 1,
  playbackmethod: [1],
  playbackend: 1,
  delivery: [2],
  api: [2],
  companionad: ['300x250'],
  companiontype: [1],
  vcm: 1,
  outstream: true,
};
const ASSETS = {
  title: 90,
  icon_min: '50x50',
  image: '1200x627',
  image_mimes: ['image/png'],
  description: 140,
  cta: 15,
  rating: true,
  context: 1,
  contextsubtype: 11,
};

/** Every setting that shows in a bid request, on top of the example; 2.2 is asked for all of it. */
export const EVERY_SETTING = {
  exchange: { domain: 'exchange.example', payment_id: 'pay-1' },
  demand_partners: [
    { id: 1001, bidder: { send_viewability: true, mimes: ['image/png', 'video/mp4'] } },
    {
      id: 1002,
      bidder: { native_in_ext: true },
      line_items: [{ id: 502, targeting: {} }],
    },
  ],
  publishers: [
    {
      id: 2001,
      domain: 'publisher.example',
      categories: ['IAB1'],
      apps: [
        {
          id: 3001,
          domain: 'planet.example',
          languages: ['en'],
          ad_spaces: [
            {
              id: 4001,
              banner: { sizes: ['320x50'], api: [3] },
              pos: 1,
              interstitial: true,
              viewability: 0.5,
              exp: 60,
              iframebusters: ['buster'],
            },
            { id: 4002, video: PLAYER, pos: 7 },
            { id: 4003, native: ASSETS },
          ],
        },
      ],
    },
  ],
  deals: [
    { id: 'planet-acme-1', advertisers: ['shop.example'] },
    {
      id: 'bolt',
      name: 'Bolt',
      ad_spaces: [4001],
      seats: ['bolt-1'],
      price: 1,
      type: 'fixed_price',
      advertisers: ['a.example'],
    },
  ],
};

const [first, ...others] = EVERY_SETTING.demand_partners;

/** The same, and the bidder that gets most of it speaks 2.6. */
export const EVERY_SETTING_26 = {
  ...EVERY_SETTING,
  demand_partners: [{ ...first, bidder: { ...first?.bidder, openrtb_version: '2.6' } }, ...others],
};
