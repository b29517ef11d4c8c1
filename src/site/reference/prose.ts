import { safeHtml, type Html } from '../../base/html.ts';

/** The little of Markdown that descriptions have: paragraphs and code. */
export function prose(markdown: string): Html[] {
  return markdown.split(/\n{2,}/).map((paragraph) => safeHtml`<p>${inline(paragraph)}</p>`);
}

/** Every second piece between backticks is code. */
export function inline(markdown: string): Html[] {
  return markdown
    .split('`')
    .map((piece, index) =>
      index % 2 === 0 ? safeHtml`${piece}` : safeHtml`<code>${piece}</code>`,
    );
}
