import { escapeHtml } from '../base/escape-html.ts';

/** What a page opens for one partner. */
export interface Sync {
  readonly partner: number;
  readonly type: 'image' | 'iframe';
  readonly url: string;
}

/**
 * Nothing runs on the page but what partners bring in frames of their own. Where a picture leads on
 * to cannot be known before, so that any host may answer.
 */
export const SYNC_PAGE_POLICY =
  "default-src 'none'; img-src https: http:; frame-src https: http:; base-uri 'none'; form-action 'none'";

/** A page for a hidden frame, without a script of ours. */
export function renderSyncPage(syncs: readonly Sync[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>User matching</title></head>',
    '<body>',
    ...syncs.map(renderSync),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A partner's frame is of another origin than ours, and may run its own scripts there. */
function renderSync({ type, url }: Sync): string {
  const src = escapeHtml(url);
  return type === 'image'
    ? `<img src="${src}" alt="" width="1" height="1" referrerpolicy="no-referrer">`
    : `<iframe src="${src}" title="" width="1" height="1" sandbox="allow-scripts allow-same-origin" referrerpolicy="no-referrer"></iframe>`;
}

export const OPT_OUT_PAGE_POLICY =
  "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** The page on which people say whether the exchange may match them. */
export function renderOptOutPage(optedOut: boolean): string {
  const [state, choice, label] = optedOut
    ? ['You have opted out: nothing is kept, sent or matched.', 'in', 'Opt in again']
    : ['This exchange may match this browser with its partners.', 'out', 'Opt out'];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Opt out of user matching</title></head>',
    '<body>',
    '<h1>User matching</h1>',
    `<p>${state}</p>`,
    `<form method="post" action="?choice=${choice}"><button>${label}</button></form>`,
    '<p>The choice is kept in a cookie of this browser. If you remove the cookie, make the choice again.</p>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
