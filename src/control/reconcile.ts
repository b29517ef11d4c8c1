import type { FastifyInstance } from 'fastify';

import { startOf } from '../analytics/dates.ts';
import {
  RowsQuestionSchema,
  StoreQuestionSchema,
  type KeyedRows,
  type RowsQuestion,
  type StoreQuestion,
  type StoreSide,
} from '../analytics/reconcile-wire.ts';
import { RialtoError } from '../base/errors.ts';

/** How the store is asked for its side of a reconciliation. */
export interface StoreReader {
  /** @throws RialtoError as long as the store is not open. */
  side(question: StoreQuestion): Promise<StoreSide>;
  rows(question: RowsQuestion): Promise<KeyedRows>;
}

/**
 * `POST /internal/reconcile` answers with the store's side of a day, `POST /internal/reconcile/rows`
 * with the records of one bucket of it (see `analytics/reconcile-wire.ts`). Loading waits meanwhile.
 */
export function registerReconcile(app: FastifyInstance, store: StoreReader): void {
  app.post<{ Body: StoreQuestion }>(
    '/internal/reconcile',
    { schema: { body: StoreQuestionSchema } },
    async ({ body }, reply) => {
      assertDate(body);
      return reply.send(await store.side(body));
    },
  );
  app.post<{ Body: RowsQuestion }>(
    '/internal/reconcile/rows',
    { schema: { body: RowsQuestionSchema } },
    async ({ body }, reply) => {
      assertDate(body);
      return reply.send(await store.rows(body));
    },
  );
}

function assertDate({ date }: StoreQuestion): void {
  try {
    startOf(date);
  } catch (error) {
    const problem = { pointer: '/date', message: 'is no day; write YYYY-MM-DD' };
    throw new RialtoError('invalid_request', [problem], { cause: error });
  }
}
