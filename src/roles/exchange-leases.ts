import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseHolder } from '../limits/lease-holder.ts';
import type { RoleContext } from './child.ts';

/** How often control hears from a process. */
const REPORT_MS = 1_000;
/** How often it is looked whether something is wanted at once, and so how long wishes are gathered. */
const LOOK_MS = 50;
/** How long a starting process waits for its first lease. */
const FIRST_LEASE_MS = 300;

export interface ExchangeLeases {
  /** Resolves with the first lease, or soon without one: a process starts anyway. */
  readonly started: Promise<void>;
}

export interface RunLeasesOptions {
  readonly context: Pick<RoleContext, 'reportLease' | 'onLease' | 'onDrain'>;
  /** It knows the line items of the snapshot already, if there is one. */
  readonly holder: Pick<LeaseHolder, 'isWanting' | 'report' | 'take' | 'inherit'>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/**
 * Keeps the leases of an exchange process: reports once a second, and soon when something is wanted,
 * and takes what comes back. When the process drains it says that it leaves; to be called before
 * anything is registered for draining that uses leases, since the last one registered is the first
 * to drain.
 */
export function runLeases({ context, holder, now }: RunLeasesOptions): ExchangeLeases {
  let reportedMs = -Infinity;
  const first = Promise.withResolvers<void>();
  context.onLease((lease, inherited) => {
    if (inherited) holder.inherit(lease);
    else holder.take(lease);
    first.resolve();
  });
  const look = (): void => {
    if (!holder.isWanting && now() - reportedMs < REPORT_MS) return;
    reportedMs = now();
    void context.reportLease(holder.report());
  };
  const timer = setInterval(look, LOOK_MS);
  context.onDrain(async () => {
    clearInterval(timer);
    await context.reportLease(holder.report(true));
  });
  look();
  return {
    started: Promise.race([first.promise, delay(FIRST_LEASE_MS, undefined, { ref: false })]),
  };
}
