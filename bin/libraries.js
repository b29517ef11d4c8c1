// TypeBox and Kysely come as 940 small modules, and finding these takes longer than running them. Each of
// their entries is kept as one file as well: docs/decisions/0002-runtime.md.
import { existsSync, readFileSync } from 'node:fs';

const LIBRARIES = ['typebox', 'kysely'].map((name) => ({ name, ...manifestOf(name) }));

/** Where the files are, for these versions; there may be none. */
export const libraryFiles = new URL(
  `../node_modules/.cache/rialto-libraries/${LIBRARIES.map(({ name, version }) => `${name}@${version}`).join('-')}/`,
  import.meta.url,
);

/** What others can import from the libraries, each with its file. */
export const libraryEntries = LIBRARIES.flatMap(({ name, exports }) =>
  Object.keys(exports).map((path) => {
    const specifier = path.replace('.', name);
    return { specifier, file: `${specifier.replaceAll('/', '_')}.mjs` };
  }),
);

/** What a package says of itself; of one that is not installed, nothing. */
function manifestOf(name) {
  const path = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { exports: {} };
}
