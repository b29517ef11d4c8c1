import type { SettingGroup } from '../../parts/forms/setting.ts';

/** The keys of a publisher that its operator edits. */
export const publisherSettings: readonly SettingGroup[] = [
  {
    title: 'Publisher',
    settings: [
      { key: 'name', label: 'Name', kind: 'text', isRequired: true },
      {
        key: 'status',
        label: 'Status',
        help: 'Only the ad spaces of an active publisher are sold.',
        kind: 'choice',
        choices: [
          { value: 'ACTIVE', label: 'active' },
          { value: 'PAUSED', label: 'paused' },
          { value: 'ARCHIVED', label: 'archived' },
        ],
      },
    ],
  },
  {
    title: 'Money',
    settings: [
      {
        key: 'revenue_share',
        label: 'Revenue share',
        help: 'What the publisher gets of what a demand partner pays.',
        kind: 'percent',
        isRequired: true,
      },
      {
        key: 'price_basis',
        label: 'Price basis',
        help: 'Whether its floors and the prices it sees are before or after the exchange’s share.',
        kind: 'choice',
        choices: [
          { value: 'net', label: 'net: what the publisher gets' },
          { value: 'gross', label: 'gross: what the demand partner pays' },
        ],
      },
      {
        key: 'confirms_wins',
        label: 'It confirms wins',
        help: 'The publisher decides which bid it shows, so that a win counts once it is confirmed.',
        kind: 'switch',
      },
      {
        key: 'seat_non_bids',
        label: 'Seat non-bids',
        help: 'Responses to requests with ext.rialto.seatnonbid list the bids that lost and why, without prices.',
        kind: 'choice',
        choices: [
          { value: 'none', label: 'no' },
          { value: 'pseudonyms', label: 'by pseudonyms of the demand partners' },
          { value: 'seats', label: 'by the ids of the demand partners' },
        ],
      },
      {
        key: 'floors',
        label: 'Floors',
        help: 'The least that an open bid has to bring for all that it sells. The most specific rule holds; its apps, sites and ad spaces may ask for more.',
        kind: 'floors',
      },
    ],
  },
  {
    title: 'Sellers',
    description: 'How sellers.json, ads.txt and the supply chain name it.',
    settings: [
      {
        key: 'seller_id',
        label: 'Seller id',
        help: 'Letters, digits and . _ -. Empty for its own id.',
        kind: 'text',
      },
      {
        key: 'aliases',
        label: 'Aliases',
        help: 'Other ids that its requests may name it by.',
        kind: 'tags',
      },
      {
        key: 'seller_type',
        label: 'Seller type',
        kind: 'choice',
        choices: [
          { value: 'PUBLISHER', label: 'PUBLISHER: it owns what it sells' },
          { value: 'INTERMEDIARY', label: 'INTERMEDIARY: it sells for others' },
          { value: 'BOTH', label: 'BOTH' },
        ],
      },
      {
        key: 'domain',
        label: 'Domain',
        help: 'Of its business, such as publisher.example.',
        kind: 'text',
      },
      {
        key: 'hide_names',
        label: 'Hide its names',
        help: 'In bid requests the names of the publisher and its apps are blank, and sellers.json marks it confidential.',
        kind: 'switch',
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
        help: 'What is done with ad requests of known spiders and data centers.',
        kind: 'choice',
        none: 'as the exchange has it',
        choices: [
          { value: 'ignore', label: 'ignore: they are sold as any other' },
          { value: 'mark', label: 'mark: they are sold, and marked' },
          { value: 'refuse', label: 'refuse: they are not sold' },
        ],
      },
      {
        key: 'categories',
        label: 'Content categories',
        help: 'Of the content taxonomy 1.0.',
        kind: 'categories',
      },
    ],
  },
];
