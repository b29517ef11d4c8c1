import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { appDocument, DOCUMENT_HEADERS, emptyDocument, siteDocument } from './html-document.ts';
import type { Fill } from './tag-fill.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

function aFill(differs: Partial<Fill> = {}): Fill {
  return {
    id: 'auction',
    format: 'banner',
    markup: '<b>ad</b>',
    w: 300,
    h: 250,
    adomain: [],
    crid: null,
    beacons: {
      impression: 'https://tracker.example/imp/I',
      view: 'https://tracker.example/view/V',
      click: 'https://tracker.example/click/C',
    },
    ...differs,
  };
}

function site(markup: string): string {
  return siteDocument({ fill: aFill({ markup }), adSpace: '4001', w: 300, h: 250 });
}

/** The value of the frame's `srcdoc`, as a parser reads it: up to the next quote, references read. */
function srcdocOf(document: string): string {
  const [, written = ''] = / srcdoc="([^"]*)"><\/iframe><\/body><\/html>$/.exec(document) ?? [];
  const characters: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>' };
  return written.replaceAll(/&(\w+);/g, (_, name: string) => characters[name] ?? assert.fail(name));
}

const INNER_HEAD = '<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>';

test('hostile markup stays in its frame, as it was', () => {
  const hostile = [
    '</script><script>parent.evil()</script>',
    '"></iframe><script>alert(1)</script>',
    '&quot;&gt;&lt;/iframe&gt;&#34;',
    '\0<!--<script>]]></title></textarea>',
    '\'"`\u2028',
  ];
  const empty = site('');
  for (const markup of hostile) {
    const document = site(markup);
    assert.equal(srcdocOf(document), INNER_HEAD + markup);
    // Outside of the attribute there is nothing of it.
    const outside = document.replace(/ srcdoc="[^"]*"/, '');
    assert.equal(outside, empty.replace(/ srcdoc="[^"]*"/, ''));
  }
});

test('no markup at all breaks out of the attribute', () => {
  const piece = fc.constantFrom(
    '"',
    "'",
    '<',
    '>',
    '&',
    '</iframe>',
    '</script>',
    '\0',
    ']]>',
    '-->',
  );
  const markup = fc
    .array(fc.oneof(piece, fc.string({ unit: anyCharacter })))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(markup, (text) => {
      assert.equal(srcdocOf(site(text)), INNER_HEAD + text);
    }),
  );
});

test('addresses cannot end the script that they stand in', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const url = `https://t.example/</script><!--<script>&\u2028${text}`;
      const beacons = { impression: url, view: url, click: url };
      const document = siteDocument({
        fill: aFill({ beacons, markup: '' }),
        adSpace: '</script>',
        w: 1,
        h: 1,
      });
      const scripts = document.split('<script>');
      assert.equal(scripts.length, 2);
      const [code = '', ...rest] = (scripts[1] ?? '').split('</script>');
      assert.equal(rest.length, 1);
      const settings: unknown = runInNewContext(`(${/c=(\{.*?\});/s.exec(code)?.[1]})`);
      assert.ok(typeof settings === 'object' && settings !== null && 'impression' in settings);
      assert.equal(settings.impression, url);
    }),
  );
});

test('both documents and their headers sandbox the markup without the origin that serves it', () => {
  const policy = DOCUMENT_HEADERS['content-security-policy'];
  for (const text of [policy, site('')]) {
    assert.match(text, /sandbox[= "]+allow-scripts/);
    assert.doesNotMatch(text, /allow-same-origin/);
  }
});

test('markup that carries the click address counts its clicks itself', () => {
  assert.match(site('<b>ad</b>'), /"click":"https:\/\/tracker/);
  assert.match(site('<a href="https://tracker.example/click/OTHER">'), /"click":null/);
});

test('markup of an app stands at the top, with mraid.js where the web view has that', () => {
  const shown = { fill: aFill(), adSpace: '4001', w: 320, h: 50 };
  assert.match(appDocument(shown, false), /<body><b>ad<\/b><\/body><\/html>$/);
  assert.doesNotMatch(appDocument(shown, false), /src="mraid\.js"/);
  const withMraid = appDocument(shown, true);
  assert.ok(withMraid.indexOf('src="mraid.js"') < withMraid.indexOf('"impression"'));
});

/** Runs a document's script as a browser would, with what it touches recorded. */
function run(document: string, window: Record<string, unknown>) {
  const [, code = ''] = /<script>(\(function.*?)<\/script>/s.exec(document) ?? [];
  const fired: string[] = [];
  const told: unknown[] = [];
  const timers: (() => void)[] = [];
  const listeners = new Map<string, (event: unknown) => void>();
  const addEventListener = (name: string, listener: (event: unknown) => void): void => {
    listeners.set(name, listener);
  };
  class Image {
    onerror: (() => void) | null = null;
    set src(url: string) {
      fired.push(url);
    }
  }
  const page: Record<string, unknown> = {
    document: { addEventListener, visibilityState: 'visible', activeElement: { id: 'ad' } },
    parent: { postMessage: (message: unknown) => told.push(message) },
    addEventListener,
    Image,
    setTimeout: (due: () => void) => timers.push(due),
    clearTimeout: () => timers.splice(0),
    // Something that looks again and again has looked once it is told to.
    setInterval: (look: () => void) => {
      listeners.set('interval', look);
      return 1;
    },
    clearInterval: () => {},
    navigator: {},
    ...window,
  };
  page['window'] = page;
  runInNewContext(code, page);
  const emit = (name: string, event: unknown = {}): void => listeners.get(name)?.(event);
  const wait = (): void => timers.splice(0).forEach((each) => each());
  return { fired, told, emit, wait };
}

test('in a page the impression is fired once, the view after a second of half, a click once', () => {
  let seen: (list: readonly object[]) => void = () => assert.fail();
  class IntersectionObserver {
    constructor(callback: typeof seen) {
      seen = callback;
    }
    observe(): void {}
    disconnect(): void {}
  }
  const page = run(site('<b>ad</b>'), { IntersectionObserver });
  assert.equal(
    JSON.stringify(page.told),
    '[{"rialto":{"ad_space":"4001","filled":true,"w":300,"h":250}}]',
  );
  page.emit('load', { target: { id: 'other' } });
  assert.deepEqual(page.fired, []);
  page.emit('load', { target: { id: 'ad' } });
  page.emit('load', { target: { id: 'ad' } });
  assert.deepEqual(page.fired, ['https://tracker.example/imp/I']);
  // Half of it, and then less before the second is over.
  seen([{ intersectionRatio: 0.6 }]);
  seen([{ intersectionRatio: 0.4 }]);
  page.wait();
  assert.equal(page.fired.length, 1);
  seen([{ intersectionRatio: 0.5 }]);
  page.wait();
  seen([{ intersectionRatio: 1 }]);
  page.wait();
  assert.deepEqual(page.fired.slice(1), ['https://tracker.example/view/V']);
  page.emit('interval');
  page.emit('interval');
  page.emit('pagehide');
  assert.deepEqual(page.fired.slice(2), ['https://tracker.example/click/C']);
});

test('in a web view with MRAID the impression waits for the container, the view for its word', () => {
  const heard = new Map<string, (value?: unknown) => void>();
  const mraid = {
    getState: () => 'loading',
    getVersion: () => '3.0',
    addEventListener: (name: string, listener: () => void) => heard.set(name, listener),
    isViewable: () => true,
  };
  const shown = { fill: aFill(), adSpace: '4001', w: 320, h: 50 };
  const page = run(appDocument(shown, true), { mraid });
  page.emit('load');
  assert.deepEqual(page.fired, []);
  heard.get('ready')?.();
  assert.deepEqual(page.fired, ['https://tracker.example/imp/I']);
  heard.get('exposureChange')?.(49);
  page.wait();
  assert.equal(page.fired.length, 1);
  heard.get('exposureChange')?.(50);
  page.wait();
  assert.deepEqual(page.fired.slice(1), ['https://tracker.example/view/V']);
  const old = { ...mraid, getState: () => 'default', getVersion: () => '2.0' };
  const second = run(appDocument(shown, true), { mraid: old });
  second.emit('load');
  second.wait();
  assert.equal(second.fired.length, 2);
});

test('a web view without MRAID shows all of the ad while it is not hidden', () => {
  const shown = { fill: aFill(), adSpace: '4001', w: 320, h: 50 };
  const page = run(appDocument(shown, false), {});
  page.emit('load');
  page.wait();
  assert.equal(page.fired.length, 2);
});

test('the document of a frame without an ad is empty and tells the page so', () => {
  const document = emptyDocument('4001');
  assert.match(document, /<body><\/body>/);
  const { told, fired } = run(document, {});
  assert.equal(JSON.stringify(told), '[{"rialto":{"ad_space":"4001","filled":false}}]');
  assert.deepEqual(fired, []);
});
