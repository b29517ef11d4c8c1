import { posix } from 'node:path';
import { anchorsOf, targetsOf } from './markdown.ts';
import { lineAt, type SourceFile, type Violation } from './source.ts';

/** Every relative link and anchor of every document leads somewhere; foreign addresses are not asked. */
export function links(files: readonly SourceFile[]): Violation[] {
  const tree = new Map(files.map((file) => [file.path, file]));
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) =>
      targetsOf(file.text).flatMap(({ value, offset }) => {
        const message = faultOf(tree, file, value);
        if (message === undefined) return [];
        return [{ path: file.path, line: lineAt(file.text, offset), message }];
      }),
    );
}

function faultOf(
  tree: ReadonlyMap<string, SourceFile>,
  from: SourceFile,
  target: string,
): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return undefined;
  const [rawPath = '', rawAnchor] = target.split('#', 2);
  const path = rawPath === '' ? from.path : pathOf(from.path, decode(rawPath));
  const file = tree.get(path);
  if (file === undefined) {
    const isFolder = [...tree.keys()].some((known) => known.startsWith(`${path}/`));
    return isFolder || path === '.' ? undefined : `broken link: there is no ${path}`;
  }
  if (rawAnchor === undefined || rawAnchor === '' || !path.endsWith('.md')) return undefined;
  return anchorsOf(file.text).has(decode(rawAnchor))
    ? undefined
    : `broken link: ${path} has no heading "#${decode(rawAnchor)}"`;
}

/** Like GitHub, a leading slash means the root of the repository. */
function pathOf(from: string, target: string): string {
  const joined = target.startsWith('/')
    ? posix.normalize(target.slice(1))
    : posix.join(posix.dirname(from), target);
  return joined.replace(/(?<=.)\/$/, '');
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
