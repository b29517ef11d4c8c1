import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_MATCH, type Match } from '../matching/match.ts';
import { buyeruidOf, gatherBuyerIds, ownIds, readBuyeruids } from './buyer-ids.ts';

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

function matchesOf(uids: Readonly<Record<number, string>>): ReadonlyMap<number, Match> {
  return new Map(
    Object.entries(uids).map(([id, uid]) => [
      Number(id),
      { ...NO_MATCH, uid, customdata: uid === '' ? '' : `data of ${uid}` },
    ]),
  );
}

test("the request's id goes before the cookie's, and neither is nothing", () => {
  const ids = gatherBuyerIds(
    user({ 1001: 'named' }),
    matchesOf({ 1001: 'kept', 1002: 'kept too' }),
  );
  assert.ok(ids !== undefined);
  assert.deepEqual(ownIds(ids, 1001), { buyeruid: 'named', customdata: 'data of kept' });
  assert.deepEqual(ownIds(ids, 1002), { buyeruid: 'kept too', customdata: 'data of kept too' });
  assert.deepEqual(ownIds(ids, 1003), { buyeruid: undefined, customdata: undefined });
  const emptied = gatherBuyerIds(undefined, matchesOf({ 1001: '' }));
  assert.deepEqual(emptied && ownIds(emptied, 1001), {
    buyeruid: undefined,
    customdata: undefined,
  });
  assert.equal(gatherBuyerIds({ id: 'u' }, new Map()), undefined);
});

test("no partner ever gets what is another's", () => {
  const partners = [1001, 1002, 1003];
  const held = fc.dictionary(fc.constantFrom('1001', '1002', '1003'), fc.constantFrom('', 'x'));
  fc.assert(
    fc.property(held, held, (named, kept) => {
      const mark = (ids: Record<string, string>, word: string): Record<string, string> =>
        Object.fromEntries(
          Object.entries(ids).map(([id, text]) => [id, text && `${word} of ${id}`]),
        );
      const ids = gatherBuyerIds(user(mark(named, 'named')), matchesOf(mark(kept, 'kept')));
      assert.ok(ids !== undefined);
      for (const id of partners) {
        const { buyeruid, customdata } = ownIds(ids, id);
        for (const text of [buyeruid, customdata]) {
          if (text !== undefined) assert.match(text, new RegExp(` of ${id}$`));
        }
      }
    }),
  );
});
