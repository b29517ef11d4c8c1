import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import packed from '@sparticuz/chromium';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
  type Request,
} from 'playwright-core';
import { escapeHtml } from '../../src/base/escape-html.ts';
import { findTemplate, type TemplateRecipe } from './template.ts';
import { until } from './wait.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Whatever an ad loads, nothing leaves this machine.
  '--host-resolver-rules=MAP * 127.0.0.1',
];

let started: Promise<Browser> | undefined;
/** The directory of the browser's own configuration. */
const configuration = mkdtempSync(join(tmpdir(), 'rialto-browser-'));

after(async () => {
  await (await started)?.close();
  rmSync(configuration, { recursive: true, force: true });
});

/** A page of a real Chromium, in a profile of its own; one browser serves a whole test file. */
export async function openPage(t: TestContext, options: BrowserContextOptions = {}): Promise<Page> {
  started ??= launch();
  const context = await (
    await started
  ).newContext({
    viewport: { width: 1000, height: 800 },
    // Without one it is that of this machine, which may be C: no language of a page.
    locale: 'en-US',
    ...options,
  });
  t.after(() => context.close());
  const page = await context.newPage();
  const requests = new Set<Request>();
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  underWay.set(page, requests);
  return page;
}

const underWay = new WeakMap<Page, Set<Request>>();
/** Longer than anything takes that a page does by itself. */
const QUIET_MS_MAX = 20_000;

/**
 * Waits until a page has done what it had to: two frames were drawn, and no request of it or its
 * frames is under way. What it would still do by a timer comes when the test moves the page's clock.
 */
export async function quiet(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const expression =
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))';
  await until('the page is quiet', QUIET_MS_MAX, async () => {
    // Not by `page.evaluate`, which counts as a gesture of the user.
    await session.send('Runtime.evaluate', { expression, awaitPromise: true });
    return underWay.get(page)?.size === 0;
  });
  await session.detach();
}

/** The package's Chromium, unpacked. */
const CHROMIUM: TemplateRecipe = {
  name: 'chromium',
  sources: ['node_modules/@sparticuz/chromium/package.json'],
  make: async (directory) => {
    mkdirSync(directory);
    const before = process.env['TMPDIR'];
    // The package unpacks into the temporary directory, and takes half a file there for a whole one.
    process.env['TMPDIR'] = directory;
    try {
      await packed.executablePath();
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  },
};

async function launch(): Promise<Browser> {
  // The package has Chromium for Linux alone; elsewhere people have one.
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome', args: FLAGS });
  const directory = await findTemplate(CHROMIUM);
  return chromium.launch({
    executablePath: join(directory, 'chromium'),
    args: FLAGS,
    // The package's fonts alone: a fresh machine has none, and text is as wide on every machine.
    env: { ...process.env, FONTCONFIG_FILE: writeFontsConf(join(directory, 'fonts')) },
  });
}

/**
 * The package's own configuration names fixed directories. Where they are missing, Chromium has no
 * font: text has no size, and nothing on a page is visible.
 */
function writeFontsConf(fonts: string): string {
  const file = join(configuration, 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${escapeHtml(fonts)}</dir>
  <cachedir>${escapeHtml(join(configuration, 'cache'))}</cachedir>
</fontconfig>
`,
  );
  return file;
}
