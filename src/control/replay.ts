import type { FastifyInstance } from 'fastify';

import {
  AuctionChoiceSchema,
  PageQuestionSchema,
  type AuctionChoice,
  type Minutes,
  type PageQuestion,
  type RecordedPage,
} from '../analytics/recorded-wire.ts';

/** How the store is asked for recorded auctions. */
export interface RecordedReader {
  /** @throws RialtoError as long as the store is not open. */
  minutes(choice: AuctionChoice): Promise<Minutes>;
  recordedPage(question: PageQuestion): Promise<RecordedPage>;
}

/**
 * `POST /internal/replay` answers with the next page of recorded auctions, `POST
 * /internal/replay/minutes` with when they were (see `analytics/recorded-wire.ts`). Whoever asks
 * decides them: a page is all that is held here, and all that loading waits for.
 */
export function registerReplay(app: FastifyInstance, store: RecordedReader): void {
  app.post<{ Body: AuctionChoice }>(
    '/internal/replay/minutes',
    { schema: { body: AuctionChoiceSchema } },
    async ({ body }, reply) => reply.send(await store.minutes(body)),
  );
  app.post<{ Body: PageQuestion }>(
    '/internal/replay',
    { schema: { body: PageQuestionSchema } },
    async ({ body }, reply) => reply.send(await store.recordedPage(body)),
  );
}
