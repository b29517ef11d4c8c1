/** What a link is for: the first operator, a new user's password, a password in another's place, the end of a second factor. */
export const LINK_PURPOSES = ['first_operator', 'invitation', 'password', 'second_factor'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];
