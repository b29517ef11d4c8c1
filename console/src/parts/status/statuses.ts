/** What whatever is bought or sold by can be. */
export const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;

export type Status = (typeof STATUSES)[number];

/** What each is called where it is chosen. */
export const STATUS_NAMES = { ACTIVE: 'Active', PAUSED: 'Paused', ARCHIVED: 'Archived' } as const;
