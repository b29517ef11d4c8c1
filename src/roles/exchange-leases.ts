import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseHolder } from '../limits/lease-holder.ts';
import type { RoleContext } from './child.ts';

/** How often control hears from a process. */
const REPORT_MS = 1_000;
/** How long wishes are gathered. */
const WISHES_MS = 50;
/** How long a starting process waits for its first lease. */
const FIRST_LEASE_MS = 300;

export interface ExchangeLeases {
  /** Resolves with the first lease, or soon without one: a process starts anyway. */
  readonly started: Promise<void>;
}

export interface RunLeasesOptions {
  readonly context: Pick<RoleContext, 'reportLease' | 'onLease' | 'onDrain'>;
  /** It knows the line items of the snapshot already, if there is one. */
  readonly holder: Pick<LeaseHolder, 'whenWanting' | 'report' | 'take' | 'inherit'>;
}

/**
 * Keeps the leases of an exchange process: reports once a second, and soon when something is wanted,
 * and takes what comes back. When the process drains it says that it leaves; to be called before
 * anything is registered for draining that uses leases, since the last one registered is the first
 * to drain.
 */
export function runLeases({ context, holder }: RunLeasesOptions): ExchangeLeases {
  const first = Promise.withResolvers<void>();
  context.onLease((lease, inherited) => {
    if (inherited) holder.inherit(lease);
    else holder.take(lease);
    first.resolve();
  });
  let timer: NodeJS.Timeout | undefined;
  const reportAfter = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(report, ms);
  };
  const report = (): void => {
    void context.reportLease(holder.report());
    reportAfter(REPORT_MS);
  };
  holder.whenWanting(() => reportAfter(WISHES_MS));
  context.onDrain(async () => {
    holder.whenWanting(() => {});
    clearTimeout(timer);
    await context.reportLease(holder.report(true));
  });
  report();
  return {
    started: Promise.race([first.promise, delay(FIRST_LEASE_MS, undefined, { ref: false })]),
  };
}
