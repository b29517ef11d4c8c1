import type { Actor } from '../configuration/audit.ts';
import { LOCAL_USER_ID, type Caller } from '../identity/caller.ts';

/** The caller as the audit log names it. */
export function actorOf({ email, userId, clientId }: Caller): Actor {
  return { name: email, userId: userId === LOCAL_USER_ID ? null : userId, clientId };
}
