import { Counter, type Registry } from 'prom-client';
import type { ClientVerdict } from '../../identity/client-authentication.ts';

type Outcome = ClientVerdict['outcome'];

const OUTCOMES: readonly Outcome[] = ['accepted', 'refused', 'throttled', 'busy'];

/** Counts how programs have fared at the token endpoints. */
export interface TokenMetrics {
  count(outcome: Outcome): void;
}

/** Registers the metrics of the token endpoints. */
export function createTokenMetrics(registry: Registry): TokenMetrics {
  const counter = new Counter({
    name: 'rialto_client_authentications_total',
    help: 'Requests of programs to the token endpoints: accepted, refused (wrong secret), throttled (too many before), busy.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) counter.inc({ outcome }, 0);
  return { count: (outcome) => counter.inc({ outcome }) };
}
