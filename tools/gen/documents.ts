import { errorsReference } from './errors.ts';

/** A document that is written from the code, and committed so that it can be read without it. */
export interface GeneratedDocument {
  /** From the root of the repository. */
  readonly path: string;
  /** Its whole text, formatted as oxfmt would. */
  readonly render: () => string;
}

/** Every generated document; `npm run gen` writes them, `npm run check` compares them. */
export const DOCUMENTS: readonly GeneratedDocument[] = [
  { path: 'docs/reference/errors.md', render: errorsReference },
];
