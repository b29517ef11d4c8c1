import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RialtoError } from '../base/errors.ts';
import { aPartner, aSnapshot } from '../auction/eligibility-fixtures.ts';
import { encodeSnapshot } from '../snapshot/wire.ts';
import { createPresentSnapshot } from './present-snapshot.ts';
import type { PublishedSnapshot } from './snapshot-source.ts';

function published(seq: number): PublishedSnapshot {
  const { exchange } = aSnapshot();
  const text = encodeSnapshot({ epoch: 'e', seq }, [exchange, aPartner(seq)]);
  return { key: `e.${seq}`, text };
}

test('a version is decoded once, and the next one when it has come', async () => {
  const source: { current: PublishedSnapshot | undefined } = { current: published(1) };
  const present = createPresentSnapshot(source, () => Promise.resolve());
  const first = await present();
  assert.deepEqual([...first.demandPartners.keys()], [1]);
  assert.equal(await present(), first);
  source.current = published(2);
  assert.deepEqual([...(await present()).demandPartners.keys()], [2]);
});

test('while nothing has been compiled control is not ready', async () => {
  const present = createPresentSnapshot({ current: undefined }, () => Promise.resolve());
  await assert.rejects(
    present,
    (error) => error instanceof RialtoError && error.code === 'not_ready',
  );
});
