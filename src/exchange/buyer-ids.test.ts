import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buyeruidOf, readBuyeruids } from './buyer-ids.ts';

function user(buyeruids: unknown): object {
  return { ext: { prebid: { buyeruids } } };
}

test('a partner gets its own id of the user, by its id among the demand partners', () => {
  const named = readBuyeruids(user({ 1001: 'one', 1002: 'two' }));
  assert.equal(buyeruidOf(named, 1001), 'one');
  assert.equal(buyeruidOf(named, 1002), 'two');
  assert.equal(buyeruidOf(named, 1003), undefined);
});

test('what is no id is none', () => {
  for (const id of ['', 7, null, {}, 'x'.repeat(10_000)]) {
    assert.equal(buyeruidOf(readBuyeruids(user({ 1001: id })), 1001), undefined);
  }
  assert.equal(readBuyeruids(undefined), undefined);
  assert.equal(readBuyeruids({ buyeruid: 'whose' }), undefined);
});

test('whatever stands in the extension, an id or nothing comes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (ext) => {
      const id = buyeruidOf(readBuyeruids({ ext }), 1001);
      assert.ok(id === undefined || id.length > 0);
    }),
  );
});
