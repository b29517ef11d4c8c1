/** What a token permits. `write` includes `read`: a program that changes things sees them too. */
export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** On whose side a user stands, in the words that the management API says it with. */
export type CallerRole = 'operator' | 'demand-partner' | 'publisher';

/** No user's id: that of commands on control's own machine. */
export const LOCAL_USER_ID = 0;

/** Who sends a request of the management API, from the token that came with it. */
export interface Caller {
  readonly userId: number;
  readonly email: string;
  readonly role: CallerRole;
  /** The id of the user's demand partner or publisher; null for operators, who see everything. */
  readonly entityId: number | null;
  /** The application whose token came; null for who signed in without one. */
  readonly clientId: string | null;
  /** Nobody else's token is accepted. */
  readonly status: 'ACTIVE';
  /** In the order of SCOPES. */
  readonly scope: readonly Scope[];
}
