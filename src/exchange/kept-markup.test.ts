import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../../test/support/wait.ts';
import { BEACON_NOW_MS, createKeyRing } from '../beacons/fixtures.ts';
import { NONCE_BYTES } from '../beacons/token.ts';
import {
  createMarkupKeeper,
  MARKUP_KEPT_MS,
  SEALED_LENGTH_MAX,
  type MarkupKeeper,
} from './kept-markup.ts';

interface Node {
  readonly directory: string;
  /** Of one process of the node. */
  readonly keeper: (hourBytesMax?: number) => MarkupKeeper;
  nowMs: number;
}

function aNode(t: TestContext): Node {
  const parent = mkdtempSync(join(tmpdir(), 'rialto-markup-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const directory = join(parent, 'markup');
  const keys = { ring: createKeyRing() };
  const node: Node = {
    directory,
    nowMs: BEACON_NOW_MS,
    keeper: (hourBytesMax = Infinity) =>
      createMarkupKeeper({
        directory,
        hourBytesMax,
        keys,
        drawNonce: () => randomBytes(NONCE_BYTES),
        unixTime: () => node.nowMs,
      }),
  };
  return node;
}

/** VAST as partners write it: long, and full of addresses that look alike. */
const USUAL =
  '<VAST version="3.0"><Ad><InLine><AdSystem>Ä</AdSystem>' +
  Array.from(
    { length: 60 },
    (_, index) =>
      `<Tracking event="start"><![CDATA[https://track.bidder.example/event?name=${index}&bid=8c1f4a]]></Tracking>`,
  ).join('') +
  '</InLine></Ad></VAST>';

/** What does not compress, as keys and signatures do not. */
const LONG = `<VAST version="2.0">${randomBytes(20_000).toString('base64')}</VAST>`;

async function keep(keeper: MarkupKeeper, markup: string): Promise<string> {
  const key = await keeper.keep(markup);
  assert.ok(key !== null);
  return key;
}

test('usual markup is its own key, and nothing is kept', async (t) => {
  const node = aNode(t);
  const key = await keep(node.keeper(), USUAL);
  assert.match(key, /^[\w-]+$/);
  assert.ok(key.length <= SEALED_LENGTH_MAX);
  assert.equal(await node.keeper().find(key), USUAL);
  assert.ok(!existsSync(node.directory));
  node.nowMs += MARKUP_KEPT_MS;
  assert.equal(await node.keeper().find(key), null);
});

test('long markup is a file that every process of the node finds for an hour', async (t) => {
  const node = aNode(t);
  const key = await keep(node.keeper(), LONG);
  assert.match(key, /^\d+\.[0-9a-f]{32}$/);
  assert.equal(await node.keeper().find(key), LONG);
  node.nowMs += MARKUP_KEPT_MS;
  assert.equal(await node.keeper().find(key), LONG);
  node.nowMs += MARKUP_KEPT_MS;
  assert.equal(await node.keeper().find(key), null);
  await keep(node.keeper(), LONG);
  const isSwept = (): boolean => readdirSync(node.directory).length === 1;
  await until('the folder of two hours ago is gone', 5_000, isSwept);
  const hours = readdirSync(node.directory);
  assert.ok(!hours.includes(key.split('.')[0] ?? ''));
});

test('a key that was never given finds nothing, whatever it names', async (t) => {
  const node = aNode(t);
  const keeper = node.keeper();
  const key = await keep(keeper, LONG);
  const [hour = ''] = key.split('.');
  for (const other of [
    '',
    'AAAA',
    '../beacon-keys',
    `${hour}.${'0'.repeat(32)}`,
    `${hour}./../../etc/passwd`,
    `${hour}.${'..'.repeat(16)}`,
    `${key}0`,
  ]) {
    assert.equal(await keeper.find(other), null, other);
  }
});

test('much long markup at the turn of an hour is kept, all of it', async (t) => {
  const node = aNode(t);
  const keeper = node.keeper();
  const keys = await Promise.all(Array.from({ length: 8 }, () => keep(keeper, LONG)));
  for (const key of keys) assert.equal(await keeper.find(key), LONG);
});

test('a process keeps so much in an hour and no more, and goes on in the next', async (t) => {
  const node = aNode(t);
  const keeper = node.keeper(3.5 * LONG.length);
  for (let each = 0; each < 3; each += 1) await keep(keeper, LONG);
  assert.equal(await keeper.keep(LONG), null);
  node.nowMs += MARKUP_KEPT_MS;
  await keep(keeper, LONG);
});
