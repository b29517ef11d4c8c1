import type { Actor } from '../configuration/audit.ts';
import type { Caller } from '../identity/caller.ts';

/** The caller as the audit log names it. */
export function actorOf({ email, userId, clientId }: Caller): Actor {
  return { name: email, userId, clientId };
}
