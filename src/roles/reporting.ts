import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { readDemandReport, readSupplyReport } from '../analytics/report.ts';
import { findAccount } from '../configuration/find-account.ts';
import { REPORTS_MAX, takeReport, WINDOW_SECONDS } from '../configuration/report-quota.ts';
import type { Database } from '../configuration/schema.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { registerReporting } from '../reporting/routes.ts';

export interface ReportingComposition {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly openedStore: () => AnalyticsStore;
  readonly logger: Logger;
}

/** Composes the reporting API: daily reports by account token. */
export function composeReporting(
  app: FastifyInstance,
  { db, openedStore, logger }: ReportingComposition,
): void {
  registerReporting(app, {
    findAccount: (token) => findAccount(db, token, Date.now()),
    demandReport: (accountId, query) => readDemandReport(openedStore(), { ...query, accountId }),
    supplyReport: (accountId, query) => readSupplyReport(openedStore(), { ...query, accountId }),
    takeReport: async (account) => ({
      ...(await takeReport(db, account, Date.now())),
      limit: REPORTS_MAX,
      windowSeconds: WINDOW_SECONDS,
    }),
    onCutOff: (error) => logger.error({ err: error }, 'a report was cut off'),
    now: Date.now,
  });
}
