import { ROLE_NAMES, type RoleName, type Settings } from '../config/settings.ts';
import type { RoleContext } from './child.ts';
import type { SocketPlace } from './sockets.ts';

/** What the supervisor and a role's process need to know of the role. */
export interface RoleRow {
  /** Loads the role's module, in the role's own process alone. */
  readonly load: () => Promise<(context: RoleContext) => Promise<void>>;
  /** The sockets that each of the role's processes is handed, by name. */
  readonly sockets: Readonly<Record<string, SocketPlace>>;
  readonly processes: (settings: Settings) => number;
  /** Flags of the Node process, before the script. */
  readonly nodeFlags: readonly string[];
  /**
   * A replacement is ready before the old process is stopped. False for a role that must be alone;
   * its sockets, if it has any, hold connections in the kernel meanwhile.
   */
  readonly overlaps: boolean;
  /** When its processes must have ended, counted from the signal to stop the node. */
  readonly stopByMs: number;
  /** The role speaks on the internal listener, so its processes get the shared secret. */
  readonly knowsInternalSecret: boolean;
  /** The role works on the configuration store, so its processes get the database's address. */
  readonly opensStore: boolean;
}

/** Every role. One more is a name in `config/settings.ts`, a row here and its module. */
export const ROLES: Readonly<Record<RoleName, RoleRow>> = {
  control: {
    load: async () => (await import('./control.ts')).startControl,
    sockets: {
      control: { host: 'host', port: 'controlPort' },
      internal: { host: 'internalHost', port: 'internalPort' },
    },
    processes: () => 1,
    nodeFlags: [],
    // The analytics store belongs to one process at a time.
    overlaps: false,
    stopByMs: 4_600,
    knowsInternalSecret: true,
    opensStore: true,
  },
  courier: {
    load: async () => (await import('./courier.ts')).startCourier,
    sockets: {},
    processes: () => 1,
    nodeFlags: [],
    // Two couriers would overwrite each other's snapshot.
    overlaps: false,
    stopByMs: 3_900,
    knowsInternalSecret: true,
    opensStore: false,
  },
  tracker: {
    load: async () => (await import('./tracker.ts')).startTracker,
    sockets: { tracker: { host: 'host', port: 'trackerPort' } },
    processes: () => 1,
    nodeFlags: [],
    // What one has counted, another would not know.
    overlaps: false,
    stopByMs: 3_500,
    knowsInternalSecret: false,
    opensStore: false,
  },
  exchange: {
    load: async () => (await import('./exchange.ts')).startExchange,
    sockets: { exchange: { host: 'host', port: 'exchangePort' } },
    processes: (settings) => settings.workers,
    nodeFlags: [],
    overlaps: true,
    stopByMs: 3_000,
    knowsInternalSecret: false,
    opensStore: false,
  },
};

/** The role of that name, as the command line of a role's process carries it. */
export function roleNamed(name: string | undefined): RoleName | undefined {
  return ROLE_NAMES.find((candidate) => candidate === name);
}
