import { isModule, type SourceFile, type Violation } from './source.ts';

/** Folders that hold our own files; elsewhere (the root, `.ci/`) tools decide the names. */
const OURS = /^(?:src|sim|test|bench|tools|console|tag|docs|examples|sql)\//;

/** Parts of a name that say nothing about what the file is for. */
const VAGUE: ReadonlySet<string> = new Set(['utils', 'util', 'helpers', 'helper', 'common']);

/** `ad-space.ts`, `ad-space.test.ts`, `0001-record-decisions.md`, `.gitkeep`. */
const KEBAB = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/;

/** Folders that may stand between `src/` and a file: deeper, a reader loses the thread. */
const DEPTH_MAX = 3;

/** A name says where a file is and what it holds, in one spelling. */
export function names(files: readonly SourceFile[]): Violation[] {
  return files
    .flatMap(({ path }) => {
      if (!OURS.test(path)) return [];
      const faults = [vague(path), barrel(path), spelling(path), language(path), depth(path)];
      return faults.flatMap((message) =>
        message === undefined ? [] : [{ path, line: 1, message }],
      );
    })
    .concat(numbering(files));
}

/** Files with numbers, in order, without holes: one that is missing looks like one that was lost. */
const NUMBERED = /^(docs\/decisions|sql)\/(\d{4})-/;

function numbering(files: readonly SourceFile[]): Violation[] {
  const numbers = new Map<string, number>();
  return files
    .map(({ path }) => path)
    .toSorted()
    .flatMap((path) => {
      const [, folder = '', digits] = NUMBERED.exec(path) ?? [];
      if (digits === undefined) return [];
      const next = (numbers.get(folder) ?? 0) + 1;
      numbers.set(folder, Number(digits));
      if (Number(digits) === next) return [];
      const message = `numbered ${digits}, where ${String(next).padStart(4, '0')} comes next`;
      return [{ path, line: 1, message }];
    });
}

function vague(path: string): string | undefined {
  if (path.startsWith('src/base/')) return undefined;
  const part = path.split(/[/.-]/).find((word) => VAGUE.has(word.toLowerCase()));
  return part === undefined ? undefined : `"${part}" says nothing: name it for what it is about`;
}

/** Entries that a package shows to others (`exports` of package.json): who is outside needs one door. */
const PUBLIC_ENTRIES: ReadonlySet<string> = new Set(['src/openrtb/index.ts']);

function barrel(path: string): string | undefined {
  if (!/(?:^|\/)index\.tsx?$/.test(path) || PUBLIC_ENTRIES.has(path)) return undefined;
  return 'a barrel: import from the module that has it, or name the file for its concept';
}

function spelling(path: string): string | undefined {
  const wrong = path.split('/').find((name) => name !== 'README.md' && !KEBAB.test(name));
  return wrong === undefined ? undefined : `"${wrong}" is not in kebab-case`;
}

/** Only `.ts` is compiled, linted and held against the layers. */
function language(path: string): string | undefined {
  if (!/\.(?:[cm]?js|[cm]ts|jsx)$/.test(path)) return undefined;
  return 'code here is TypeScript: rename it to .ts, which the checks read';
}

function depth(path: string): string | undefined {
  const folders = path.split('/').length - 2;
  if (!path.startsWith('src/') || !isModule(path) || folders <= DEPTH_MAX) return undefined;
  return `${String(folders)} folders below src/, at most ${String(DEPTH_MAX)}`;
}
