import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fileURLToPath } from 'node:url';
import {
  assertFits,
  axeFindings,
  LAYOUT_MS,
  openConsole,
  startConsole,
  type ConsolePage,
  type Role,
  type StartedConsole,
} from '../support/console.ts';
import { until } from '../support/wait.ts';

const SOURCES = fileURLToPath(new URL('../../console/src', import.meta.url));
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };

/** An address with what its heading says; `AUCTION`, `WEBHOOK` and `RECIPIENT` stand for the id of one that there is. */
type Address = readonly [path: string, heading: string | RegExp];

const PARTNER = '/demand-partners/1001';
const PUBLISHER = '/publishers/2001';

/** Every address of the console, each of it by a role that uses it. */
const ADDRESSES: Readonly<Record<Role | 'nobody', readonly Address[]>> = {
  nobody: [['/sign-in', 'Sign in']],
  operator: [
    ['/', 'Live'],
    ['/operator', 'Live'],
    ['/operator/demand-partners', 'Demand partners'],
    ['/operator/demand-partners/new', 'New demand partner'],
    ['/operator/demand-partners/1002', 'Bolt DSP'],
    ['/operator/publishers', 'Publishers'],
    ['/operator/publishers/new', 'New publisher'],
    ['/operator/publishers/2001', 'Daily Planet'],
    ['/operator/deals', 'Deals'],
    ['/operator/deals/new/deal', 'New deal'],
    ['/operator/deals/planet-acme-1', 'Planet first look'],
    ['/operator/auctions', 'Auctions'],
    ['/operator/auctions/AUCTION', /^Auction/],
    ['/operator/creatives', 'Creatives'],
    ['/operator/users', 'Users'],
    ['/operator/exchange', 'Settings'],
    ['/operator/audit-log', 'Audit log'],
    ['/operator/quarantine', 'Quarantine'],
    ['/operator/status', 'System status'],
  ],
  'demand-partner': [
    [PARTNER, 'Acme DSP'],
    [`${PARTNER}/line-items`, 'Line items'],
    [`${PARTNER}/line-items/new`, 'New line item'],
    [`${PARTNER}/line-items/501`, 'Acme everywhere'],
    [`${PARTNER}/line-items/501?tab=settings`, 'Acme everywhere'],
    [`${PARTNER}/discovery`, 'Inventory discovery'],
    [`${PARTNER}/lost-bids`, 'Lost bids'],
    [`${PARTNER}/auctions`, 'Auctions'],
    [`${PARTNER}/auctions/AUCTION`, /^Auction/],
    [`${PARTNER}/reports`, 'Reports'],
    [`${PARTNER}/reports?by=["country_code"]&where={"ad_format":"banner"}`, 'Reports'],
    [`${PARTNER}/bidder`, 'Bidder'],
    ['/v2/auth/applications/', 'Applications'],
    ['/v2/auth/applications/acme-client', 'acme-app'],
    ['/webhooks', 'Webhooks'],
    ['/webhooks/WEBHOOK', 'Pager'],
    ['/email-recipients', 'E-mail'],
    ['/email-recipients/RECIPIENT', 'Operations'],
    ['/account', 'Account'],
    ['/nothing/here', 'There is no such page'],
    ['/operator/users', 'There is no such page'],
    ['/demand-partners/1002/line-items', 'There is no such page'],
  ],
  publisher: [
    [PUBLISHER, 'Daily Planet'],
    [`${PUBLISHER}/properties`, 'Apps and sites'],
    [`${PUBLISHER}/properties/new`, 'Add a site'],
    [`${PUBLISHER}/properties/apps/3001`, 'Planet Reader'],
    [`${PUBLISHER}/properties/sites/3002`, 'planet.example'],
    [`${PUBLISHER}/ad-spaces`, 'Ad spaces'],
    [`${PUBLISHER}/ad-spaces/new`, 'Add an ad space'],
    [`${PUBLISHER}/ad-spaces/4004`, 'Front page box'],
    [`${PUBLISHER}/ad-spaces/4004?tab=preview`, 'Front page box'],
    [`${PUBLISHER}/creatives`, 'Creatives'],
    [`${PUBLISHER}/blocking`, 'Blocking'],
    [`${PUBLISHER}/reports`, 'Reports'],
    [`${PUBLISHER}/ads-txt`, 'ads.txt'],
  ],
};

test('every address of the console is looked at by these tests', () => {
  const routes = routesOf(SOURCES);
  const visited = new Set(
    Object.values(ADDRESSES).flatMap((addresses) =>
      addresses.map(([path]) => routeOf(path, routes)),
    ),
  );
  assert.deepEqual([...visited].toSorted(), routes.toSorted());
});

test('every page is usable by everybody, in both themes and on a phone, and keeps to its own server', async (t) => {
  const server = await startConsole(t, {
    edit: (yaml) =>
      yaml.replace('  name: Rialto\n', '  name: Rialto\n  domain: exchange.example\n'),
    // Nothing listens there.
    args: [
      '--smtp-host',
      '127.0.0.1',
      '--smtp-port',
      '9',
      '--smtp-from',
      'rialto@exchange.example',
    ],
  });
  const ids = {
    AUCTION: await auctionWithBids(server),
    WEBHOOK: await createSubscription(server, '/api/webhooks/', {
      name: 'Pager',
      address: 'http://127.0.0.1:9/hook',
    }),
    RECIPIENT: await createSubscription(server, '/api/email-recipients/', {
      name: 'Operations',
      address: 'adops@acme.example',
    }),
  };
  const addressOf = (path: string): string =>
    Object.entries(ids).reduce((text, [mark, id]) => text.replace(mark, id), path);
  for (const [who, addresses] of Object.entries(ADDRESSES)) {
    const role = who === 'operator' || who === 'demand-partner' || who === 'publisher' ? who : null;
    const opened = await openConsole(t, server, role);
    for (const [path, heading] of addresses) {
      await t.test(`${who}: ${path}`, () => assertUsable(opened, addressOf(path), heading));
    }
  }
});

async function assertUsable(
  { page, visit, assertClean }: ConsolePage,
  path: string,
  heading: string | RegExp,
): Promise<void> {
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(path);
  const headings = await page.locator('h1').allInnerTexts();
  assert.equal(headings.length, 1, `one h1, not ${headings.join(', ')}`);
  assert.match(headings[0] ?? '', typeof heading === 'string' ? exactly(heading) : heading);
  assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [], 'nothing failed');
  assert.deepEqual(await axeFindings(page), [], 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await untilStill(page);
  assert.deepEqual(await axeFindings(page, ['color-contrast']), [], 'dark');
  await page.setViewportSize(PHONE);
  await assertFits(page);
  assertClean();
}

/** Waits until all colours are those of the theme: they pass on from element to element. */
async function untilStill(page: Page): Promise<void> {
  let still = 0;
  await until('the theme is changed', LAYOUT_MS, async () => {
    const moving: unknown = await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => resolve(document.getAnimations().length)))',
    );
    still = moving === 0 ? still + 1 : 0;
    return still > 2;
  });
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}

/** The id of an auction that Acme has lost or won. */
async function auctionWithBids({ call }: StartedConsole): Promise<string> {
  const { body } = await call('demand-partner', '/api/auctions/?limit=1&outcome=bid');
  return body[0]?.id ?? assert.fail('Acme has bid');
}

/** The id of a webhook or recipient of Acme with a delivery in its log. */
async function createSubscription(
  { call }: StartedConsole,
  path: string,
  said: object,
): Promise<string> {
  const { body } = await call('demand-partner', path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...said, events: ['bidder.unhealthy', 'bidder.healthy'] }),
  });
  await call('demand-partner', `${path}${body.id}/test/`, { method: 'POST' });
  return String(body.id);
}

/** What the sources say the addresses of pages are: `/publishers/$publisherId/reports`. */
function routesOf(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => /route[^/]*\.tsx$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(directory, path), 'utf8') }));
  // Routes that several areas have get the address that they stand below.
  const roots = files.flatMap(({ text }) =>
    [...text.matchAll(/Routes\(userRoute, '([^']+)'\)/g)].map(([, root = '']) => root),
  );
  return files.flatMap(({ path, text }) => {
    const names = new Map(
      [...text.matchAll(/^const (\w+) = '(\/[^']*)';$/gm)].map(([, name = '', value = '']) => [
        name,
        [value],
      ]),
    );
    if (/\broot: Root\b/.test(text)) names.set('root', roots);
    const count = text.match(/\bpath:/g)?.length ?? 0;
    const found = [
      ...text.matchAll(/\bpath: (?:'([^']*)'|`\$\{(\w+)\}([^`]*)`(?: as const)?|(\w+)),/g),
    ];
    assert.equal(found.length, count, `${path} has its addresses as texts`);
    return found.flatMap(([, plain, prefix, rest, name]) =>
      plain === undefined
        ? (names.get(prefix ?? name ?? '') ?? ['?']).map((root) => root + (rest ?? ''))
        : [plain],
    );
  });
}

/**
 * The route that an address leads to: of those that match, the one with the fewest parameters; for
 * addresses of nothing the one that says so.
 */
function routeOf(address: string, routes: readonly string[]): string {
  const path = address.replace(/\?.*/, '').replace(/(?<=.)\/$/, '');
  const parameters = (route: string): number => route.split('$').length;
  const matching = routes.filter((route) =>
    new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path),
  );
  const [best] = matching.toSorted((a, b) => parameters(a) - parameters(b));
  return best ?? '/$';
}
