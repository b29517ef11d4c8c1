import { createHash } from 'node:crypto';
import { safeHtml, type Html } from '../../base/html.ts';

/** In the console's colours, light and dark. No character of it is one that a template escapes. */
const STYLE = [
  ':root{color-scheme:light dark;--text:#1a1a1a;--dim:#5c636a;--canvas:#f6f8f9;--paper:#fff;--line:#dee2e6;--field:#868e96;--lagoon:#0b7084;--soft:#f1f3f5;--red:#a61e1e}',
  '@media(prefers-color-scheme:dark){:root{--text:#e6e8ea;--dim:#a3abb2;--canvas:#141619;--paper:#1b1e22;--line:#383d43;--field:#868e96;--lagoon:#31afc8;--soft:#25292e;--red:#ff8787}}',
  'body{font:.875rem/1.55 ui-sans-serif,system-ui,sans-serif;color:var(--text);background:var(--canvas);margin:0}',
  'header{display:flex;align-items:center;gap:.625rem;font-weight:700;font-size:1.25rem;padding:.875rem 1.25rem;background:var(--paper);border-bottom:1px solid var(--line)}',
  'main{box-sizing:border-box;max-width:30rem;margin:2.5rem auto;padding:1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}',
  'h1{font-size:1.5rem;line-height:1.25;font-weight:650;margin:0 0 .75rem}h2{font-size:1.125rem;line-height:1.35;font-weight:650;margin:1.5rem 0 .5rem}',
  'a{color:var(--lagoon)}p{margin:.5rem 0}',
  'label{display:block;font-weight:600;margin-top:1rem}',
  'input{box-sizing:border-box;width:100%;font:inherit;color:inherit;background:var(--paper);padding:.5rem .75rem;margin-top:.25rem;border:1px solid var(--field);border-radius:.5rem}',
  'input[readonly]{background:var(--soft)}',
  '.rule{color:var(--dim);font-size:.75rem;margin:.25rem 0 0}',
  '.choice{display:flex;gap:.5rem;font-weight:400}.choice input{width:auto;flex:none;align-self:start;margin-top:.3rem}',
  'code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8125rem;overflow-wrap:anywhere}',
  '.value{display:flex;gap:.5rem;align-items:center;background:var(--soft);border-radius:.5rem;padding:.5rem .75rem}.value code{flex:1}',
  'button{font:inherit;font-weight:600;padding:.375rem .75rem;border:1px solid var(--line);border-radius:.5rem;color:inherit;background:var(--paper);cursor:pointer}',
  '.primary{width:100%;margin-top:1.5rem;padding:.625rem 1rem;border:0;background:var(--lagoon);color:#fff}',
  'input:focus-visible,button:focus-visible,a:focus-visible{outline:2px solid var(--lagoon);outline-offset:2px}',
  '.problem{color:var(--red);border-left:4px solid var(--red);margin:1rem 0;padding:.25rem .75rem}',
  '.who{overflow-wrap:anywhere}[hidden]{display:none}',
  '@media(prefers-color-scheme:dark){.primary{color:#101214}}',
].join('');

/**
 * Copies what stands beside a button, where the browser lets a page do so: over https, or on this
 * machine. Without it the buttons stay hidden. Nothing of it is escaped, either.
 */
const SCRIPT = [
  'if (navigator.clipboard) for (const button of document.querySelectorAll(`.value button`)) {',
  'button.hidden = false;',
  'button.addEventListener(`click`, async function () {',
  'await navigator.clipboard.writeText(button.parentElement.querySelector(`code`).textContent);',
  'button.textContent = `Copied`;',
  '});',
  '}',
].join('');

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Headers of every page here. Nothing is loaded, and nothing runs but the script above, which only a
 * page with something to copy has; the form goes back to where it came from. The address has a secret in it, so that nobody keeps it or learns it
 * as the referrer.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const;

/** The console's mark. */
const MARK = safeHtml`<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b7285"/><path d="M4 23h24v-2.5C25 14 21 10 16 10S7 14 4 20.500V23zm5 0c0-3.500 3-6.500 7-6.500s7 3 7 6.500" fill="none" stroke="#fff" stroke-width="2.200" stroke-linejoin="round"/><path d="M11.500 11.500h9L16 7z" fill="#fff"/></svg>`;

/** Something to be taken along, with a button that copies it. */
export function copied(value: string, what: string): Html {
  return safeHtml`<div class="value"><code>${value}</code><button type="button" aria-label="Copy ${what}" hidden>Copy</button></div>`;
}

/** A page of a one-time link, which looks like the console, with the script if there is something to copy. */
export function page(title: string, body: Html, copies = false): string {
  return safeHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} – Rialto</title>
<style>${STYLE}</style>
</head>
<body>
<header>${MARK}Rialto</header>
<main>
<h1>${title}</h1>
${body}
</main>
${copies ? safeHtml`<script>${SCRIPT}</script>` : ''}
</body>
</html>
`.toString();
}
