import type { Kysely } from 'kysely';
import type { CountFacts } from '../../analytics/count-facts.ts';
import type { LogLine } from '../../analytics/log-lines.ts';
import type { LogOwner } from '../../analytics/log-rows.ts';
import type { Window } from '../../analytics/recorded-windows.ts';
import type {
  DemandDimension,
  Report,
  ReportQuestion,
  SupplyDimension,
} from '../../analytics/report.ts';
import type { DaySums, IdSums, SumsQuestion } from '../../analytics/sums.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller, CallerRole } from '../../identity/caller.ts';
import { DEMAND_SIDE, SUPPLY_SIDE } from '../endpoint.ts';
import { demandPartnerOf, publisherOf } from '../owners.ts';
import type { Params } from '../resource.ts';
import type { ExportSlots } from './slots.ts';

/** What exports are read from. @throws RialtoError while the analytics store is not open. */
export interface ExportSource {
  readonly log: (owner: LogOwner, window: Window) => AsyncGenerator<readonly LogLine[], void, void>;
  readonly demandReport: (question: ReportQuestion<DemandDimension>) => Promise<Report>;
  readonly supplyReport: (question: ReportQuestion<SupplyDimension>) => Promise<Report>;
  readonly daySums: (question: SumsQuestion) => Promise<readonly DaySums[]>;
  readonly idSums: (question: SumsQuestion) => Promise<readonly IdSums[]>;
  readonly countFacts: (question: SumsQuestion) => Promise<CountFacts>;
  /** All that was recorded until this Unix time in milliseconds is there, of all known nodes. */
  readonly loadedUntilMs: () => number;
}

export interface ExportParts {
  readonly db: Kysely<Database>;
  readonly exports: ExportSource;
  readonly slots: ExportSlots;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** The two kinds of accounts, each of which reads of itself. */
export interface Side {
  readonly side: 'demand' | 'supply';
  /** `demand partner`, as the sentences say it, and in the names of operations. */
  readonly noun: string;
  readonly name: string;
  readonly path: string;
  readonly roles: readonly CallerRole[];
  /** The account that an address names. @throws RialtoError `not_found` */
  readonly idOf: (parts: ExportParts, caller: Caller, params: Params) => Promise<number>;
}

export const SIDES: readonly Side[] = [
  {
    side: 'demand',
    noun: 'demand partner',
    name: 'DemandPartner',
    path: '/demand-partners/:demand_partner_id',
    roles: DEMAND_SIDE,
    idOf: ({ db }, caller, params) => demandPartnerOf(db, caller, params),
  },
  {
    side: 'supply',
    noun: 'publisher',
    name: 'Publisher',
    path: '/publishers/:publisher_id',
    roles: SUPPLY_SIDE,
    idOf: ({ db }, caller, params) => publisherOf(db, caller, params),
  },
];
