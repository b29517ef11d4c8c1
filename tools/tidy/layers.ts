import { posix } from 'node:path';

/** A group of folders on one level: each may import what stands in the groups below. */
export interface Layer {
  readonly name: string;
  readonly folders: readonly string[];
}

/**
 * The layers of `src/`, from the top down; ARCHITECTURE.md says what each folder is for. A new
 * folder belongs in here before its first module is written.
 */
export const LAYERS: readonly Layer[] = [
  { name: 'entry', folders: ['src/main'] },
  { name: 'command line', folders: ['src/cli'] },
  { name: 'roles', folders: ['src/roles', 'src/commands'] },
  {
    name: 'doors',
    folders: [
      'src/edge',
      'src/tracker',
      'src/sign-in',
      'src/management',
      'src/reporting',
      'src/control',
      'src/site',
    ],
  },
  { name: 'adapters', folders: ['src/adapters'] },
  {
    name: 'work with state',
    folders: [
      'src/identity',
      'src/configuration',
      'src/analytics',
      'src/courier',
      'src/webhooks',
      'src/exchange',
      'src/enrich',
      'src/limits',
      'src/journal',
    ],
  },
  { name: 'pure', folders: ['src/auction', 'src/privacy', 'src/beacons', 'src/matching'] },
  { name: 'records and ports', folders: ['src/snapshot', 'src/events', 'src/ports'] },
  { name: 'resources', folders: ['src/resources'] },
  { name: 'wire and configuration', folders: ['src/openrtb', 'src/openapi', 'src/settings'] },
  { name: 'base', folders: ['src/base'] },
];

/** Which folder or adapter may import another of its own group: the exceptions to "only what stands below". */
export const SIDEWAYS: Readonly<Record<string, readonly string[]>> = {
  'src/configuration': ['src/identity', 'src/enrich', 'src/limits', 'src/journal'],
  'src/webhooks': ['src/configuration', 'src/identity'],
  'src/courier': ['src/enrich', 'src/limits', 'src/journal'],
  'src/exchange': ['src/enrich', 'src/limits', 'src/journal'],
  'src/commands': ['src/roles'],
  'src/management': ['src/reporting'],
  'src/sign-in': ['src/management'],
  'src/site': ['src/control'],
  'src/matching': ['src/beacons', 'src/privacy'],
  'src/adapters/bidder-http': ['src/adapters/guarded-connect', 'src/adapters/http'],
  'src/adapters/bidder-socket': [
    'src/adapters/guarded-connect',
    'src/adapters/http',
    'src/adapters/name-lookup',
  ],
  'src/adapters/guarded-connect': ['src/adapters/name-lookup'],
  'src/adapters/notice-http': ['src/adapters/guarded-connect', 'src/adapters/http'],
};

/** Folders that not everything above may import, and who may. */
export const RESERVED: Readonly<Record<string, readonly string[]>> = {
  'src/adapters': ['src/roles', 'src/commands'],
  'src/settings': ['src/roles', 'src/commands', 'src/cli'],
};

/**
 * The adapters, which are strangers to one another: each a folder of `src/adapters/`, or a module of
 * that name with those whose names it begins (`bidder-socket.ts`, `http-call.ts`). `http` is what
 * the clients of bidders and notices share.
 */
const ADAPTERS: readonly string[] = [
  'bidder-http',
  'bidder-socket',
  'chdb',
  'clickhouse',
  'http',
  'notice-http',
  'postgres',
  'sqlite',
];

/** Folders that may use no I/O, clock or randomness of their own. */
export const PURE: ReadonlySet<string> = new Set([
  'src/auction',
  'src/privacy',
  'src/beacons',
  'src/matching',
]);

/** What of Node a pure folder may import: ciphers compute from their arguments alone. */
export const PURE_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'src/beacons': ['node:crypto'],
  'src/matching': ['node:crypto'],
};

/** Folders that may import nothing but these packages and modules, and themselves. */
export const CLOSED: Readonly<
  Record<string, { readonly packages: readonly string[]; readonly modules: readonly string[] }>
> = {
  'src/openrtb': { packages: ['typebox'], modules: ['src/base/json.ts', 'src/base/problem.ts'] },
};

/** What `rialto demo` runs: the one module outside `src/` that the command line may import. */
export const DEMO = 'sim/demo/demo.ts';

/** The folders outside `src/` that hold modules, and what of `src/` each may import. */
export const OUTSIDE: Readonly<
  Record<string, 'anything' | 'wire types' | 'schema types' | 'nothing'>
> = {
  test: 'anything',
  bench: 'anything',
  tools: 'anything',
  sim: 'wire types',
  // The demo runs a whole node beside the simulators.
  'sim/demo': 'anything',
  console: 'schema types',
  // The tag runs in pages: nothing of the exchange.
  tag: 'nothing',
};

/** What of `src/` the console may import the types of: what the API and the reports say on the wire. */
export const CONSOLE_TYPES =
  /^src\/(?:openrtb\/|reporting\/|resources\/|analytics\/[\w-]+-schema\.ts$|(?:management|sign-in)\/(?:[\w-]+\/)*(?:[\w-]+-)?schema\.ts$)/;

/** Lists of the spec with their meanings, and how CSV is written: they import nothing, and browsers can have them whole. */
export const CONSOLE_VALUES =
  /^src\/(?:openrtb\/(?:lists|[\w-]+-lists|no-bid-reason|loss-reason|content-taxonomy|iso-codes|operating-systems)|base\/csv)\.ts$/;

/** What of `src/` a module outside it may import; undefined for a folder that the table does not name. */
export function outsideRule(path: string): (typeof OUTSIDE)[string] | undefined {
  const [root = '', folder = ''] = path.split('/');
  return OUTSIDE[`${root}/${folder}`] ?? OUTSIDE[root];
}

/** Where a module of `src/` stands. */
export interface Place {
  /** The folder of the table, such as `src/edge`. */
  readonly folder: string;
  /** What may import itself freely: the folder, or one adapter, such as `src/adapters/sqlite`. */
  readonly unit: string;
  /** Index into LAYERS: the smaller the higher; -1 for a folder that the table does not name. */
  readonly level: number;
}

/** The place of a module below `src/`. `src/main.ts` alone stands outside the folders. */
export function placeOf(path: string): Place {
  const names = path.replace(/(?:\.test)?\.tsx?$/, '').split('/');
  const folder = names.slice(0, 2).join('/');
  const isMain = folder === 'src/main';
  return {
    folder,
    unit: folder === 'src/adapters' ? `${folder}/${adapterOf(names[2] ?? '')}` : folder,
    level:
      isMain === (names.length === 2)
        ? LAYERS.findIndex(({ folders }) => folders.includes(folder))
        : -1,
  };
}

function adapterOf(name: string): string {
  return ADAPTERS.find((each) => name === each || name.startsWith(`${each}-`)) ?? name;
}

/** The path from the root that a relative specifier in `from` means. */
export function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}
