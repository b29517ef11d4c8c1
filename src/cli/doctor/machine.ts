import { ownField } from '../../base/fields.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

/** What of this process is looked at; a test gives another. */
export interface Machine {
  /** Such as `v26.10.0`. */
  readonly nodeVersion: string;
  readonly platform: string;
  readonly arch: string;
  /** Null where there is none: musl. */
  readonly glibc: string | null;
  /** How many files a process may have open; null where nobody says. */
  readonly openFilesMax: number | null;
}

const NODE_MAJOR = 26;
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
/** Every connection is one: of bidders, publishers and browsers. */
const FILES_WANTED = 65_536;
const FILES_NEEDED = 4_096;

/** Reads what this machine is. */
export function readMachine(): Machine {
  // The report would look up the names of every connection's other end.
  Reflect.set(process.report, 'excludeNetwork', true);
  const report: unknown = process.report.getReport();
  const glibc = ownField(ownField(report, 'header'), 'glibcVersionRuntime');
  const files = ownField(ownField(ownField(report, 'userLimits'), 'open_files'), 'soft');
  return {
    nodeVersion: process.version,
    platform: process.platform,
    arch: process.arch,
    glibc: typeof glibc === 'string' ? glibc : null,
    openFilesMax: readLimit(files),
  };
}

/** Node, the system, and what it lets a process have. */
export function checkMachine(machine: Machine): Finding[] {
  return [checkNode(machine), checkPlatform(machine), checkOpenFiles(machine)];
}

function checkNode({ nodeVersion }: Machine): Finding {
  const major = Number(/^v(\d+)\./.exec(nodeVersion)?.[1] ?? 0);
  if (major >= NODE_MAJOR) return ok('Node', `Node ${nodeVersion}.`);
  return fail(
    'Node',
    `Node ${nodeVersion} runs this; Rialto needs ${NODE_MAJOR}.`,
    'Run npx rialto or npm start in the checkout: they use the Node that npm ci installed.',
  );
}

function checkPlatform({ platform, arch, glibc }: Machine): Finding {
  const name = `${platform}-${arch}`;
  if (!PLATFORMS.includes(name)) {
    const next = `Use one of ${PLATFORMS.join(', ')}.`;
    return fail('system', `Rialto does not run on ${name}.`, next);
  }
  if (platform !== 'linux') return ok('system', `${name}.`);
  if (glibc !== null) return ok('system', `${name} with glibc ${glibc}.`);
  return fail(
    'system',
    'There is no glibc, which the analytics store needs.',
    'Use a distribution or an image with glibc, such as Debian; Alpine has none.',
  );
}

function checkOpenFiles({ openFilesMax }: Machine): Finding {
  const next = `Raise it before the node starts: ulimit -n ${FILES_WANTED}, or LimitNOFILE of its unit.`;
  if (openFilesMax === null) {
    return warn('open files', 'How many files a process may have open is not known.', next);
  }
  const message = `A process may have ${openFilesMax === Infinity ? 'any number of' : openFilesMax} files open.`;
  if (openFilesMax < FILES_NEEDED) return fail('open files', message, next);
  return openFilesMax < FILES_WANTED
    ? warn('open files', message, next)
    : ok('open files', message);
}

function readLimit(value: unknown): number | null {
  if (value === 'unlimited') return Infinity;
  return typeof value === 'number' ? value : null;
}
