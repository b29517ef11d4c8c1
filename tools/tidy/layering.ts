import { isBuiltin } from 'node:module';
import { importsOf } from './imports.ts';
import {
  CLOSED,
  CONSOLE_VALUES,
  CONSOLE_TYPES,
  DEMO,
  LAYERS,
  outsideRule,
  placeOf,
  RESERVED,
  resolve,
  SIDEWAYS,
} from './layers.ts';
import { isModule, isTest, type SourceFile, type Violation } from './source.ts';

/** One module naming another, as the checks below judge it. */
interface Edge {
  readonly from: string;
  readonly specifier: string;
  /** The path from the root, if the specifier is relative; else undefined: a package. */
  readonly to: string | undefined;
  readonly typeOnly: boolean;
}

/**
 * Holds every import against the table in `layers.ts`. A tree without a single module below `src/`
 * is a violation too: the check would otherwise pass when it looked in the wrong place.
 */
export function layering(files: readonly SourceFile[]): Violation[] {
  const modules = files.filter(({ path }) => isModule(path));
  if (!modules.some(({ path }) => path.startsWith('src/'))) {
    return [{ path: 'src', line: 1, message: 'no module was read, so no layer was checked' }];
  }
  return modules.flatMap((file) => misplaced(file).concat(forbiddenImports(file)));
}

function misplaced({ path }: SourceFile): Violation[] {
  const [root = ''] = path.split('/');
  if (root === 'src' ? placeOf(path).level !== -1 : outsideRule(path) !== undefined) return [];
  const message =
    'no place in the layers: give its folder a row in tools/tidy/layers.ts, or move the module';
  return [{ path, line: 1, message }];
}

function forbiddenImports(file: SourceFile): Violation[] {
  return importsOf(file).flatMap(({ specifier, typeOnly, line }) => {
    const message =
      specifier === undefined
        ? computedFault(file.path)
        : edgeFault({
            from: file.path,
            specifier,
            to: /^\.\.?\//.test(specifier) ? resolve(file.path, specifier) : undefined,
            typeOnly,
          });
    return message === undefined ? [] : [{ path: file.path, line, message }];
  });
}

function computedFault(from: string): string | undefined {
  if (mayImportAnything(from)) return undefined;
  return 'a computed import cannot be held against the layers: name the module in a literal';
}

/** Why the edge is forbidden; undefined if it is not. */
function edgeFault(edge: Edge): string | undefined {
  if (mayImportAnything(edge.from)) return undefined;
  if (/^(?:[#/]|file:)/.test(edge.specifier)) {
    return `"${edge.specifier}" hides which module it means: import it by its relative path`;
  }
  return edge.from.startsWith('src/') ? faultWithin(edge) : faultFromOutside(edge);
}

function mayImportAnything(from: string): boolean {
  return outsideRule(from) === 'anything';
}

/** sim/ knows the exchange from outside: it sees shapes of `src/`, never its code. */
function faultFromOutside({ from, specifier, to, typeOnly }: Edge): string | undefined {
  const [root = ''] = from.split('/');
  const kind = outsideRule(from);
  if (kind === 'nothing') {
    if (to?.startsWith(`${root}/`) === true) return undefined;
    return `${root}/ may import nothing but itself: its modules become one script`;
  }
  if (kind === 'schema types') return faultFromConsole({ from, specifier, to, typeOnly });
  if (to === undefined || !to.startsWith('src/')) return undefined;
  if (!to.startsWith('src/openrtb/')) {
    return `${root}/ may import nothing of src/ but types of src/openrtb, not ${to}`;
  }
  return typeOnly ? undefined : `${root}/ may import types alone of ${to}: write "import type"`;
}

/** Fixtures, and the answers that the reference shows, which pages are tried with. */
const CONSOLE_TESTED = /^test\/|^src\/management\/[\w-]+\/example\.ts$/;

/** The console runs in browsers, and what it imports of the exchange goes to everybody's. */
function faultFromConsole({ from, specifier, to, typeOnly }: Edge): string | undefined {
  if (to === undefined) {
    if (!isBuiltin(specifier) || !from.startsWith('console/src/') || isTest(from)) return undefined;
    return `${specifier} is no module of browsers, where the console runs`;
  }
  if (to.startsWith('console/') || (isTest(from) && CONSOLE_TESTED.test(to))) return undefined;
  if (CONSOLE_VALUES.test(to)) return undefined;
  if (!CONSOLE_TYPES.test(to)) {
    return `console/ may import nothing from outside but lists of src/openrtb and src/base/csv.ts, and types of both, of src/reporting and of schema files, not ${to}`;
  }
  return typeOnly ? undefined : `console/ may import types alone of ${to}: write "import type"`;
}

function faultWithin(edge: Edge): string | undefined {
  const { from, to } = edge;
  // Tests may use any package and the fixtures in test/; for the rest they obey like their file.
  if (isTest(from) && (to === undefined || to.startsWith('test/'))) return undefined;
  const closed = closedFault(edge);
  if (closed !== undefined || to === undefined) return closed;
  // The version, which the command line prints, stands nowhere else.
  if (to === 'package.json') return undefined;
  if (to === DEMO && from.startsWith('src/cli/')) return undefined;
  if (!to.startsWith('src/')) return `src/ may not import ${to}: it stands outside src/`;
  return levelFault(from, to);
}

function closedFault({ from, specifier, to }: Edge): string | undefined {
  const { folder } = placeOf(from);
  const closed = CLOSED[folder];
  if (closed === undefined) return undefined;
  const allowed =
    to === undefined
      ? closed.packages.some((name) => specifier === name || specifier.startsWith(`${name}/`))
      : to.startsWith(`${folder}/`) || closed.modules.includes(to);
  const others = [...closed.packages, ...closed.modules].join(' and ');
  return allowed ? undefined : `${folder} may import only ${others}, not ${to ?? specifier}`;
}

function levelFault(from: string, to: string): string | undefined {
  const importer = placeOf(from);
  const imported = placeOf(to);
  if (importer.unit === imported.unit) return undefined;
  if (importer.level === -1 || imported.level === -1) {
    // A misplaced importer is reported once, as such; a misplaced target may not even exist.
    return imported.level === -1 ? `${to} has no place in the layers` : undefined;
  }
  const reserved = RESERVED[imported.folder];
  if (reserved !== undefined && imported.folder !== importer.folder) {
    if (reserved.includes(importer.folder)) return undefined;
    return `only ${reserved.join(' and ')} may import ${imported.folder}, not ${importer.folder}`;
  }
  if (importer.level < imported.level) return undefined;
  if (SIDEWAYS[importer.unit]?.includes(imported.unit) === true) return undefined;
  return (
    `${importer.unit} (${nameOf(importer.level)}) may not import ` +
    `${imported.unit} (${nameOf(imported.level)}): a folder imports only from layers below its own`
  );
}

function nameOf(level: number): string {
  return LAYERS[level]?.name ?? 'no layer';
}
