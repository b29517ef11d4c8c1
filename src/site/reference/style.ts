/** The style of the reference, in both themes and at any width. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1f24, #e4e7eb);
  --soft: light-dark(#57606a, #a2abb5);
  --line: light-dark(#d5dae0, #333b45);
  --page: light-dark(#ffffff, #14181d);
  --raised: light-dark(#f5f7f9, #1c2229);
  --link: light-dark(#0b57a8, #7db8f5);
  --good: light-dark(#17692f, #7fd697);
  --bad: light-dark(#a1281f, #f59b92);
  --change: light-dark(#7a4a00, #f0bd6a);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0;
  background: var(--page);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
header, .columns { max-width: 84rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.35rem; margin: 2.75rem 0 0.5rem; }
h3 { font-size: 1.1rem; margin: 0 0 0.5rem; }
h4 { font-size: 0.95rem; margin: 1.5rem 0 0.5rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
main:focus { outline: none; }
code, pre { font: 0.875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre {
  margin: 0.5rem 0;
  padding: 0.75rem 1rem;
  overflow: auto;
  max-height: 32rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 6px;
  overflow-wrap: normal;
}
pre code { font-size: 0.8125rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; display: inline-block; padding: 0.5rem 1.25rem; }
nav { font-size: 0.9rem; }
nav ul { list-style: none; margin: 0.25rem 0 0.75rem; padding: 0; }
nav ul ul { padding-left: 0.75rem; border-left: 1px solid var(--line); }
nav li a { display: block; padding: 0.2rem 0; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
nav ul ul a { color: var(--ink); }
.operation { padding: 1.5rem 0; border-top: 1px solid var(--line); }
.operation:target h3 { text-decoration: underline; text-decoration-color: var(--link); }
.call { margin: 0 0 0.75rem; }
.method { display: inline-block; min-width: 3.5rem; font: 700 0.8125rem ui-monospace, Menlo, Consolas, monospace; color: var(--good); }
.method.post, .method.put, .method.patch { color: var(--change); }
.method.delete { color: var(--bad); }
.access { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; margin: 0.5rem 0; font-size: 0.9rem; }
.access div { display: flex; gap: 0.5rem; }
.access dt { color: var(--soft); }
.access dd { margin: 0; }
.contents { max-height: 15rem; overflow-y: auto; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; }
.table { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; overflow-wrap: normal; }
th, td { padding: 0.4rem 1rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 400; }
thead th { color: var(--soft); font-size: 0.8125rem; }
td:last-child { min-width: 14rem; padding-right: 0; }
.required { color: var(--change); font-size: 0.75rem; white-space: nowrap; }
.answer { margin: 0; padding: 0.35rem 0; font-size: 0.9rem; }
p.answer { display: flex; gap: 0.75rem; padding-left: 1.25rem; }
.answer summary { cursor: pointer; display: flex; gap: 0.75rem; }
.answer summary::before { content: "+"; width: 0.5rem; color: var(--soft); font-family: ui-monospace, monospace; }
.answer[open] summary::before { content: "-"; }
.answer[open] { padding-bottom: 1rem; }
.status { font: 700 0.8125rem/1.7 ui-monospace, Menlo, Consolas, monospace; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.headers { padding-left: 1.25rem; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: 3rem; }
  nav { position: sticky; top: 0; align-self: start; }
  .contents { max-height: 100vh; padding: 1rem 0; border: 0; }
  main { padding: 0.5rem 0 4rem; }
}
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody { display: block; }
  tr { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  th, td { padding: 0; border: 0; }
  td { color: var(--soft); }
  td:last-child { flex-basis: 100%; min-width: 0; color: var(--ink); }
}
@media print {
  nav, .skip { display: none; }
  pre { max-height: none; white-space: pre-wrap; }
}
`;
