import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimer } from '../../test/support/cpu.ts';
import { canonicalDomain, domainsIn, isDomain } from './domains.ts';

test('a domain is compared without what people write around it', () => {
  for (const written of [
    'acme.example',
    'ACME.Example',
    ' acme.example ',
    'acme.example.',
    'www.acme.example',
    'https://www.acme.example/shop?a=1#top',
    'http://acme.example:8080',
    '//acme.example/',
    'acme.example/a,b',
    '*.acme.example',
    '.acme.example',
  ]) {
    assert.equal(canonicalDomain(written), 'acme.example', written);
  }
  assert.equal(canonicalDomain('shop.acme.example'), 'shop.acme.example');
  assert.equal(canonicalDomain('www.example'), 'www.example', 'a name of its own');
});

test('a domain that is not ASCII is compared in ASCII', () => {
  for (const written of [
    'Bücher.example',
    'bu\u{308}cher.example',
    'https://www.bücher。example/',
  ]) {
    assert.equal(canonicalDomain(written), 'xn--bcher-kva.example', written);
  }
  assert.equal(canonicalDomain('ＡＣＭＥ.example'), 'acme.example');
});

test('a text that is no host name is malformed', () => {
  for (const written of [
    '',
    'not a domain',
    'acme..example',
    '-acme.example',
    'info@acme.example',
    'info@bücher.example',
    '192.0.2.7',
    '１９２.0.2.7',
    'acme.example:port',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'https://',
    'null.',
    'acme.example\u{0}',
  ]) {
    const name = canonicalDomain(written);
    assert.ok(name === null || !isDomain(name), written);
  }
});

test('one text may name several domains', () => {
  assert.deepEqual(domainsIn('x.example,www.y.example'), ['x.example', 'y.example']);
  assert.deepEqual(domainsIn(' x.example; y.example | z.example '), [
    'x.example',
    'y.example',
    'z.example',
  ]);
  assert.deepEqual(domainsIn('https://x.example/a,b,y.example'), ['x.example', 'y.example']);
  assert.deepEqual(domainsIn('x.example,not@one'), ['x.example', 'not@one']);
  assert.deepEqual(domainsIn(' , '), []);
});

test('behind a path a malformed name is one unless a comma or semicolon makes it part of the path', () => {
  for (const part of ['b', 'b..example', '192.0.2.7', 'c=1']) {
    for (const between of [',', ';', ',;']) {
      const text = `https://x.example/a${between}${part}`;
      assert.deepEqual(domainsIn(text), ['x.example'], text);
    }
  }
  const user = 'https://user@y.example';
  for (const between of [' ', '|', ', ', '\t;', ',', ';']) {
    const text = `https://x.example/${between}${user}`;
    assert.deepEqual(domainsIn(text), ['x.example', user], text);
  }
  for (const between of [' ', '|', ', ']) {
    const text = `x.example/a${between}y..example,z.example`;
    assert.deepEqual(domainsIn(text), ['x.example', 'y..example', 'z.example'], text);
  }
  for (const part of ['user@y.example', '//192.0.2.7/', '\\\\y..example']) {
    assert.deepEqual(domainsIn(`x.example/a,${part}`), ['x.example', part]);
  }
  assert.deepEqual(domainsIn('x.example/a y..example,b'), ['x.example', 'y..example', 'b']);
});

test('a text of blanks costs no more than its length', () => {
  const cpuMs = cpuTimer();
  assert.deepEqual(domainsIn(`x.example${' '.repeat(100_000)}`), ['x.example']);
  assert.ok(cpuMs() < 200);
});

test('the canonical form is its own', () => {
  const written = fc.oneof(fc.string({ unit: 'grapheme' }), fc.domain(), fc.webUrl());
  fc.assert(
    fc.property(written, (text) => {
      const name = canonicalDomain(text);
      if (name !== null) assert.equal(canonicalDomain(name), name);
    }),
    { numRuns: 2_000 },
  );
});
