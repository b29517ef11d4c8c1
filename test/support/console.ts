import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { Audience } from '../../sim/audience.ts';
import { readCatalogue } from '../../sim/catalogue.ts';
import { EAGER_BEHAVIOUR } from '../../sim/page.ts';
import { createTraffic } from '../../sim/publisher.ts';
import { buildConsole } from '../../tools/console/build.ts';
import { openPage } from './browser.ts';
import { startExchange, type StartedExchange } from './exchange.ts';
import { reportOf } from './money.ts';
import { REPORT_PAUSE_MS, until } from './wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../../examples/exchange.yaml', import.meta.url));

/** Generous: pages are made while other tests run. */
export const PAGE_MS = 30_000;
export const LAYOUT_MS = 5_000;

/** One user of each role, of the example. */
export const USERS = {
  operator: { email: 'operator@example.com', password: 'operator-password', home: '/operator' },
  'demand-partner': {
    email: 'engineer@acme.example',
    password: 'acme-password',
    home: '/demand-partners/1001',
  },
  publisher: { email: 'ads@planet.example', password: 'planet-password', home: '/publishers/2001' },
} as const;

export type Role = keyof typeof USERS;

type Json = ReturnType<typeof JSON.parse>;

/** The example exchange with the console as it is built, and traffic that the reports have. */
export interface StartedConsole extends StartedExchange {
  /** Where the console is, as a user has it: by name. */
  readonly url: string;
  /** Asks the management API as a program, with the token of the operator's or of Acme's application. */
  readonly call: (
    role: 'operator' | 'demand-partner',
    path: string,
    init?: RequestInit,
  ) => Promise<ApiAnswer>;
}

/** What the API has answered a program. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: Json;
}

/** A page of the console that is watched. */
export interface ConsolePage {
  readonly page: Page;
  /** Opens an address of the console and waits until all of it is there. */
  readonly visit: (path: string) => Promise<void>;
  /**
   * Nothing went wrong since it was last asked that a user or an owner of the exchange would mind.
   *
   * @param expected what the browser logs of refusals that the test wants.
   */
  readonly assertClean: (expected?: RegExp) => void;
}

/** Builds the console if there is no build of its sources, and starts the exchange with traffic. */
export async function startConsole(
  t: TestContext,
  options: Omit<Parameters<typeof startExchange>[0], 't'> & { readonly requests?: number } = {},
): Promise<StartedConsole> {
  const { requests = 60, ...others } = options;
  const problem = await buildConsole({
    root: ROOT,
    ifStale: true,
    signal: AbortSignal.timeout(120_000),
  });
  assert.equal(problem, null);
  const exchange = await startExchange({ t, ...others });
  await sendTraffic(exchange, requests);
  const { control } = exchange.node.urls;
  const tokens = new Map<string, Promise<string>>();
  return {
    ...exchange,
    url: control.replace('127.0.0.1', 'localhost'),
    call: async (role, path, init = {}) => {
      const [id, secret] =
        role === 'operator' ? ['ops', 'ops-secret'] : ['acme-client', 'acme-secret'];
      const token = tokens.get(id) ?? tokenOf(control, id, secret);
      tokens.set(id, token);
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${await token}`);
      return answerOf(await fetch(control + path, { ...init, headers }));
    },
  };
}

/** Gets an access token as the documentation says. */
export async function tokenOf(control: string, id: string, secret: string): Promise<string> {
  const answer = await answerOf(
    await fetch(`${control}/v2/auth/token/`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
        scope: 'read write',
      }),
    }),
  );
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.access_token;
}

async function answerOf(answer: Response): Promise<ApiAnswer> {
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

/** Asks for ads as the example's publishers do, shows them, and waits until reports have all of it. */
async function sendTraffic(exchange: StartedExchange, requests: number): Promise<void> {
  if (requests === 0) return;
  const traffic = createTraffic({ catalogue: readCatalogue(EXAMPLE), seed: 'console' });
  const audience = new Audience({ seed: 'console', behaviour: EAGER_BEHAVIOUR });
  for (let index = 0; index < requests; index += 1) {
    const body = traffic.next();
    // A machine that is busy with other tests may refuse one, which no report has.
    const { text } = await until('the ad request is taken', PAGE_MS, async () => {
      const answer = await exchange.ask(body);
      return answer.status !== 503 && answer;
    });
    if (text !== '') audience.receive(body, text);
  }
  await audience.settled();
  await audience.close();
  const shown = audience.ledger.totals.beacons.impression.acknowledged;
  assert.ok(shown > 0, 'ads are shown');
  await until(
    'the traffic is reported',
    PAGE_MS,
    async () => {
      const row = await reportOf(exchange, 'supply', 'planet-report-token');
      return row?.['requests'] === requests && row['impressions'] === shown;
    },
    REPORT_PAUSE_MS,
  );
}

/** A page of the console in a browser profile of its own, signed in as the role; null for nobody. */
export async function openConsole(
  t: TestContext,
  { url, node }: Pick<StartedConsole, 'url' | 'node'>,
  role: Role | null,
  look: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const page = await openPage(t, {
    viewport: { width: 1280, height: 900 },
    // Colours on their way from one theme to the other are none that anybody reads.
    reducedMotion: 'reduce',
    ...look,
  });
  page.setDefaultTimeout(PAGE_MS);
  const wrong: string[] = [];
  page.on('console', (message) => {
    const type = message.type();
    if (type === 'error' || type === 'warning') wrong.push(`${type}: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`page error: ${String(error)}`));
  const exchange = new URL(node.urls.exchange).port;
  page.on('request', (request) => {
    const { origin, port, protocol } = new URL(request.url());
    if (origin === url || protocol === 'blob:') return;
    const frame = request.frame();
    // The preview of an ad is the exchange's document; what ads in it ask for is theirs.
    const isAd = frame !== page.mainFrame() && !request.isNavigationRequest();
    const isPreview = frame.parentFrame() === page.mainFrame() && port === exchange;
    const isWithinAd = frame.parentFrame() !== null && frame.parentFrame() !== page.mainFrame();
    if (!isAd && !isPreview && !isWithinAd) {
      wrong.push(`request to another origin: ${request.url()}`);
    }
  });
  if (role !== null) {
    const { email, password } = USERS[role];
    const signedIn = await page.request.post(`${url}/v2/auth/session/`, {
      data: { email, password },
    });
    assert.equal(signedIn.status(), 200, await signedIn.text());
  }
  return {
    page,
    visit: async (path) => {
      await page.goto(url + path);
      await untilLoaded(page);
    },
    assertClean: (expected) => {
      assert.deepEqual(
        wrong.splice(0).filter((each) => expected?.test(each) !== true),
        [],
        page.url(),
      );
    },
  };
}

/** Waits until a page has its heading, and nothing of it is on its way any more. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await until(`${page.url()} is loaded`, PAGE_MS, () =>
    page.evaluate("document.querySelector('[aria-busy=true]') === null"),
  );
}

/** What axe finds on a page that keeps somebody from using it, as one line each. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Not as a script tag, which the policy of the pages refuses.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const options = {
    resultTypes: ['violations'],
    // An ad's document is not the console's.
    iframes: false,
    ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
  };
  const found: Json = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return found.violations
    .filter(({ impact }: Json) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }: Json) =>
      nodes.map(({ html, failureSummary }: Json) => {
        return `${id}: ${html.slice(0, 200)} ${String(failureSummary).replaceAll(/\s+/g, ' ')}`;
      }),
    );
}

/** A name that breaks what takes it for markup, or for short, or for left to right. */
export const HOSTILE_NAME =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202Egnorw\u202C' +
  'w'.repeat(120);

/** The page shows `HOSTILE_NAME` as the text that it is, and stays as wide as the window. */
export async function assertHostileText(page: Page): Promise<void> {
  const text = await page.locator('main').innerText();
  assert.ok(text.includes('<img src=x'), `${page.url()} shows it`);
  assert.equal(await page.evaluate('window.hacked'), undefined);
  assert.equal(await page.locator('img[src=x]').count(), 0);
  await assertFits(page);
}

/** Nothing stands out of the window; charts take their width when they have seen it. */
export async function assertFits(page: Page): Promise<void> {
  await until(`${page.url()} is as wide as its window`, LAYOUT_MS, () =>
    page.evaluate('document.documentElement.scrollWidth === document.documentElement.clientWidth'),
  );
}

/** What a block of code on a page says, by what it is. */
export async function textOf(page: Page, what: string): Promise<string> {
  return page.getByRole('region', { name: what, exact: true }).innerText();
}

/** Asks what "Show the API call" shows of a page, as a program with a token of its own. */
export async function callShown(
  page: Page,
  server: StartedConsole,
  role: 'operator' | 'demand-partner',
  what: string,
): Promise<ApiAnswer> {
  await page.getByRole('button', { name: 'Show the API call' }).click();
  const command = await textOf(page, what);
  await page.keyboard.press('Escape');
  assert.match(command, /-H "Authorization: Bearer \$TOKEN"/);
  const url = new URL(/^curl '([^']*)'/.exec(command)?.[1] ?? assert.fail(command));
  assert.equal(url.origin, server.url);
  return server.call(role, url.pathname + url.search);
}

/** Does what a `curl` command of the console says. Not by a shell: a machine may have no curl. */
export async function runCommand(command: string): Promise<ApiAnswer> {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|([^\s\\'"]+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
  const after = (flag: string): string[] =>
    words.flatMap((word, index) => (word === flag ? [words[index + 1] ?? ''] : []));
  const form = after('--data-urlencode').map((each) => [
    each.slice(0, each.indexOf('=')),
    each.slice(each.indexOf('=') + 1),
  ]);
  const headers = after('-H').map((each) => each.split(': '));
  const address = words[1] ?? assert.fail(command);
  // By number, since name services differ.
  return answerOf(
    await fetch(address.replace('//localhost:', '//127.0.0.1:'), {
      headers: Object.fromEntries(headers),
      ...(form.length === 0 ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    }),
  );
}
