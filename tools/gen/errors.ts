import { ERRORS } from '../../src/base/errors.ts';
import { table } from './table.ts';

type ErrorTable = Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** `docs/reference/errors.md`: a row for every error that the exchange answers with. */
export function errorsReference(errors: ErrorTable = ERRORS): string {
  const rows = Object.entries(errors).map(([code, { status, message }]) => [
    `\`${code}\``,
    String(status),
    message,
  ]);
  return [
    '# Errors',
    '',
    '<!-- Written by "npm run gen" from src/base/errors.ts; change it there. -->',
    '',
    'What the exchange refuses is answered with one of these statuses and its `code` (requests that are',
    'no HTTP, or too slow, get a bare 400, 408, 413, 417 or 431). A code never changes',
    'its meaning, so that a program may rely on it; the message is for people and may be reworded. Where',
    'a document is at fault, `errors` lists what is wrong in it: a JSON pointer (RFC 6901) and a message',
    'that says what would be right.',
    '',
    ...table(['Code', 'Status', 'Message'], rows),
    '',
  ].join('\n');
}
