import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { openTestStore } from '../../test/support/configuration-store.ts';
import { machineActor, writeAudit } from '../configuration/audit.ts';
import { readAuditLog } from '../configuration/audit-log.ts';
import { trimAuditLogDaily } from './audit-trim.ts';

const DAY_MS = 24 * 3_600_000;
const NOW_MS = 1_800_000_000_000;

/** A store with an entry for each of these ages, in days, in this order. */
async function storeOf(t: TestContext, ages: readonly number[]) {
  const { db } = await openTestStore(t);
  await db.deleteFrom('audit_log').execute();
  await db.transaction().execute(async (transaction) => {
    for (const age of ages) {
      const entry = { action: 'updated', resource: 'user', resourceId: age, changes: [] } as const;
      const nowMs = NOW_MS - age * DAY_MS;
      await writeAudit(transaction, entry, { actor: machineActor('test'), nowMs });
    }
  });
  const agesLeft = async (): Promise<readonly number[]> => {
    const all = { limit: 5_000, offset: 0, oldestFirst: true };
    const { lines } = await readAuditLog(db, {}, all);
    return lines.map(({ resourceId }) => Number(resourceId));
  };
  const run = (days: number) =>
    trimAuditLogDaily({ db, days, logger: pino({ level: 'silent' }), now: () => NOW_MS });
  return { db, agesLeft, run };
}

test('entries are kept as long as the setting says', async (t) => {
  const { agesLeft, run } = await storeOf(t, [400, 31, 30, 29, 0]);
  await run(0)();
  assert.deepEqual(await agesLeft(), [400, 31, 30, 29, 0]);
  await run(30)();
  assert.deepEqual(await agesLeft(), [30, 29, 0]);
});

test('many old entries go all, and the newest stays, so that ids only grow', async (t) => {
  const { db, agesLeft, run } = await storeOf(
    t,
    Array.from({ length: 2_500 }, () => 90),
  );
  await run(30)();
  assert.deepEqual(await agesLeft(), [90]);
  const row = await db.selectFrom('audit_log').select('id').executeTakeFirstOrThrow();
  assert.equal(row.id, 2_500);
});
