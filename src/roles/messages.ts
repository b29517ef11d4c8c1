import type { RoleName, Settings } from '../settings/settings.ts';
import type { ProcessUsage } from '../base/process-usage.ts';
import type { Lease, LeaseReport } from '../ports/leases.ts';
import type { NodeProcess } from '../ports/node-status.ts';
import type { SnapshotNews } from '../snapshot/delta.ts';

/**
 * What the supervisor and the processes it starts tell each other, as JSON over the channel that
 * Node opens between parent and child. Both ends are the same build, started from the same tree.
 */

/** The longest that a process takes to end once it was asked to, or once its supervisor is gone. */
export const DRAIN_LIMIT_MS = 4_500;

/** The metrics of one process, as prom-client's `Registry.getMetricsAsJSON()` gives them. */
export type ProcessMetrics = readonly object[];

export type ToChild =
  /** The first message: what the process is, and what it was given. */
  | {
      readonly type: 'start';
      readonly role: RoleName;
      readonly worker: number;
      readonly settings: Settings;
      /** The node is starting; false for what takes another process's place. */
      readonly startsNode: boolean;
      /** Descriptors of bound sockets by name. */
      readonly listenFds: Readonly<Record<string, number>>;
    }
  /** Control only: every role of the node serves; what is not urgent may begin. */
  | { readonly type: 'nodeReady' }
  /** Exchange only: the courier has put a new snapshot on disk. */
  | { readonly type: 'snapshot'; readonly news: SnapshotNews }
  /** Finish what is under way and end within the time given. */
  | { readonly type: 'drain'; readonly withinMs: number }
  /** Give your metrics; answered by `metrics`. */
  | { readonly type: 'metricsWanted'; readonly id: number }
  /** Courier only: all processes of the node. */
  | { readonly type: 'processes'; readonly processes: readonly NodeProcess[] }
  /** Courier only: an exchange process of the node reports to control. */
  | { readonly type: 'leaseReport'; readonly report: LeaseReport }
  /** Courier only: a process of the node has written to its journal. */
  | { readonly type: 'journalGrew' }
  /** Exchange only: what the process may use of the limits. */
  | { readonly type: 'lease'; readonly lease: Lease }
  /**
   * Exchange only: what the last process in this place had, which is gone; the process may use its
   * rates until it has a lease of its own.
   */
  | { readonly type: 'inheritedLease'; readonly lease: Lease };

export type FromChild =
  /** The process serves. */
  | { readonly type: 'ready' }
  /** The process could not start; `final` says that trying again would end alike. */
  | { readonly type: 'failed'; readonly reason: string; readonly final: boolean }
  /** The process was asked to end by a signal of its own and wants its replacement first. */
  | { readonly type: 'retiring' }
  /** What the process has used since it began, every few seconds; to a courier by `processes`. */
  | { readonly type: 'usage'; readonly usage: ProcessUsage }
  /** Control only: nobody manages the exchange yet; whoever opens this address once, may. */
  | { readonly type: 'firstOperatorLink'; readonly url: string }
  /** Courier only: what is now on disk. */
  | { readonly type: 'snapshotWritten'; readonly news: SnapshotNews }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics }
  /** Exchange only: what the process wants and has used; answered by `lease`. */
  | { readonly type: 'leaseReport'; readonly report: LeaseReport }
  /** The process has written to the node's journal; a few times a second at most. */
  | { readonly type: 'journalGrew' }
  /** Courier only: what control has answered to the node's exchange processes. */
  | { readonly type: 'leases'; readonly leases: readonly Lease[] };

const TO_CHILD = {
  start: true,
  nodeReady: true,
  snapshot: true,
  drain: true,
  metricsWanted: true,
  processes: true,
  leaseReport: true,
  journalGrew: true,
  lease: true,
  inheritedLease: true,
} as const satisfies Record<ToChild['type'], true>;

const FROM_CHILD = {
  ready: true,
  failed: true,
  retiring: true,
  usage: true,
  firstOperatorLink: true,
  snapshotWritten: true,
  metrics: true,
  leaseReport: true,
  journalGrew: true,
  leases: true,
} as const satisfies Record<FromChild['type'], true>;

/**
 * Gives a message from the channel its type. Only its kind is looked at: the other end is our own.
 * Throws for anything else, which is a programmer's error.
 */
export function decodeToChild(message: unknown): ToChild {
  if (isToChild(message)) return message;
  throw new TypeError(`not a message to a role: ${JSON.stringify(message)}`);
}

/** As {@link decodeToChild}, for the supervisor's end. */
export function decodeFromChild(message: unknown): FromChild {
  if (isFromChild(message)) return message;
  throw new TypeError(`not a message from a role: ${JSON.stringify(message)}`);
}

function isToChild(message: unknown): message is ToChild {
  return hasType(message) && Object.hasOwn(TO_CHILD, message.type);
}

function isFromChild(message: unknown): message is FromChild {
  return hasType(message) && Object.hasOwn(FROM_CHILD, message.type);
}

function hasType(message: unknown): message is { type: string } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    typeof message.type === 'string'
  );
}
