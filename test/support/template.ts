import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Beside the packages, and as trusted as these; `npm ci` begins anew. One that got old stays until then: somebody may be copying it. */
const TEMPLATES = join(ROOT, 'node_modules/.cache/rialto-tests');

/** What is copied for a test instead of being made for it. */
export interface TemplateRecipe {
  /** Of the file or directory. */
  readonly name: string;
  /** Patterns of the files, from the project's root, that it is made of: it is made anew when one differs. */
  readonly sources: readonly string[];
  /** Makes it at a path where nothing is. It is whole when this ends: nobody has it open. */
  readonly make: (path: string) => Promise<void>;
}

/**
 * Where a template lies, which is made when there is none of these sources yet. Processes that find
 * none at the same time each make one, and one of them stays.
 */
export async function findTemplate({ name, sources, make }: TemplateRecipe): Promise<string> {
  const path = join(TEMPLATES, `${name}-${hashOf([...sources, 'package.json'])}`);
  if (existsSync(path)) return path;
  mkdirSync(TEMPLATES, { recursive: true });
  const making = mkdtempSync(`${path}.making-`);
  try {
    const made = join(making, name);
    await make(made);
    renameSync(made, path);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return path;
}

function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync([...patterns], { cwd: ROOT }).toSorted()) {
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
