import { createHash } from 'node:crypto';
import type { OpenLink } from '../../identity/one-time-links.ts';
import { safeHtml, type Html } from './html.ts';

/** No character of it is one that a template escapes: the policy has the hash of its bytes. */
const STYLE = [
  'body{font:1rem/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;margin:0 auto;max-width:26rem;padding:1.5rem}',
  'h1{font-size:1.5rem;line-height:1.25}',
  'label{display:block;font-weight:600;margin-top:1rem}',
  'input{box-sizing:border-box;width:100%;font:inherit;padding:.5rem;border:1px solid #666;border-radius:.25rem}',
  'input[readonly]{background:#f2f2f2}',
  '.choice{font-weight:400}.choice input{width:auto;margin-right:.5rem}',
  'code{overflow-wrap:anywhere}pre{white-space:pre-wrap;background:#f2f2f2;padding:.75rem;border-radius:.25rem}',
  'button{font:inherit;font-weight:600;margin-top:1.5rem;padding:.625rem 1rem;width:100%;border:0;border-radius:.25rem;background:#1a4fb4;color:#fff}',
  'input:focus-visible,button:focus-visible{outline:3px solid #f5a623;outline-offset:1px}',
  '.problem{border-left:4px solid #b3261e;margin:1rem 0;padding:.25rem .75rem}',
  '.who{overflow-wrap:anywhere}',
].join('');

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Headers of every page here. Nothing runs and nothing is loaded; the form goes back to where it
 * came from. The address has a secret in it, so that nobody keeps it or learns it as the referrer.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const;

/** What stands in the form. */
export interface FormState {
  readonly link: OpenLink;
  readonly token: string;
  /** What somebody has typed as their address, where the form asks for it. */
  readonly email: string;
  /** What has to change; a password is never sent back. */
  readonly problems: readonly string[];
}

/** The form on which somebody chooses a password, and the first operator an address. */
export function formPage({ link, token, email, problems }: FormState): string {
  const isFirst = link.user === null;
  const title = isFirst ? 'Create the first operator' : 'Choose a password';
  return page(
    title,
    safeHtml`<h1>${title}</h1>
${problems.map((problem) => safeHtml`<p class="problem" role="alert">${problem}</p>`)}
<form method="post" action="?">
<input type="hidden" name="token" value="${token}">
<label for="email">E-mail address</label>
${isFirst ? askedEmail(email) : shownEmail(link.user?.email ?? '')}
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required aria-describedby="rule">
<p id="rule">8 characters or more.</p>
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="8" required>
<label class="choice"><input type="checkbox" name="application" value="yes"${isFirst ? safeHtml` checked` : ''}>Make an application as well: a client id and a secret, with which programs and the <code>rialto</code> command sign in</label>
<button>${isFirst ? 'Create the operator' : 'Set the password'}</button>
</form>`,
  );
}

function askedEmail(email: string): Html {
  return safeHtml`<input id="email" name="email" type="email" autocomplete="username" value="${email}" required>`;
}

/** It is not sent: whose password it is, the link alone says. A password manager keeps it. */
function shownEmail(email: string): Html {
  return safeHtml`<input id="email" type="text" autocomplete="username" value="${email}" readonly>`;
}

/** What a program signs in with, as it was made; shown this once. */
export interface ShownApplication {
  readonly clientId: string;
  readonly secret: string;
}

/** What is said once a link was used. */
export interface Done {
  readonly link: OpenLink;
  readonly email: string;
  /** Control's address that others see. */
  readonly authUrl: string;
  /** Null where none was asked for. */
  readonly application: ShownApplication | null;
}

/** After the link was used. */
export function donePage({ link, email: who, authUrl, application }: Done): string {
  const [title, said] =
    link.user === null
      ? ['The operator is created', 'is the exchange’s first operator.']
      : ['The password is set', 'has a new password.'];
  return page(
    title,
    safeHtml`<h1>${title}</h1>
<p><span class="who">${who}</span> ${said}</p>
${application === null ? [] : applicationPart(application, authUrl)}
<p>This link is used up. <a href="/">Sign in</a> with the e-mail address and the password.</p>`,
  );
}

function applicationPart({ clientId, secret }: ShownApplication, authUrl: string): Html {
  return safeHtml`<h2>Your application</h2>
<p>Client id: <code>${clientId}</code></p>
<p>Client secret, shown this once: <code>${secret}</code></p>
<p>Sign in with</p>
<pre><code>npx rialto login --url ${authUrl} --client-id ${clientId}</code></pre>
<p>and give the secret when you are asked for it. Programs get tokens at <code>${authUrl}/v2/auth/token/</code>.</p>`;
}

/** Nobody is told whether the link was used, has expired, or never was. */
export function closedPage(): string {
  const title = 'This link does not work';
  return page(
    title,
    safeHtml`<h1>${title}</h1>
<p>It was used already, has expired, was replaced by a newer one, or was not copied as a whole.</p>
<p>Ask whoever sent it for another one. A link for the first operator is printed by <code>rialto start</code>.</p>`,
  );
}

/** Nothing was looked at. */
export function waitPage(seconds: number): string {
  const title = 'Try again later';
  const time = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return page(
    title,
    safeHtml`<h1>${title}</h1>
<p>There is too much to do. Nothing has changed; try again in ${time}.</p>`,
  );
}

/** What was sent is not what the form sends. */
export function badPage(): string {
  const title = 'Open the link again';
  return page(
    title,
    safeHtml`<h1>${title}</h1>
<p>What came is not what the form on the link’s page sends. Nothing has changed.</p>`,
  );
}

/** Something was not foreseen, and is in the log. */
export function failedPage(): string {
  const title = 'This did not work';
  return page(
    title,
    safeHtml`<h1>${title}</h1>
<p>The exchange failed; the fault is in its log. Open the link again.</p>`,
  );
}

function page(title: string, body: Html): string {
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
<main>
${body}
</main>
</body>
</html>
`.toString();
}
