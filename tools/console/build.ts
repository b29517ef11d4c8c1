import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '../../src/base/unknown-error.ts';
import { describeFirstLoad, FIRST_LOAD_MAX, measureFirstLoad } from './first-load.ts';
import { precompress } from './precompress.ts';
import { publish } from './publish.ts';
import { hashSources } from './sources.ts';
import { findUnstyled, stylesOf } from './styles.ts';

export interface BuildOptions {
  /** The checkout. */
  readonly root: string;
  /** Builds only if there is no build of these sources. */
  readonly ifStale: boolean;
  /** Ends the build, which then leaves nothing. */
  readonly signal: AbortSignal;
}

/** What a build is of, as `hashSources` says; beside its page, and never served. */
const STAMP = 'sources.sha256';
/** A temporary folder is its maker's alone; what is built may be served by another user. */
const DIST_MODE = 0o755;
/** What is being built stands beside `dist/`, so that a rename can put it there. */
const UNFINISHED = '.dist-';

/**
 * Builds the console of a checkout.
 *
 * @returns what is wrong and what would be right; null when there is a build of these sources.
 */
export async function buildConsole({
  root,
  ifStale,
  signal,
}: BuildOptions): Promise<string | null> {
  const folder = join(root, 'console');
  if (!existsSync(join(folder, 'package.json'))) return 'There is no console/ in this checkout.';
  const hash = hashSources(root);
  const dist = join(folder, 'dist');
  if (ifStale && stampOf(dist) === hash) return null;
  const vite = findVite(folder);
  if (vite === null) {
    return 'The console needs vite, a development dependency: run "npm ci && npm run build" where those are installed ("npm ci --omit=dev" leaves them out), and bring console/dist here.';
  }
  let made: string | undefined;
  try {
    made = mkdtempSync(join(folder, UNFINISHED));
    chmodSync(made, DIST_MODE);
    const code = await runVite(vite, { folder, made, signal });
    if (signal.aborted) return 'The build was ended.';
    if (code !== 0) return `vite ended with ${code}.`;
    const unstyled = findUnstyled(made, stylesOf(folder));
    if (unstyled.length > 0) {
      const imports = unstyled.map((name) => `@import '@mantine/core/styles/${name}';`).join(' ');
      return `Components without their styles: add ${imports} to console/src/app/components.css, in the order of the library's styles.layer.css.`;
    }
    await precompress(join(made, 'assets'), signal);
    const load = measureFirstLoad(made);
    if (load.bytes > FIRST_LOAD_MAX) {
      return `The first load of the console is too large, at most ${FIRST_LOAD_MAX} bytes compressed: load what is not needed at once by a dynamic import. ${describeFirstLoad(load)}`;
    }
    console.log(describeFirstLoad(load));
    writeFileSync(join(made, STAMP), hash);
    if (signal.aborted) return 'The build was ended.';
    publish(made, dist);
    return null;
  } catch (error) {
    return `The console cannot be built: ${messageOf(error)}`;
  } finally {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    removeAbandoned(folder);
  }
}

function stampOf(dist: string): string | null {
  try {
    return readFileSync(join(dist, STAMP), 'utf8');
  } catch {
    return null;
  }
}

/** The script of the vite that npm installed for the console; null where there is none. */
function findVite(folder: string): string | null {
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve('vite/package.json');
    return join(manifest, '../bin/vite.js');
  } catch {
    return null;
  }
}

interface ViteRun {
  readonly folder: string;
  readonly made: string;
  readonly signal: AbortSignal;
}

/** How it ended: a code or a signal. A process of its own takes over this one's priority whole. */
function runVite(vite: string, { folder, made, signal }: ViteRun): Promise<number | string> {
  const args = [vite, 'build', '--outDir', made, '--emptyOutDir', '--manifest'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const end = (): boolean => child.kill('SIGKILL');
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', end);
      resolve(code ?? killedBy ?? 'no code');
    });
  });
}

/** Builds that were killed leave their folder; one that is under way is younger than an hour. */
const ABANDONED_MS = 3_600_000;

function removeAbandoned(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((each) => each.startsWith(UNFINISHED))) {
      const path = join(folder, name);
      const { mtimeMs } = statSync(path);
      if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Another build removes the same.
  }
}
