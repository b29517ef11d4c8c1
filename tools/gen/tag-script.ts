import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = 'tag/main.ts';

/**
 * `src/edge/tag-script.ts`: the modules of `tag/` as the one script that browsers get. It is
 * committed, so that an exchange process has it without a step before it starts.
 */
export function tagScriptModule(): string {
  const script = tagScript((path) => readFileSync(join(ROOT, path), 'utf8'));
  // Whole functions, as far as they end in the first column of their module, keep differences small.
  const pieces = script.split(/(?<=^\}\n)/m);
  return [
    '// Written by "npm run gen" from the modules of tag/; change it there.',
    '',
    '/** `GET /tag.js`, as it goes out. */',
    'export const TAG_SCRIPT = [',
    ...pieces.map((piece) => `  ${JSON.stringify(piece)},`),
    `].join('');`,
    '',
  ].join('\n');
}

/**
 * Makes one script of the entry and what it imports, each module before those that import it:
 * without types, comments and indentation, in one function, so that nothing becomes a global.
 *
 * @param read gives the text of a module by its path from the root.
 * @throws Error when two modules declare the same name, because they share one scope.
 */
export function tagScript(read: (path: string) => string, entry = ENTRY): string {
  const modules: string[] = [];
  const seen = new Set<string>();
  const owners = new Map<string, string>();
  const add = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const code = stripTypeScriptTypes(read(path));
    for (const [, specifier = ''] of code.matchAll(IMPORT)) {
      add(posix.join(posix.dirname(path), specifier));
    }
    for (const [, name = ''] of code.matchAll(DECLARED)) {
      const owner = owners.get(name);
      if (owner !== undefined) throw new Error(`${path} and ${owner} both declare ${name}`);
      owners.set(name, path);
    }
    modules.push(compact(code.replaceAll(IMPORT, '').replaceAll(EXPORT, '')));
  };
  add(entry);
  return ['(function () {', "'use strict';", ...modules, '})();', ''].join('\n');
}

const IMPORT = /^import [^;]*?'(\.[^']+)';$/gm;
const EXPORT = /^export (?=const|let|function|class)/gm;
const DECLARED = /^(?:export )?(?:const|let|function|class) +([\w$]+)/gm;

/** Whole-line comments and indentation cost bytes; within a line only runs of spaces do. */
function compact(code: string): string {
  return code
    .replaceAll(/^\s*\/\*\*[^]*?\*\/$/gm, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replaceAll(/ {2,}/g, ' ')
        .replaceAll(/ +([,;)])/g, '$1'),
    )
    .filter((line) => line !== '' && line !== ';')
    .join('\n');
}
