import { importsOf } from './imports.ts';
import { resolve } from './layers.ts';
import { isModule, type SourceFile, type Violation } from './source.ts';

/** One module naming another of the tree. */
interface Edge {
  readonly path: string;
  readonly line: number;
  readonly to: string;
}

type Graph = ReadonlyMap<string, readonly Edge[]>;

/**
 * Refuses every circle of imports. The linter knows those of values; types and dynamic imports count
 * here too, because a reader has to follow them just the same.
 */
export function circles(files: readonly SourceFile[]): Violation[] {
  const graph = graphOf(files);
  const done = new Set<string>();
  return [...graph.keys()].flatMap((start) => circlesFrom(start, graph, done));
}

function graphOf(files: readonly SourceFile[]): Graph {
  const modules = new Map(
    files.filter(({ path }) => isModule(path)).map((file) => [file.path, file]),
  );
  return new Map(
    [...modules.values()].map((file) => [
      file.path,
      importsOf(file).flatMap(({ specifier, line }) => {
        if (specifier === undefined || !/^\.\.?\//.test(specifier)) return [];
        const to = resolve(file.path, specifier);
        return modules.has(to) ? [{ path: file.path, line, to }] : [];
      }),
    ]),
  );
}

/** Walks depth first, without recursion; each import that leads back into the walk closes a circle. */
function circlesFrom(start: string, graph: Graph, done: Set<string>): Violation[] {
  if (done.has(start)) return [];
  const found: Violation[] = [];
  const walk = [{ path: start, next: 0 }];
  const position = new Map([[start, 0]]);
  for (let here = walk.at(-1); here !== undefined; here = walk.at(-1)) {
    const edge = graph.get(here.path)?.[here.next];
    here.next += 1;
    if (edge === undefined) {
      done.add(here.path);
      position.delete(here.path);
      walk.pop();
    } else if (position.has(edge.to)) {
      const circle = walk.slice(position.get(edge.to)).map(({ path }) => path);
      const message = `a circle of imports: ${[...circle, edge.to].join(' → ')}`;
      found.push({ path: edge.path, line: edge.line, message });
    } else if (!done.has(edge.to)) {
      position.set(edge.to, walk.length);
      walk.push({ path: edge.to, next: 0 });
    }
  }
  return found;
}
