import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
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

test('what is no domain is malformed', () => {
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
