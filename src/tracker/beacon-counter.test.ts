import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Compile } from 'typebox/compile';

import { BEACON_NOW_MS, createBeacon, createWonImp } from '../beacons/fixtures.ts';
import { BEACON_KINDS, BeaconRecordSchema } from '../events/beacon-record.ts';
import type { BeaconKind } from '../events/beacon-record.ts';
import { BeaconCounter } from './beacon-counter.ts';
import { createHeldSink } from './fixtures.ts';
import { SeenBeacons } from './seen-beacons.ts';

const AT_MS = BEACON_NOW_MS + 42;
const NODE = 'fedcba9876543210';
const recordValidator = Compile(BeaconRecordSchema);

function createCounter(limits: { seenMax?: number; waitingMax?: number } = {}) {
  const sink = createHeldSink();
  const seen = new SeenBeacons();
  const unixTime = (): number => AT_MS;
  const parts = { sink, node: NODE, seen, seenMax: 100, waitingMax: 100, unixTime, ...limits };
  return { sink, seen, counter: new BeaconCounter(parts) };
}

/** The kind and the notice of each record. */
function noticesOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const { kind, notice_url }: { kind: string; notice_url: string } = JSON.parse(line);
      return [kind, notice_url];
    }),
  );
}

test('every kind becomes a record of the schema, with its own time and all that was sealed', async () => {
  const { sink, counter } = createCounter();
  const counted = BEACON_KINDS.map((kind) => counter.count(createBeacon({ kind })));
  sink.settle();
  assert.deepEqual(await Promise.all(counted), ['counted', 'counted', 'counted', 'counted']);
  for (const [index, kind] of BEACON_KINDS.entries()) {
    const { url, imp } = createBeacon({ kind });
    const record: unknown = JSON.parse(sink.lines[index] ?? '');
    assert.ok(recordValidator.Check(record), `${kind} is of the schema`);
    const notice_url = kind === 'click' ? '' : url;
    assert.deepEqual(record, { kind, node: NODE, at_ms: AT_MS, notice_url, ...imp });
  }
});

test('nobody is told before the record is on the disk, and the second of two hears after the first', async () => {
  const { sink, counter } = createCounter();
  const told: string[] = [];
  const first = counter.count(createBeacon()).then((outcome) => told.push(`first ${outcome}`));
  const second = counter.count(createBeacon()).then((outcome) => told.push(`second ${outcome}`));
  await new Promise(setImmediate);
  assert.deepEqual(told, []);
  assert.equal(sink.waiting.length, 1);
  assert.equal(counter.underway, 1);
  sink.settle();
  await Promise.all([first, second]);
  assert.deepEqual(told, ['first counted', 'second repeated']);
  assert.equal(await counter.count(createBeacon()), 'repeated');
  assert.equal(sink.lines.length, 1);
  assert.equal(counter.underway, 0);
});

test('a record that failed was never there: all who waited are refused, and the next one is the first', async () => {
  const { sink, counter } = createCounter();
  const both = [counter.count(createBeacon()), counter.count(createBeacon())];
  sink.settle(new Error('no room'));
  assert.deepEqual(await Promise.all(both), ['unrecorded', 'unrecorded']);
  const again = counter.count(createBeacon());
  sink.settle();
  assert.equal(await again, 'counted');
  assert.equal(sink.lines.length, 1);
});

test('beyond its limits new beacons are refused, and repeated ones are not', async () => {
  const { sink, counter } = createCounter({ waitingMax: 1, seenMax: 1 });
  const other = createBeacon({ imp: createWonImp({ imp: 1 }) });
  const first = counter.count(createBeacon());
  assert.equal(await counter.count(other), 'overloaded');
  sink.settle();
  assert.equal(await first, 'counted');
  assert.equal(await counter.count(other), 'overloaded');
  assert.equal(await counter.count(createBeacon()), 'repeated');
});

test('a queue refuses what bills nobody, and never what bills', async () => {
  const { sink, counter } = createCounter({ waitingMax: 2 });
  const beacon = (kind: BeaconKind, imp: number) =>
    counter.count(createBeacon({ kind, imp: createWonImp({ imp }) }));
  const first = [beacon('view', 1), beacon('click', 1)];
  assert.deepEqual(await Promise.all([beacon('view', 2), beacon('click', 2)]), [
    'overloaded',
    'overloaded',
  ]);
  const billed = [3, 4, 5].flatMap((imp) => [beacon('impression', imp), beacon('win', imp)]);
  sink.settle();
  assert.deepEqual(await Promise.all([...first, ...billed]), Array(8).fill('counted'));
});

const BURL = 'https://bidder.example.com/burl';
const NURL = 'https://bidder.example.com/nurl';

/** What a publisher that decides holds of one win. */
function confirmable() {
  const imp = createWonImp({ fd: 1 });
  return {
    impression: createBeacon({ imp, url: BURL, winUrl: NURL }),
    win: createBeacon({ kind: 'win', imp, url: NURL }),
  };
}

test('where the publisher decides, the impression confirms the win with its notice, once', async () => {
  const { sink, counter } = createCounter();
  const { impression, win } = confirmable();
  const both = [counter.count(impression), counter.count(win)];
  sink.settle();
  assert.deepEqual(await Promise.all(both), ['counted', 'repeated']);
  assert.equal(await counter.count(impression), 'repeated');
  assert.equal(sink.lines.length, 2);
  assert.deepEqual(noticesOf(sink.lines), { win: NURL, impression: BURL });
});

test('a win that was confirmed before its impression makes its notice due once', async () => {
  const { sink, counter } = createCounter();
  const { impression, win } = confirmable();
  const first = counter.count(win);
  sink.settle();
  assert.equal(await first, 'counted');
  const second = counter.count(impression);
  sink.settle();
  assert.equal(await second, 'counted');
  assert.equal(sink.lines.length, 2);
  assert.deepEqual(noticesOf(sink.lines), { win: NURL, impression: BURL });
});

test('where the exchange decides, an impression confirms nothing, and a win is still counted', async () => {
  const { sink, counter } = createCounter();
  const both = [
    counter.count(createBeacon({ url: BURL, winUrl: NURL })),
    counter.count(createBeacon({ kind: 'win', url: NURL, imp: createWonImp({ imp: 1 }) })),
  ];
  sink.settle();
  assert.deepEqual(await Promise.all(both), ['counted', 'counted']);
  assert.deepEqual(noticesOf(sink.lines), { impression: BURL, win: NURL });
});

test('a beacon of a test leaves no record, of whatever kind and however often it comes', async () => {
  const { sink, seen, counter } = createCounter();
  for (const kind of BEACON_KINDS) {
    for (const fd of [0, 1] as const) {
      const beacon = createBeacon({ kind, imp: createWonImp({ test: 1, fd }) });
      assert.equal(await counter.count(beacon), 'test');
      assert.equal(await counter.count(beacon), 'test');
    }
  }
  assert.deepEqual([sink.waiting, sink.lines, seen.size], [[], [], 0]);
});

test('an impression is told only once the win that it confirms is on the disk, too', async () => {
  const { sink, counter } = createCounter();
  const imp = createWonImp({ fd: 1 });
  const first = counter.count(createBeacon({ imp }));
  sink.settle(new Error('no room'));
  assert.equal(await first, 'unrecorded');
  const again = counter.count(createBeacon({ imp }));
  sink.settle();
  assert.equal(await again, 'counted');
  assert.equal(sink.lines.length, 2);
});
