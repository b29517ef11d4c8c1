import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a build of the console follows from. */
const SOURCES = [
  'console',
  'src/openrtb',
  'package-lock.json',
  'tools/build-console.ts',
  'tools/console',
];

/** What stands among them and is none. */
const OTHERS = /^(?:node_modules|dist|\..*)$|\.test\.tsx?$/;

/** One hash of all that a build follows from, the same in every checkout of the same commit. */
export function hashSources(root: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesOf(root, source))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(root: string, path: string): readonly string[] {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return [path];
  return readdirSync(absolute)
    .filter((name) => !OTHERS.test(name))
    .toSorted()
    .flatMap((name) => filesOf(root, `${path}/${name}`));
}
