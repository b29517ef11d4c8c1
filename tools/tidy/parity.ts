import { DOCUMENTS, type GeneratedDocument } from '../gen/documents.ts';
import type { SourceFile, Violation } from './source.ts';

/** Every generated document is what `npm run gen` would write now: documents follow the code. */
export async function parity(
  files: readonly SourceFile[],
  documents: readonly GeneratedDocument[] = DOCUMENTS,
): Promise<Violation[]> {
  const stale = documents.map(async ({ path, render }): Promise<Violation[]> => {
    const committed = files.find((file) => file.path === path)?.text;
    const line = firstDifference(committed ?? '', await render());
    if (line === undefined) return [];
    const fault = committed === undefined ? 'is missing' : 'is not what the code says';
    return [{ path, line, message: `this generated document ${fault}: run "npm run gen"` }];
  });
  return (await Promise.all(stale)).flat();
}

function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined;
  const linesA = a.split('\n');
  const linesB = b.split('\n');
  const at = linesA.findIndex((line, index) => line !== linesB[index]);
  return (at === -1 ? linesA.length : at) + 1;
}
