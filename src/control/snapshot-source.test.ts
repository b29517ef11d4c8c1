import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { EXCHANGE } from '../resources/exchange.ts';
import type { Entity } from '../snapshot/entities.ts';
import { readVersion } from '../snapshot/wire.ts';
import { SnapshotSource } from './snapshot-source.ts';

const SETTINGS: Entity = { kind: 'exchange', ...EXCHANGE.entity(EXCHANGE.initial) };

/** A source over a store that the test changes. */
function sourceOf(t: TestContext) {
  const store = { seq: 1, compiles: 0, fails: false, versionFails: false };
  const registry = new Registry();
  const source = new SnapshotSource({
    reader: {
      version: async () => {
        if (store.versionFails) throw new Error('the store is away');
        return { epoch: 'e', seq: store.seq };
      },
      compile: async () => {
        store.compiles += 1;
        if (store.fails) throw new Error('does not compile');
        return { version: { epoch: 'e', seq: store.seq }, entities: [SETTINGS] };
      },
    },
    registry,
    logger: pino({ level: 'silent' }),
    pollMs: 5,
  });
  t.after(() => source.stop());
  return { store, source, registry };
}

test('the first snapshot is there once it has started', async (t) => {
  const { source } = sourceOf(t);
  const before = source.current;
  assert.equal(before, undefined);
  await source.start();
  assert.equal(source.current?.key, 'e.1');
  assert.deepEqual(readVersion(source.current.text), { epoch: 'e', seq: 1 });
});

test('a first snapshot that does not compile is the caller’s to know', async (t) => {
  const { source, store } = sourceOf(t);
  store.fails = true;
  await assert.rejects(source.start(), /does not compile/);
});

test('who has another snapshot is answered at once', async (t) => {
  const { source } = sourceOf(t);
  await source.start();
  assert.equal((await source.other('', 10_000))?.key, 'e.1');
  assert.equal((await source.other('other.9', 10_000))?.key, 'e.1');
});

test('who has the present snapshot is answered when it changes, or with nothing in time', async (t) => {
  const { source, store } = sourceOf(t);
  await source.start();
  assert.equal(await source.other('e.1', 20), undefined);
  const waiting = [source.other('e.1', 10_000), source.other('e.1', 10_000)];
  store.seq = 2;
  assert.deepEqual(
    (await Promise.all(waiting)).map((snapshot) => snapshot?.key),
    ['e.2', 'e.2'],
  );
});

test('a store that does not change is compiled once', async (t) => {
  const { source, store } = sourceOf(t);
  await source.start();
  await source.other('e.1', 60);
  assert.equal(store.compiles, 1);
});

test('a change that does not compile is tried once and counted; the last good snapshot stays', async (t) => {
  const { source, store, registry } = sourceOf(t);
  await source.start();
  store.fails = true;
  store.seq = 2;
  assert.equal(await source.other('e.1', 60), undefined);
  assert.equal(source.current?.key, 'e.1');
  assert.equal(store.compiles, 2);
  store.fails = false;
  store.seq = 3;
  assert.equal((await source.other('e.1', 10_000))?.key, 'e.3');
  const metrics = await registry.metrics();
  assert.match(metrics, /rialto_snapshot_compilations_total\{result="failed"\} 1/);
  assert.match(metrics, /rialto_snapshot_compilations_total\{result="ok"\} 2/);
  assert.match(metrics, /rialto_snapshot_bytes [1-9]/);
});

test('a store that is away for a while is asked again', async (t) => {
  const { source, store } = sourceOf(t);
  await source.start();
  store.versionFails = true;
  await source.other('e.1', 30);
  store.versionFails = false;
  store.seq = 2;
  assert.equal((await source.other('e.1', 10_000))?.key, 'e.2');
});

test('a source that stops lets all who wait go', async (t) => {
  const { source } = sourceOf(t);
  await source.start();
  const waiting = source.other('e.1', 10_000);
  source.stop();
  assert.equal(await waiting, undefined);
  assert.equal(await source.other('e.1', 10_000), undefined);
});
