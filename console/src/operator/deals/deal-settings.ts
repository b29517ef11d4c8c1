import type { SettingGroup } from '../../parts/forms/setting.ts';

interface DealSettingsParts {
  readonly isNew: boolean;
  /** Those that line items have. */
  readonly seats: readonly string[];
}

/** The keys of a deal, for its form. */
export function dealSettings({ isNew, seats }: DealSettingsParts): readonly SettingGroup[] {
  return [
    {
      title: 'Deal',
      settings: [
        { key: 'name', label: 'Name', kind: 'text', isRequired: true },
        {
          key: 'id',
          label: 'Deal id',
          help: isNew
            ? 'Bidders name it in their bids, and it cannot be changed: up to 128 characters without spaces.'
            : 'Bidders name it in their bids. It cannot be changed.',
          kind: 'text',
          isRequired: isNew,
          isFixed: !isNew,
        },
        {
          key: 'status',
          label: 'Status',
          help: 'Only an active deal is offered.',
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
      title: 'Terms',
      settings: [
        {
          key: 'type',
          label: 'Type',
          kind: 'choice',
          choices: [
            { value: 'first_price', label: 'first price: the winner pays its bid' },
            { value: 'second_price', label: 'second price: the winner pays what it has to beat' },
            { value: 'fixed_price', label: 'fixed price: the winner pays what was agreed' },
          ],
        },
        {
          key: 'price',
          label: 'Price',
          isShown: (draft) => draft['type'] === 'fixed_price',
          kind: 'number',
          unit: 'USD CPM',
        },
        {
          key: 'floor',
          label: 'Floor',
          help: 'What a bid has to reach; it takes the place of all other floors.',
          isShown: (draft) => draft['type'] !== 'fixed_price',
          kind: 'number',
          unit: 'USD CPM',
        },
      ],
    },
    {
      title: 'Parties',
      settings: [
        {
          key: 'ad_spaces',
          label: 'Ad spaces',
          help: 'On which of them the deal is offered.',
          kind: 'ad_spaces',
        },
        {
          key: 'seats',
          label: 'Seats',
          help: 'To whom it is offered; seats stand on line items.',
          kind: 'tags',
          suggestions: seats,
        },
        {
          key: 'advertisers',
          label: 'Advertisers',
          help: 'Domains of those who may use it (wadomain), one on a line. Empty for all.',
          kind: 'lines',
        },
      ],
    },
  ];
}
