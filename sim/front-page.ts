import type { AdSpace, Size } from './catalogue.ts';

/** What a front page is made of. */
export interface FrontPage {
  /** Name of the site. */
  readonly name: string;
  /** Address of the exchange, without a slash at the end. */
  readonly exchangeUrl: string;
  /** The site's ad spaces for banners. */
  readonly adSpaces: readonly AdSpace[];
}

/**
 * The front page of a publisher's site with the exchange's tag: an ad at once, one that comes when
 * the reader does, and one that is refreshed, beside a list of what the tag tells as it happens.
 */
export function frontPage({ name, exchangeUrl, adSpaces }: FrontPage): string {
  const slots = SLOTS.map(({ note, attributes }, index) => {
    const adSpace = adSpaces[index % adSpaces.length];
    if (adSpace === undefined) return '';
    return slot(adSpace, note, attributes);
  });
  const [first = '', lazy = '', refreshed = ''] = slots;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${name}</title>
<style>${STYLE}</style>
<script>${LISTENER}</script>
<script async src="${exchangeUrl}/tag.js"></script>
</head>
<body>
<header><h1>${name}</h1><p>A demonstration of the tag for web pages. Its ads come from this machine.</p></header>
<main>
<article>
<h2>Ad arrives on time, reader unharmed</h2>
<div class="picture" role="img" aria-label="Sunrise over a page"></div>
${text(0)}
<h2>Sandbox holds, says sand</h2>
${text(1)}
${text(2)}
<h2>Half of it, for one second</h2>
${text(3)}
${lazy}
</article>
<aside>
${first}
<section aria-label="What the tag tells"><h3>What the tag tells</h3><ol id="told" reversed></ol></section>
${refreshed}
</aside>
</main>
<iframe src="${exchangeUrl}/sync" title="User matching" hidden></iframe>
</body>
</html>
`;
}

/** How each place of the page asks for its ad. */
const SLOTS: readonly { readonly note: string; readonly attributes: string }[] = [
  { note: 'asked for at once', attributes: ' data-rialto-keywords="news,front"' },
  { note: 'asked for when it comes near', attributes: ' data-rialto-lazy="100"' },
  { note: 'another one every 30 s', attributes: ' data-rialto-refresh="30"' },
];

function slot({ id, banner }: AdSpace, note: string, attributes: string): string {
  const { w, h }: Size = banner?.sizes[0] ?? { w: 300, h: 250 };
  return (
    `<figure style="width:${w}px"><figcaption>Advertisement <span>${id}, ${note}</span></figcaption>` +
    `<div data-rialto="${id}" data-rialto-size="${w}x${h}"${attributes}></div></figure>`
  );
}

const TEXTS: readonly string[] = [
  'Witnesses report that the advertisement came up beside the article, at the size that had been kept free for it, and that nothing on the page moved. “I went on reading”, said one of them.',
  'The markup had been told to leave for another address on its own. It tried the window, the parent, a form and a link. Then it waited for a click, as everything in its frame has to.',
  'Asked for a statement, the page said that it had heard nothing at all: no cookie was read, no storage opened, no dialog shown.',
  'An impression counts when the ad has been rendered, a view when half of it was on the screen for a second without a break. Scroll down to see the next one asked for, and look at the list for what was counted.',
];

function text(index: number): string {
  return `<p>${TEXTS[index] ?? ''}</p>`;
}

const STYLE = `
*{box-sizing:border-box}
body{margin:0;background:#faf8f4;color:#1c1b19;font:17px/1.6 Georgia,'Times New Roman',serif}
header{border-bottom:3px double #1c1b19;margin:0 auto;max-width:1040px;padding:28px 20px 12px;text-align:center}
h1{font-size:44px;line-height:1.1;margin:0}
header p{color:#6a655c;font-size:15px;margin:6px 0 0}
main{display:grid;gap:44px;grid-template-columns:minmax(0,1fr) 320px;margin:0 auto;max-width:1040px;padding:20px}
h2{font-size:27px;line-height:1.25;margin:18px 0 6px}
figure{background:#efebe2;margin:18px auto;padding:0}
figcaption{color:#6a655c;display:flex;font:12px/2 system-ui,sans-serif;justify-content:space-between;padding:0 6px}
aside figure{margin:18px 10px}
section{font:13px/1.5 system-ui,sans-serif;margin:0 10px}
h3{font-size:14px;margin:0 0 4px}
ol{height:270px;list-style:none;margin:0;overflow:auto;padding:0}
li{border-top:1px solid #ddd6c8;display:flex;padding:3px 0}
li b{flex:0 0 76px}
article p{margin:0 0 14px}
.picture{background:linear-gradient(transparent 75%,#2b3a42 75%),radial-gradient(circle at 50% 75%,#f4c95d 90px,transparent 92px),linear-gradient(#37597d,#d98a5b 75%);height:340px;margin:0 0 14px}
@media(max-width:760px){main{grid-template-columns:minmax(0,1fr)}}
`;

/** Writes down what happens, the newest first. */
const LISTENER = `
window.rialto = window.rialto || { cmd: [] };
rialto.cmd.push(function (api) {
  ['filled', 'empty', 'rendered', 'viewable', 'clicked', 'error'].forEach(function (name) {
    api.on(name, function (event) {
      if (name === 'filled' || name === 'empty') event.element.parentNode.hidden = name === 'empty';
      var line = document.createElement('li');
      var what = document.createElement('b');
      what.textContent = name;
      var more = event.message || (event.adomain && event.adomain.length ? event.adomain[0] : '');
      line.append(what, 'ad space ' + event.adSpace + (more ? ', ' + more : ''));
      document.getElementById('told').prepend(line);
    });
  });
});
`;
