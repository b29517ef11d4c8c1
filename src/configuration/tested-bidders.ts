import type { Kysely } from 'kysely';
import { writeAudit, type Actor } from './audit.ts';
import { BIDDER_NOUN } from './resources/bidder.ts';
import type { Database } from './schema.ts';

/** What came of a test request, in the words of the API. */
export type TestOutcome = 'bid' | 'no_bid' | 'timeout' | 'error';

/** Writes down that a bidder got a test request: of the request itself nothing is kept. */
export async function noteTest(
  db: Kysely<Database>,
  { demandPartnerId, outcome }: { readonly demandPartnerId: number; readonly outcome: TestOutcome },
  by: { readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  const entry = {
    action: 'tested',
    resource: BIDDER_NOUN,
    resourceId: demandPartnerId,
    changes: changesOf(outcome),
  } as const;
  await db.transaction().execute((transaction) => writeAudit(transaction, entry, by));
}

/** Whether any bidder has answered a test request, as far back as the audit log goes. */
export async function hasAnsweredTest(db: Kysely<Database>): Promise<boolean> {
  const answered = (['bid', 'no_bid'] as const).map((outcome) =>
    JSON.stringify(changesOf(outcome)),
  );
  const row = await db
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', 'tested')
    .where('changes', 'in', answered)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function changesOf(outcome: TestOutcome) {
  return [{ field: 'outcome', after: outcome }];
}
