import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { auctionId, auctionRecord, beaconRecord, START_MS } from './notice-fixture.ts';
import { readMoneyLine } from './notice-lines.ts';
import type { DueNotice } from './notice.ts';

/** What a line makes due; null where it is no record. */
function read(line: string) {
  const found = { due: [] as DueNotice[], held: [] as DueNotice[], won: [] as string[] };
  // Other lines stand before and after it.
  const before = `${JSON.stringify(auctionRecord(9, [{ url: 'http://before/' }]))}\n`;
  const bytes = Buffer.from(`${before}${line}\n${before}`);
  const from = Buffer.byteLength(before);
  const isRecord = readMoneyLine(bytes, from, from + Buffer.byteLength(line) - 1, {
    onNotice: (due) => found.due.push(due),
    onHeld: (due) => found.held.push(due),
    onWon: (id, imp) => found.won.push(`${id} ${imp}`),
  });
  return isRecord ? found : null;
}

const NOTHING = { due: [], held: [], won: [] };

describe('an auction', () => {
  test('makes its win due at once, and losses, but those that wait for a win', () => {
    const notices = [
      { event: 'loss', url: 'http://a.example/loss', demand_partner_id: 7, lineitem_id: 8 },
      { event: 'win', imp: 1 },
      { event: 'loss', imp: 2, unless_won_by_ms: START_MS + 5 },
    ] as const;
    const found = read(JSON.stringify(auctionRecord(1, notices)));
    assert.deepEqual(
      found?.due.map(({ event, bid, imp, dueMs }) => [event, bid, imp, dueMs]),
      [
        ['loss', 0, 0, START_MS],
        ['win', -1, 1, START_MS],
      ],
    );
    assert.deepEqual(found.due[0], {
      event: 'loss',
      auctionId: auctionId(1),
      imp: 0,
      bid: 0,
      partnerId: 7,
      lineItemId: 8,
      dueMs: START_MS,
      url: 'http://a.example/loss',
    });
    assert.deepEqual(
      found.held.map(({ event, bid, imp, dueMs }) => [event, bid, imp, dueMs]),
      [['loss', 2, 2, START_MS + 5]],
    );
  });

  test('without notices, or of a test, makes nothing due', () => {
    assert.deepEqual(read(JSON.stringify(auctionRecord(1, []))), NOTHING);
    assert.deepEqual(read(JSON.stringify(auctionRecord(1, [{}], { test: 1 }))), NOTHING);
  });

  test('is read alike whatever its texts are, and in whatever order its fields stand', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        ',"notices":[]}',
        ',"notices":[{"event":"win"}]}',
        '","publisher_id":1',
        '\\',
        '\\",',
      ),
    );
    const notice = fc.record({
      event: fc.constantFrom('win' as const, 'loss' as const),
      bid: fc.nat(),
      imp: fc.nat(),
      url: text,
    });
    const auction = fc.record({
      request_id: text,
      app_bundle: text,
      language: text,
      categories: fc.array(text),
    });
    const property = fc.property(
      fc.array(notice, { maxLength: 4 }),
      auction,
      fc.boolean(),
      (notices, differs, isReversed) => {
        const record = auctionRecord(1, notices, differs);
        const [kind, ...entries] = Object.entries(record);
        const others = isReversed ? entries.reverse() : entries;
        const line = JSON.stringify(Object.fromEntries([kind ?? [], ...others]));
        assert.deepEqual(
          read(line)?.due.map(({ event, bid, imp, url }) => ({ event, bid, imp, url })),
          notices.map(({ event, bid, imp, url }) => ({
            event,
            bid: event === 'loss' ? bid : -1,
            imp,
            url,
          })),
        );
      },
    );
    fc.assert(property);
  });
});

describe('a beacon', () => {
  test('of an impression makes its billing notice due, if it has one', () => {
    const found = read(JSON.stringify(beaconRecord(1, { at_ms: START_MS + 9, imp: 3 })));
    assert.deepEqual(found?.due, [
      {
        event: 'billing',
        auctionId: auctionId(1),
        imp: 3,
        bid: -1,
        partnerId: 1001,
        lineItemId: 501,
        dueMs: START_MS + 9,
        url: 'http://a.example/1',
      },
    ]);
    assert.deepEqual(found.won, []);
    assert.deepEqual(read(JSON.stringify(beaconRecord(1, { notice_url: '' }))), NOTHING);
  });

  test('of a win confirms it, and makes its win notice due, if it has one', () => {
    const found = read(JSON.stringify(beaconRecord(1, { kind: 'win' })));
    assert.deepEqual([found?.due[0]?.event, found?.won], ['win', [`${auctionId(1)} 0`]]);
    const silent = read(JSON.stringify(beaconRecord(1, { kind: 'win', notice_url: '' })));
    assert.deepEqual(silent, { ...NOTHING, won: [`${auctionId(1)} 0`] });
  });

  test('of another kind, or of a test, makes nothing due', () => {
    for (const kind of ['view', 'click'] as const) {
      assert.deepEqual(read(JSON.stringify(beaconRecord(1, { kind }))), NOTHING);
    }
    for (const kind of ['win', 'impression'] as const) {
      assert.deepEqual(read(JSON.stringify(beaconRecord(1, { kind, test: 1 }))), NOTHING);
    }
  });
});

test('what was delivered makes nothing due', () => {
  assert.deepEqual(read('{"kind":"delivery","node":"x","at_ms":1,"deliveries":[]}'), NOTHING);
});

test('what is no record is told apart, and nothing throws', () => {
  const whole = JSON.stringify(auctionRecord(1, [{}]));
  const beacon = JSON.stringify(beaconRecord(1));
  for (const line of [
    '',
    '{}',
    'null',
    '{"kind":"other"}',
    '{"kind":"auction"}',
    whole.replace('"notices":[{', '"notices":[[{'),
    whole.replace('"auction_id":"', '"auction_id":1,"x":"'),
    whole.slice(0, -1),
    beacon.replace('"imp":0', '"imp":-1'),
    beacon.slice(0, -1),
  ]) {
    assert.equal(read(line), null, line);
  }
  const mutation = fc.tuple(fc.nat(), fc.nat({ max: 255 }));
  const property = fc.property(fc.constantFrom(whole, beacon), mutation, (line, [at, byte]) => {
    const bytes = Buffer.from(line);
    bytes[at % bytes.length] = byte === 0x0a ? 0 : byte;
    read(bytes.toString('latin1'));
  });
  fc.assert(property, { numRuns: 500 });
});
