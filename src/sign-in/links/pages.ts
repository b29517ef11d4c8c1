import type { LinkPurpose } from '../../identity/link-purposes.ts';
import type { OpenLink } from '../../identity/one-time-links.ts';
import { safeHtml, type Html } from '../../base/html.ts';
import { copied, page } from './page-frame.ts';

/** What stands in the form. */
export interface FormState {
  readonly link: OpenLink;
  readonly token: string;
  /** What somebody has typed as their address, where the form asks for it. */
  readonly email: string;
  /** What has to change; a password is never sent back. */
  readonly problems: readonly string[];
}

/** The form on which somebody chooses a password, and the first operator an address, or gives up a second factor. */
export function formPage({ link, token, email, problems }: FormState): string {
  if (link.purpose === 'second_factor') return secondFactorPage(link, token);
  const isFirst = link.user === null;
  const title = isFirst ? 'Create the first operator' : 'Choose a password';
  return page(
    title,
    safeHtml`${problems.map((problem) => safeHtml`<p class="problem" role="alert">${problem}</p>`)}
<form method="post" action="?">
<input type="hidden" name="token" value="${token}">
<label for="email">E-mail address</label>
${isFirst ? askedEmail(email) : shownEmail(link.user?.email ?? '')}
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required aria-describedby="rule">
<p id="rule" class="rule">8 characters or more.</p>
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="8" required>
${link.offersApplication ? applicationChoice(isFirst) : []}
<button class="primary">${isFirst ? 'Create the operator' : 'Set the password'}</button>
</form>`,
  );
}

function secondFactorPage({ user }: OpenLink, token: string): string {
  return page(
    'Remove the second factor',
    safeHtml`<p>For whoever has lost the device or the app that makes the codes of <span class="who">${user?.email ?? ''}</span>. The password alone signs in afterwards, and all sessions end. Set up another second factor then.</p>
<form method="post" action="?">
<input type="hidden" name="token" value="${token}">
<button class="primary">Remove the second factor</button>
</form>`,
  );
}

function applicationChoice(isFirst: boolean): Html {
  return safeHtml`<label class="choice"><input type="checkbox" name="application" value="yes"${isFirst ? safeHtml` checked` : ''}><span>Make an application as well: a client id and a secret, with which programs and the <code>rialto</code> command sign in</span></label>`;
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

const DONE: Readonly<Record<LinkPurpose, readonly [title: string, said: string]>> = {
  first_operator: ['The operator is created', 'is the exchange’s first operator.'],
  invitation: ['The password is set', 'has a new password.'],
  password: ['The password is set', 'has a new password.'],
  second_factor: ['The second factor is removed', 'has no second factor any more.'],
};

/** After the link was used. */
export function donePage({ link, email: who, authUrl, application }: Done): string {
  const [title, said] = DONE[link.purpose];
  return page(
    title,
    safeHtml`<p><span class="who">${who}</span> ${said}</p>
${application === null ? [] : applicationPart(application, authUrl)}
<p>This link is used up. <a href="/">Sign in</a> with the e-mail address and the password.</p>`,
    application !== null,
  );
}

function applicationPart({ clientId, secret }: ShownApplication, authUrl: string): Html {
  return safeHtml`<h2>Your application</h2>
<p>Client id</p>
${copied(clientId, 'the client id')}
<p>Client secret, shown this once</p>
${copied(secret, 'the client secret')}
<p>Sign in with</p>
${copied(`npx rialto login --url ${authUrl} --client-id ${clientId}`, 'the command')}
<p>and give the secret when you are asked for it. Programs get tokens at <code>${authUrl}/v2/auth/token/</code>.</p>`;
}

/** Nobody is told whether the link was used, has expired, or never was. */
export function closedPage(): string {
  const title = 'This link does not work';
  return page(
    title,
    safeHtml`<p>It was used already, has expired, was replaced by a newer one, or was not copied as a whole.</p>
<p>Ask whoever sent it for another one. A link for the first operator is printed by <code>rialto start</code>.</p>`,
  );
}

/** Nothing was looked at. */
export function waitPage(seconds: number): string {
  const title = 'Try again later';
  const time = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return page(
    title,
    safeHtml`<p>There is too much to do. Nothing has changed; try again in ${time}.</p>`,
  );
}

/** What was sent is not what the form sends. */
export function badPage(): string {
  const title = 'Open the link again';
  return page(
    title,
    safeHtml`<p>What came is not what the form on the link’s page sends. Nothing has changed.</p>`,
  );
}

/** Something was not foreseen, and is in the log. */
export function failedPage(): string {
  const title = 'This did not work';
  return page(
    title,
    safeHtml`<p>The exchange failed; the fault is in its log. Open the link again.</p>`,
  );
}
