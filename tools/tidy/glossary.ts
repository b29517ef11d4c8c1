import { lineAt, type SourceFile, type Violation } from './source.ts';

const GLOSSARY = 'docs/reference/glossary.md';
/** What people read: documents, the console, and the messages and descriptions in modules. */
const READ = /^(?:docs\/|README\.md$|ARCHITECTURE\.md$|console\/src\/|src\/)/;

/** No phrase that the glossary refuses, in anything that people read. */
export function glossary(files: readonly SourceFile[]): Violation[] {
  const table = files.find(({ path }) => path === GLOSSARY)?.text ?? '';
  const [, refused = ''] = table.split('\n## Not used\n');
  const phrases = Array.from(
    refused.matchAll(/^\| ([a-z][^|]*?) +\| ([^|]*?) +\|$/gm),
    (match) => ({
      phrase: match[1] ?? '',
      instead: match[2] ?? '',
    }),
  ).filter(({ phrase }) => phrase !== 'instead of');
  return files
    .filter(({ path }) => READ.test(path) && path !== GLOSSARY)
    .flatMap(({ path, text }) => {
      const lower = text.toLowerCase();
      return phrases.flatMap(({ phrase, instead }) => {
        const at = lower.indexOf(phrase);
        if (at < 0) return [];
        return [{ path, line: lineAt(text, at), message: `"${phrase}": say "${instead}"` }];
      });
    });
}
