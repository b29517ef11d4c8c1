import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Pictures and fonts are compressed already. */
const COMPRESSIBLE = /\.(?:js|css|svg|json|map|txt|wasm)$/;

/** Puts a `.br` and a `.gz` beside every file of the folder that is smaller that way; an abort ends it in between. */
export async function precompress(folder: string, signal: AbortSignal): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries.filter(({ name }) => COMPRESSIBLE.test(name))) {
    if (signal.aborted) return;
    const path = join(entry.parentPath, entry.name);
    const plain = await readFile(path);
    for (const [ending, compressed] of [
      ['.br', await brotli(plain)],
      ['.gz', await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION })],
    ] as const) {
      if (compressed.length < plain.length) await writeFile(`${path}${ending}`, compressed);
    }
  }
}

function brotli(plain: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
}
