import { ROLE_NAMES, type RoleName, type Settings } from '../settings/settings.ts';
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
  /** Variables of the process's environment, where the supervisor's own does not have them. */
  readonly environment: Readonly<Record<string, string>>;
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

/**
 * Control starts with much garbage and then has little: young objects get 8 MB a half in place of 32,
 * which a process that no longer allocates would not give back.
 */
const CONTROL_NODE_FLAGS = [
  '--max-semi-space-size=8',
  // What a thread that has ended had of memory is given back, and not kept for the next one.
  '--no-memory-pool-share-memory-on-teardown',
];

/**
 * What glibc's allocator gives back to the system, by its own variables: batches pass as text through
 * it. The reasons and figures are in docs/decisions/0028-memory.md.
 */
const CONTROL_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
};

/** Every role. One more is a name in `settings/settings.ts`, a row here and its module. */
export const ROLES: Readonly<Record<RoleName, RoleRow>> = {
  control: {
    load: async () => (await import('./control.ts')).startControl,
    sockets: {
      control: { host: 'host', port: 'controlPort' },
      internal: { host: 'internalHost', port: 'internalPort' },
    },
    processes: () => 1,
    nodeFlags: CONTROL_NODE_FLAGS,
    environment: CONTROL_ENVIRONMENT,
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
    environment: {},
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
    environment: {},
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
    environment: {},
    overlaps: true,
    stopByMs: 3_000,
    knowsInternalSecret: false,
    opensStore: false,
  },
};

/**
 * The environment of a role's process: the supervisor's, and the role's own variables that it does not
 * have. Secrets are not in it: processes that need one are told.
 */
export function environmentOf(role: RoleName, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...ROLES[role].environment,
    ...environment,
    RIALTO_INTERNAL_SECRET: undefined,
    RIALTO_DATABASE_URL: undefined,
  };
}

/** The role of that name, as the command line of a role's process carries it. */
export function roleNamed(name: string | undefined): RoleName | undefined {
  return ROLE_NAMES.find((candidate) => candidate === name);
}
