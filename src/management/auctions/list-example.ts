import type { ListedAuction } from './list-schema.ts';

/** An auction as a demand partner that has won it is listed it. */
export const LISTED_EXAMPLE: ListedAuction = {
  id: '019aa1b2c3d4e5f60718293a4b5c6d7e',
  at: '2026-11-20T12:00:00.000Z',
  test: false,
  publisher_id: 2001,
  publisher_name: null,
  property_id: 3001,
  property_name: null,
  app_bundle: 'com.planet.reader',
  app_site_domain: '',
  country: 'USA',
  platform: 'Android',
  os: 'Android',
  ad_spaces: [{ id: 4001, name: null, ad_format: 'banner', filled: null }],
  calls: [
    {
      demand_partner: { id: 1001, name: 'Acme DSP' },
      outcome: 'bid',
      reason: '',
      answered_after_ms: 23.4,
    },
  ],
  bids: [
    {
      demand_partner: { id: 1001, name: 'Acme DSP' },
      lineitem_id: 501,
      bid_cpm: 2.4,
      won: true,
      loss_reason: 0,
      loss_reason_text: 'The bid won.',
      clearing_cpm: 2.41,
    },
  ],
  sentence:
    'In the auction of 2026-11-20 12:00:00.000 UTC Acme DSP got 1 bid request, bid once, and won impression 1 at $2.41.',
};
