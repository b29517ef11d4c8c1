import { isBuiltin } from 'node:module';
import { importsOf } from './imports.ts';
import { placeOf, PURE, PURE_BUILTINS } from './layers.ts';
import { mask } from './mask.ts';
import { isModule, isTest, lineAt, type SourceFile, type Violation } from './source.ts';

/** What reaches outside without an import: clocks, randomness, timers, the process, the network. */
const IMPURE_FORMS: readonly string[] = [
  'Date\\.now',
  'new\\s+Date(?:\\s*\\(\\s*\\)|\\b(?!\\s*\\())',
  '(?<!\\bnew\\s+)Date\\s*\\(',
  'Math\\.random',
  '(?:performance|crypto|process|globalThis|console|Temporal\\.Now)\\s*(?:\\??\\.|\\[)',
  '(?:fetch|setTimeout|setInterval|setImmediate|queueMicrotask)\\s*\\(',
  // What is not pure of a module that is allowed otherwise.
  'random(?:Bytes|Fill|FillSync|Int|UUID|UUIDv7)\\b',
  '(?:generate(?:Key|KeySync|KeyPair|KeyPairSync|Prime|PrimeSync)|webcrypto)\\b',
];

/** After a dot it would be the property of something else. */
const IMPURE = new RegExp(`(?<![.#\\w$])(?:${IMPURE_FORMS.join('|')})`, 'g');

/** The pure folders decide from their arguments alone, so that an auction can be replayed. */
export function purity(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => isModule(path) && !isTest(path) && PURE.has(placeOf(path).folder))
    .flatMap((file) => impureImports(file).concat(impureCode(file)));
}

function impureImports(file: SourceFile): Violation[] {
  const { folder } = placeOf(file.path);
  const allowed = PURE_BUILTINS[folder] ?? [];
  return importsOf(file)
    .filter(({ specifier }) => specifier !== undefined && isBuiltin(specifier))
    .filter(({ specifier }) => !allowed.includes(specifier ?? ''))
    .map(({ specifier, line }) => ({
      path: file.path,
      line,
      message: `${folder} is pure and may not import ${String(specifier)}: take what it gives as an argument`,
    }));
}

function impureCode(file: SourceFile): Violation[] {
  const { folder } = placeOf(file.path);
  const { code } = mask(file.text);
  return Array.from(code.matchAll(IMPURE), (found) => ({
    path: file.path,
    line: lineAt(file.text, found.index),
    message: `${folder} is pure and may not use ${found[0].replaceAll(/\s+/g, ' ')}: take it as an argument`,
  }));
}
