import { Counter, type Registry } from 'prom-client';
import type { PasswordUser } from '../../identity/session-store.ts';
import type { SecretVerdict } from '../../identity/secret-authentication.ts';

type Outcome = SecretVerdict<PasswordUser>['outcome'] | 'code_refused' | 'code_throttled';

const OUTCOMES: readonly Outcome[] = [
  'accepted',
  'refused',
  'throttled',
  'busy',
  'code_refused',
  'code_throttled',
];

/** Counts how people have fared with their passwords. */
export interface SignInMetrics {
  count(outcome: Outcome): void;
}

/** Registers the metrics of sessions. */
export function createSignInMetrics(registry: Registry): SignInMetrics {
  const counter = new Counter({
    name: 'rialto_sign_ins_total',
    help: 'Passwords that people have shown, to sign in or to change them: accepted, refused (wrong), throttled (too many before), busy; and codes of second factors that were wrong (code_refused) or not looked at (code_throttled).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) counter.inc({ outcome }, 0);
  return { count: (outcome) => counter.inc({ outcome }) };
}
