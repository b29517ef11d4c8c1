import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { safeHtml } from './html.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

test('what is put into a template stands there as text, in an element and in an attribute', () => {
  const hostile = `"><script>alert('&amp;')</script>`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;amp;&#39;)&lt;/script&gt;';
  const page = safeHtml`<p title="${hostile}">${hostile}</p>`;
  assert.equal(page.toString(), `<p title="${escaped}">${escaped}</p>`);
});

test('pieces that are HTML already are taken as they are, one or several', () => {
  const items = ['<', 'b'].map((text) => safeHtml`<li>${text}</li>`);
  assert.equal(safeHtml`<ul>${items}</ul>`.toString(), '<ul><li>&lt;</li><li>b</li></ul>');
  assert.equal(safeHtml`${safeHtml`<br>`}${7}${''}`.toString(), '<br>7');
});

test('no text ends the attribute or opens an element', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const shown = safeHtml`${text}`.toString();
      assert.doesNotMatch(shown, /[<>"']/);
      const entities: Readonly<Record<string, string>> = {
        '&amp;': '&',
        '&lt;': '<',
        '&gt;': '>',
        '&quot;': '"',
        '&#39;': "'",
      };
      assert.equal(
        shown.replaceAll(/&[a-z#0-9]+;/g, (entity) => entities[entity] ?? '?'),
        text,
      );
    }),
  );
});
