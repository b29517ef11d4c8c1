import { mask } from './mask.ts';
import { lineAt, type SourceFile } from './source.ts';

/** One module that a module names: by import, re-export, `import('…')` or `require('…')`. */
export interface Import {
  /** As it is written; undefined where it is computed and can be known only when it runs. */
  readonly specifier: string | undefined;
  /** `import type …` or `export type …`: nothing of it is left when the code runs. */
  readonly typeOnly: boolean;
  /** From 1. */
  readonly line: number;
}

/** The head of every form that names a module; what follows it is the specifier. */
const HEAD = /(?<![.#\w$])(?:from\s*(?=['"])|import\s*(?=['"])|(?:import|require)\s*\(\s*)/g;

/** Every module that `file` names, in order; what stands in comments and strings is none. */
export function importsOf(file: SourceFile): readonly Import[] {
  const { code } = mask(file.text);
  return Array.from(code.matchAll(HEAD), (head) => {
    const start = head.index + head[0].length;
    return {
      specifier: literalAt(file.text, code, start),
      typeOnly: head[0].startsWith('from') && isTypeOnly(code.slice(0, head.index)),
      line: lineAt(file.text, start),
    };
  });
}

/** A whole literal, blanked in `code`, as the text has it; undefined for a larger expression. */
function literalAt(text: string, code: string, start: number): string | undefined {
  const whole = /^(['"`])\s*\1(?=\s*(?:[,);]|with\b|\n|$))/.exec(code.slice(start));
  return whole === null ? undefined : text.slice(start + 1, start + whole[0].length - 1);
}

/**
 * Whether the clause before a `from` is `import type …` or `export type …`. `import { type A }` is
 * not: under `verbatimModuleSyntax` it still loads the module.
 */
function isTypeOnly(before: string): boolean {
  const keyword = Math.max(before.lastIndexOf('import '), before.lastIndexOf('export '));
  return /^(?:import|export)\s+type\s+[^\s,]/.test(before.slice(keyword));
}
