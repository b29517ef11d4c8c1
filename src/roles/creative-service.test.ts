import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RialtoError } from '../base/errors.ts';
import {
  applyQuickly,
  openTestStore,
  readExample,
} from '../../test/support/configuration-store.ts';
import { createCreativeService, createCreativeFinder } from './creative-service.ts';

const CREATIVE = { demand_partner: 1001, crid: 'c-1', verdict: 'blocked' } as const;
const AT_MS = 1_800_000_000_000;

const closed = (): never => {
  throw new RialtoError('analytics_unavailable');
};

test('decisions of commands are in the audit log, as those of the machine', async (t) => {
  const { db } = await openTestStore(t);
  assert.ok((await applyQuickly(db, await readExample())).ok);
  const service = createCreativeService(db, closed, () => AT_MS);
  await service.save({ ...CREATIVE, by: 'alice' });
  await service.save({ ...CREATIVE, by: 'alice' });
  await service.remove(CREATIVE);
  const log = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource', '=', 'creative review')
    .orderBy('id')
    .execute();
  assert.deepEqual(
    log.map(({ at, action, user_id, client_id }) => [at, action, user_id, client_id]),
    [
      [AT_MS, 'created', null, null],
      [AT_MS, 'deleted', null, null],
    ],
    'what changes nothing is not noted',
  );
  for (const { actor } of log) assert.match(actor, /^rialto creatives by /);
  assert.match(log[0]?.changes ?? '', /"field":"by","after":"alice"/);
});

test('creatives cannot be found before the analytics store is open', async (t) => {
  const { db } = await openTestStore(t);
  const find = createCreativeFinder(db, closed);
  await assert.rejects(find({}, { limit: 1, offset: 0 }), { code: 'analytics_unavailable' });
});
