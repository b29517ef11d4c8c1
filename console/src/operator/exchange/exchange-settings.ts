import type { SettingGroup } from '../../parts/forms/setting.ts';

const REQUIRED_FIELDS = ['adomain', 'cat', 'crid', 'iurl'].map((value) => ({
  value,
  label: value,
}));

/** All keys of the exchange's own settings. */
export const exchangeSettings: readonly SettingGroup[] = [
  {
    title: 'Exchange',
    settings: [
      { key: 'name', label: 'Name', kind: 'text', isRequired: true },
      {
        key: 'domain',
        label: 'Domain',
        help: 'The domain of your sellers.json. Your node is appended to the supply chain with it; without it a chain that came is passed on as incomplete.',
        kind: 'text',
      },
      {
        key: 'payment_id',
        label: 'Payment id',
        help: 'Your node in source.pchain.',
        kind: 'text',
      },
      {
        key: 'tag_id',
        label: 'Certification authority id',
        help: 'Your TAG id, the last field of your lines in ads.txt.',
        kind: 'text',
      },
      { key: 'contact_email', label: 'Contact e-mail', help: 'In sellers.json.', kind: 'text' },
      { key: 'contact_address', label: 'Contact address', help: 'In sellers.json.', kind: 'text' },
      {
        key: 'gvl_id',
        label: 'Vendor id',
        help: 'In the global vendor list of TCF, for user matching.',
        kind: 'number',
      },
    ],
  },
  {
    title: 'Auctions',
    settings: [
      {
        key: 'tmax_default_ms',
        label: 'Default auction time (tmax)',
        help: 'Where the ad request says no tmax.',
        kind: 'number',
        unit: 'ms',
        isRequired: true,
      },
      {
        key: 'tmax_max_ms',
        label: 'Longest auction (tmax)',
        help: 'Whatever the ad request says.',
        kind: 'number',
        unit: 'ms',
        isRequired: true,
      },
      {
        key: 'required_bid_fields',
        label: 'Fields that a bid must have',
        help: 'A bid without one of them loses.',
        kind: 'choices',
        choices: REQUIRED_FIELDS,
      },
      {
        key: 'adomains_max',
        label: 'Maximum advertiser domains of a bid',
        help: 'A bid with more loses. Empty for any number.',
        kind: 'number',
      },
      {
        key: 'loss_notice_price',
        label: 'Loss notices tell the clearing price',
        help: 'Otherwise ${AUCTION_PRICE} is empty there.',
        kind: 'switch',
      },
      {
        key: 'allow_private_addresses',
        label: 'Private addresses of bidders',
        help: 'Ranges such as 10.0.0.0/8 that bidders may be in, one on a line; others must be public.',
        kind: 'lines',
      },
    ],
  },
  {
    title: 'Sign-in',
    settings: [
      {
        key: 'require_second_factor',
        label: 'Second factor for all changes',
        help: 'Users without one can read everything, and are asked to set one up. Access tokens of programs are not affected.',
        kind: 'switch',
      },
    ],
  },
  {
    title: 'Traces',
    description: 'What is recorded of single auctions, for the inspector.',
    settings: [
      {
        key: 'trace_share',
        label: 'Auctions with a trace',
        help: 'The more of them, the more disk space they take.',
        kind: 'percent',
        isRequired: true,
      },
      {
        key: 'trace_bodies_share',
        label: 'Auctions with the bodies of requests and responses',
        kind: 'percent',
        isRequired: true,
      },
    ],
  },
  {
    title: 'Quality',
    settings: [
      {
        key: 'creative_review',
        label: 'Creative review',
        kind: 'choice',
        choices: [
          { value: 'none', label: 'none: creatives are shown unless they are blocked' },
          { value: 'required', label: 'required: a creative is shown only once it is approved' },
        ],
      },
      {
        key: 'invalid_traffic',
        label: 'Invalid traffic',
        help: 'What is done with ad requests of known spiders and data centers, unless a publisher overrides it.',
        kind: 'choice',
        choices: [
          { value: 'ignore', label: 'ignore: they are sold as any other' },
          { value: 'mark', label: 'mark: they are sold, and marked' },
          { value: 'refuse', label: 'refuse: they are not sold' },
        ],
      },
    ],
  },
];
