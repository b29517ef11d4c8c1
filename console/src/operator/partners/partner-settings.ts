import type { Setting } from '../../parts/forms/setting.ts';

/** The keys of a demand partner that its operator edits. */
export const partnerSettings: readonly Setting[] = [
  { key: 'name', label: 'Name', kind: 'text', isRequired: true },
  {
    key: 'status',
    label: 'Status',
    help: 'Only an active partner is called. Users of an archived one cannot sign in.',
    kind: 'choice',
    choices: [
      { value: 'ACTIVE', label: 'active' },
      { value: 'PAUSED', label: 'paused' },
      { value: 'ARCHIVED', label: 'archived' },
    ],
  },
];
