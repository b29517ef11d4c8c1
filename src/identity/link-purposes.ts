/** What a link is for: the first operator, a new user's password, a password in another's place. */
export const LINK_PURPOSES = ['first_operator', 'invitation', 'password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];
