import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Type from 'typebox';

import { findAuction } from '../analytics/find-auction.ts';
import { CommandError } from '../base/errors.ts';
import type { StorePlace } from '../settings/settings.ts';
import { compileSnapshot } from '../configuration/compile.ts';
import { MISSING, type ExplainQuestion } from '../control/explain.ts';
import {
  answerAuction,
  readerOf,
  type AuctionAnswer,
} from '../management/auctions/explain-auction.ts';
import { AuctionViewSchema } from '../management/auctions/schema.ts';
import { SnapshotBuilder } from '../snapshot/snapshot.ts';
import { findControl, type ControlPlace } from './ask-control.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';

const AnswerSchema = Type.Union([
  Type.Object({ auction: AuctionViewSchema }),
  Type.Object({ auction: Type.Null(), missing: MISSING }),
]);

/**
 * Explains an auction, whether or not the node runs: a running control is asked, else its stores are
 * opened in this process.
 *
 * @returns null where there is none, or nothing of it for the partner, and what is missing.
 * @throws CommandError when there is nothing to ask.
 */
export async function runExplain(
  place: ControlPlace & StorePlace,
  question: ExplainQuestion,
): Promise<AuctionAnswer> {
  const control = findControl(place);
  if (control === null) return explainHere(place, question);
  const answer = await control.ask('/internal/explain', question, AnswerSchema);
  if (answer !== null) return answer;
  throw new CommandError('Control is of another version of Rialto, which explains no auctions.');
}

async function explainHere(place: StorePlace, question: ExplainQuestion): Promise<AuctionAnswer> {
  const { dataDirectory } = place;
  const directory = join(dataDirectory, 'analytics');
  if (!existsSync(directory)) {
    throw new CommandError(
      `No node runs on ${dataDirectory}, and it holds no analytics store: name the control of ` +
        'another node with --internal-url (RIALTO_INTERNAL_URL).',
      { exit: 'unreachable' },
    );
  }
  const { openChdb } = await import('../adapters/chdb.ts');
  const { migrateAnalytics } = await import('../analytics/migrate.ts');
  const db = await openConfigurationStore(place);
  try {
    const { version, entities } = await compileSnapshot(db);
    const builder = new SnapshotBuilder(version);
    for (const entity of entities) builder.add(entity);
    const store = await openChdb({ directory });
    try {
      await migrateAnalytics(store);
      const nowMs = Date.now();
      const found = await findAuction(store, question.auction_id, nowMs);
      return answerAuction(found, readerOf(question), { snapshot: builder.build(), nowMs });
    } finally {
      await store.close();
    }
  } finally {
    await db.destroy();
  }
}
