import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { marked, unmarked } from '../../test/support/journal-lines.ts';
import { auctionRecord, beaconRecord, TestNode } from './notice-fixture.ts';
import { NoticeReader } from './notice-reader.ts';

let node: TestNode;
let seen: string[];

beforeEach(() => {
  node = new TestNode();
  seen = [];
});
afterEach(() => node.close());

function readerOf(cursors: ReadonlyMap<string, number> = new Map()): NoticeReader {
  return new NoticeReader({
    directory: node.journalDirectory,
    incarnation: node.incarnation,
    cursors,
    sink: {
      onNotice: ({ event, auctionId }) => seen.push(`${event} ${Number.parseInt(auctionId, 16)}`),
      onHeld: ({ auctionId }) => seen.push(`held ${Number.parseInt(auctionId, 16)}`),
      onWon: (auctionId) => seen.push(`won ${Number.parseInt(auctionId, 16)}`),
    },
    logger: node.logger,
    now: Date.now,
  });
}

/** Reads to the end, and gives what has been seen since the last time. */
function readAll(reader: NoticeReader): string[] {
  while (reader.read());
  return seen.splice(0);
}

function pathOf(name: string): string {
  return join(node.journalDirectory, name);
}

test('a reader follows all processes, and reads nothing twice', async () => {
  const reader = readerOf();
  assert.deepEqual(readAll(reader), []);
  await node.write('exchange', [auctionRecord(1, [{}]), auctionRecord(2, [{}])]);
  await node.write('tracker', [beaconRecord(1)]);
  assert.deepEqual(readAll(reader), ['win 1', 'win 2', 'billing 1']);
  assert.deepEqual(readAll(reader), []);
  await node.write('exchange', [auctionRecord(3, [{}])]);
  node.journal('exchange', 'second').append(JSON.stringify(auctionRecord(4, [{}])));
  node.end('second');
  assert.deepEqual(readAll(reader).sort(), ['win 3', 'win 4']);
});

test('a reader goes on from where it was told', async () => {
  await node.write('exchange', [auctionRecord(1, [{}])]);
  const first = readerOf();
  assert.deepEqual(readAll(first), ['win 1']);
  const cursors = new Map(first.takeProgress().cursors);
  assert.deepEqual(first.takeProgress(), { cursors: [], gone: [] });
  await node.write('exchange', [auctionRecord(2, [{}])]);
  assert.deepEqual(readAll(readerOf(cursors)), ['win 2']);
});

test('a beacon is never read before its auction, whoever wrote more', async () => {
  const held = { event: 'loss', unless_won_by_ms: 9e12 } as const;
  const many = Array.from({ length: 500 }, (_, n) => auctionRecord(n, [held]));
  await node.write('exchange', many);
  await node.write(
    'tracker',
    many.map((_, n) => beaconRecord(n, { kind: 'win', notice_url: '' })),
  );
  const order = readAll(readerOf());
  assert.equal(order.length, 1000);
  assert.ok(order.slice(0, 500).every((each) => each.startsWith('held')));
});

test('segments of couriers, of other streams and of other nodes make nothing due', async () => {
  await node.append('courier', '{"kind":"delivery","deliveries":[]}');
  await node.write('exchange', [auctionRecord(1, [{}])]);
  const [name = ''] = node.segments('exchange').names;
  const text = nodeFs.readFileSync(pathOf(name), 'utf8');
  nodeFs.unlinkSync(pathOf(name));
  nodeFs.writeFileSync(pathOf(name.replace('money', 'trace')), text);
  nodeFs.writeFileSync(pathOf('money-notes.txt'), text);
  nodeFs.writeFileSync(pathOf(name.replace(node.incarnation, '0000000000000000')), text);
  const reader = readerOf();
  assert.deepEqual(readAll(reader), []);
  assert.deepEqual(node.log, []);
});

test('a segment of a newer version is left, and has not passed', async () => {
  await node.write('exchange', [auctionRecord(1, [{}])]);
  const [name = ''] = node.segments('exchange').names;
  const text = nodeFs.readFileSync(pathOf(name), 'utf8');
  const [header = '', ...lines] = text.split('\n');
  const newer = (unmarked(header) ?? '').replace(/"schema":\d+/, '"schema":99');
  nodeFs.writeFileSync(pathOf(name), [marked(newer, 0), ...lines].join('\n'));
  const reader = readerOf();
  assert.deepEqual(readAll(reader), []);
  assert.equal(reader.readTo(name, 0), null);
});

test('a line is read once it is whole', async () => {
  await node.write('exchange', [auctionRecord(1, [{}])]);
  const { names, sizeOf } = node.segments('exchange');
  const [name = ''] = names;
  const reader = readerOf();
  readAll(reader);
  const line = marked(JSON.stringify(auctionRecord(2, [{}])), 2);
  nodeFs.appendFileSync(pathOf(name), line.slice(0, 100));
  const before = sizeOf(name) - 100;
  assert.deepEqual(readAll(reader), []);
  assert.equal(reader.readTo(name, before), before);
  assert.equal(reader.readTo(name, sizeOf(name)), before);
  nodeFs.appendFileSync(pathOf(name), `${line.slice(100)}\n`);
  assert.equal(reader.readTo(name, sizeOf(name)), null);
  assert.deepEqual(readAll(reader), ['win 2']);
  assert.equal(reader.readTo(name, sizeOf(name)), sizeOf(name));
});

test('a header is read once it is whole', async () => {
  await node.write('exchange', [auctionRecord(1, [{}])]);
  const [name = ''] = node.segments('exchange').names;
  const text = nodeFs.readFileSync(pathOf(name), 'utf8');
  nodeFs.writeFileSync(pathOf(name), text.slice(0, 30));
  const reader = readerOf();
  assert.deepEqual(readAll(reader), []);
  nodeFs.writeFileSync(pathOf(name), text);
  assert.deepEqual(readAll(reader), ['win 1']);
});

test('lines may be longer than what is read at a time', async () => {
  const long = auctionRecord(1, [{}], { categories: ['x'.repeat(900_000)] });
  await node.write('exchange', [auctionRecord(0, [{}]), long, auctionRecord(2, [{}])]);
  assert.deepEqual(readAll(readerOf()), ['win 0', 'win 1', 'win 2']);
});

test('a line that is no record is told of, and the next is read', async () => {
  await node.write('exchange', [auctionRecord(1, [{}])]);
  const [name = ''] = node.segments('exchange').names;
  nodeFs.appendFileSync(pathOf(name), 'garbage\n\n');
  await node.write('exchange', [auctionRecord(2, [{}])]);
  assert.deepEqual(readAll(readerOf()), ['win 1', 'win 2']);
  assert.equal(node.log.length, 2);
});

test('a record that was changed makes nothing due, and a damaged header keeps nothing back', async () => {
  const url = 'http://first.example/win';
  await node.write('exchange', [auctionRecord(1, [{ url }]), auctionRecord(2, [{ url }])]);
  await node.write('tracker', [beaconRecord(1)]);
  for (const writer of ['exchange', 'tracker'] as const) {
    const [name = ''] = node.segments(writer).names;
    const text = nodeFs.readFileSync(pathOf(name), 'utf8');
    nodeFs.writeFileSync(
      pathOf(name),
      text.replace('{"schema"', '{"schemes"').replace('first.example', 'other.example'),
    );
  }
  assert.deepEqual(readAll(readerOf()), ['win 2', 'billing 1']);
  // Both headers, and the record.
  assert.deepEqual([...new Set(node.log)], node.log.slice(0, 1));
  assert.equal(node.log.length, 3);
});

test('a segment that has lost its end is told of, and what is written elsewhere is read', async () => {
  await node.write('exchange', [auctionRecord(1, [{}]), auctionRecord(2, [{}])]);
  node.end('exchange');
  const { names, sizeOf } = node.segments('exchange');
  const [name = ''] = names;
  const first = readerOf();
  readAll(first);
  const cursors = new Map(first.takeProgress().cursors);
  nodeFs.truncateSync(pathOf(name), sizeOf(name) - 700);
  const reader = readerOf(cursors);
  await node.write('exchange', [auctionRecord(3, [{}])]);
  assert.deepEqual(readAll(reader), ['win 3']);
  assert.match(node.log[0] ?? '', /shorter than it was/);
  assert.equal(reader.readTo(name, sizeOf(name)), sizeOf(name));
  readAll(reader);
  assert.equal(node.log.length, 1);
});

test('a segment that is gone is forgotten', async () => {
  await node.write('exchange', [auctionRecord(1, [{}])]);
  const [name = ''] = node.segments('exchange').names;
  const reader = readerOf();
  readAll(reader);
  node.end('exchange');
  nodeFs.unlinkSync(pathOf(name));
  assert.deepEqual(readAll(reader), []);
  assert.deepEqual(reader.takeProgress(), { cursors: [], gone: [name] });
  assert.equal(reader.readTo(name, 0), null);
});

test('what is there is read in pieces, and the time until which is known', async () => {
  const startMs = Date.now();
  const reader = readerOf();
  const many = Array.from({ length: 1000 }, (_, n) => auctionRecord(n, [{}]));
  await node.write('exchange', many);
  assert.equal(reader.read(), true);
  assert.ok(seen.length > 0 && seen.length < 1000);
  assert.equal(reader.readUntilMs, 0);
  readAll(reader);
  assert.ok(reader.readUntilMs >= startMs);
});
