import { safeHtml, type Html } from '../../base/html.ts';

/** Why there is no console to be served. */
export type BuildState =
  | { readonly state: 'building' }
  /** What the build has printed last; none where that is not for everybody. */
  | { readonly state: 'failed'; readonly lines: readonly string[] }
  /** Nobody builds it here. */
  | { readonly state: 'idle' };

/** How soon the page looks again, in seconds: a build takes some, a person longer. */
const BUILDING_REFRESH_S = 3;
const OTHERWISE_REFRESH_S = 10;

/** How long until it is worth asking again, in seconds. */
export function refreshSeconds({ state }: BuildState): number {
  return state === 'building' ? BUILDING_REFRESH_S : OTHERWISE_REFRESH_S;
}

/** Stands in for the console while there is none; without a script, in the reference's style. */
export function pendingPage(build: BuildState): string {
  const page = safeHtml`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="refresh" content="${refreshSeconds(build)}" />
        <title>Rialto</title>
        <link rel="stylesheet" href="/reference/style.css" />
      </head>
      <body>
        <header>
          ${contentOf(build)}
          <p>The API works meanwhile: see its <a href="/reference/">reference</a>.</p>
        </header>
      </body>
    </html> `;
  return page.toString();
}

function contentOf(build: BuildState): Html {
  switch (build.state) {
    case 'building':
      return safeHtml`<h1>The console is being built</h1>
        <p role="status">
          This takes less than a minute after an installation or an update. The page shows the
          console when it is there.
        </p>`;
    case 'failed':
      return safeHtml`<h1>The console could not be built</h1>
        <p>
          To try again run <code>npm run build</code> in the checkout, where development
          dependencies are installed. The page shows the console when it is there.
          ${build.lines.length === 0 ? 'The log of control has what the build said.' : 'The build said:'}
        </p>
        ${build.lines.length === 0 ? '' : safeHtml`<pre><code>${build.lines.join('\n')}</code></pre>`}`;
    case 'idle':
      return safeHtml`<h1>The console is not built</h1>
        <p>
          Run <code>npm run build</code> in the checkout, where development dependencies are
          installed. The page shows the console when it is there.
        </p>`;
  }
}
