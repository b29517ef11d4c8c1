import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** The codings in which an asset may lie beside itself, the best first, and how their files end. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
}

/** A built console, in memory. */
export interface ConsoleFiles {
  /** The page that every address of the console gets. */
  readonly index: string;
  /** By their paths below `/assets/`. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** More is no console: the one there is has less than a tenth of it. */
const BYTES_MAX = 64 * 1024 * 1024;

/** What stands in a build, by the ending; anything else is served as a download. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
};
const OTHER_TYPE = 'application/octet-stream';

/**
 * Reads a built console whole, so that no path that a request names ever reaches a file system.
 *
 * @throws Error when there is none, or it is larger than a console can be.
 */
export async function readConsoleFiles(directory: string): Promise<ConsoleFiles> {
  const names = await assetNames(join(directory, 'assets'));
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const name of names) {
    const path = join(directory, 'assets', name);
    bytes += (await stat(path)).size;
    if (bytes > BYTES_MAX) throw new Error(`${directory} has more than ${BYTES_MAX} bytes`);
    files.set(name, await readFile(path));
  }
  const index = await readFile(join(directory, 'index.html'), 'utf8');
  const assets = [...files]
    .filter(([name]) => !isEncoded(name, files))
    .map(([name, plain]): [string, Asset] => [
      name,
      { type: typeOf(name), plain, ...others(name) },
    ]);
  return { index, assets: new Map(assets) };

  function others(name: string): Pick<Asset, 'encoded'> {
    const found = ENCODINGS.flatMap((encoding): [Encoding, Buffer][] => {
      const content = files.get(`${name}${ENDINGS[encoding]}`);
      return content === undefined ? [] : [[encoding, content]];
    });
    return { encoded: new Map(found) };
  }
}

/** The files below the folder with forward slashes; what is no plain file is left out. */
async function assetNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((name) => name.replaceAll('\\', '/'));
}

function isEncoded(name: string, files: ReadonlyMap<string, Buffer>): boolean {
  return Object.values(ENDINGS).some(
    (ending) => name.endsWith(ending) && files.has(name.slice(0, -ending.length)),
  );
}

function typeOf(name: string): string {
  return TYPES[extname(name).toLowerCase()] ?? OTHER_TYPE;
}
