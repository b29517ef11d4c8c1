import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where the component library has a style sheet for each of its components; null without it. */
export function stylesOf(folder: string): string | null {
  try {
    const all = createRequire(join(folder, 'package.json')).resolve(
      '@mantine/core/styles.layer.css',
    );
    return join(all, '../styles');
  } catch {
    return null;
  }
}

/**
 * Which style sheets of components a build lacks: its scripts name classes that they have rules for, and
 * none of its own style sheets does. Components use others inside, so that no list of imports tells.
 *
 * @param styles of `stylesOf`.
 * @returns names such as `Button.layer.css`.
 */
export function findUnstyled(dist: string, styles: string | null): readonly string[] {
  if (styles === null) return [];
  const assets = readdirSync(join(dist, 'assets'));
  const read = (ending: string): string =>
    assets
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(dist, 'assets', name), 'utf8'))
      .join();
  const scripts = read('.js');
  const sheets = read('.css');
  return readdirSync(styles)
    .filter((name) => name.endsWith('.layer.css'))
    .filter((name) =>
      classesOf(readFileSync(join(styles, name), 'utf8')).some(
        (each) => scripts.includes(each) && !sheets.includes(each),
      ),
    );
}

/** The library's classes are hashes: `m_77c9d27d`. */
function classesOf(css: string): readonly string[] {
  return [...new Set(css.match(/\bm_[0-9a-f]{6,}/g))];
}
