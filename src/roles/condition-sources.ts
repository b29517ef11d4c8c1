import type { Kysely } from 'kysely';
import { readLineItemRequests } from '../analytics/line-item-requests.ts';
import { ownField } from '../base/fields.ts';
import type { Database } from '../configuration/schema.ts';
import type { CertificateRegister } from '../control/certificate-register.ts';
import type { Leases } from '../control/leases.ts';
import {
  createHealthReader,
  type HealthReader,
} from '../management/bidder-health/health-reader.ts';
import type { CreativeFinder } from '../management/creatives/routes.ts';
import type { HeldService } from '../analytics/held-service.ts';
import { showInstant } from '../management/shown.ts';
import { createStatusReader } from '../management/status/routes.ts';
import type { Attention, Status } from '../management/status/schema.ts';
import type { Analytics } from './analytics.ts';
import type { ManagementComposition } from './management.ts';
import {
  exchangeCondition,
  partnerCondition,
  type ConditionSource,
  type Reading,
} from '../subscriptions/condition.ts';
import { certificateSource } from './certificate-conditions.ts';
import { creativeSource } from './creative-conditions.ts';
import { budgetSource, lineItemSource, type LineItemSourceParts } from './line-item-conditions.ts';

export interface ConditionSourceParts extends LineItemSourceParts {
  readonly health: Pick<HealthReader, 'all'>;
  readonly readStatus: () => Promise<Status>;
  readonly quarantine: Pick<HeldService<unknown>, 'list'>;
  readonly findCreatives: CreativeFinder;
  readonly certificates: Pick<CertificateRegister, 'certificates' | 'hasLooked'>;
}

const OFTEN_MS = 10_000;

/** What control has, and the management API asks for as well. */
export interface ConditionSourceOrigins {
  readonly db: Kysely<Database>;
  readonly asks: ManagementComposition['asks'];
  readonly leases: Pick<Leases, 'usedUp'>;
  readonly analytics: Pick<Analytics, 'opened'>;
  readonly certificates: ConditionSourceParts['certificates'];
}

/** The sources of a control. */
export function createConditionSources(origins: ConditionSourceOrigins): ConditionSource[] {
  const { db, asks, leases, analytics, certificates } = origins;
  const { readPulse, readBidderSums, quarantine: held, findCreatives } = asks;
  const now = Date.now;
  const health = createHealthReader({ db, readBidderSums, now });
  const readStatus = createStatusReader({ ...asks, health });
  const readRequests = (date: string) => readLineItemRequests(analytics.opened(), date);
  const parts = { db, health, readStatus, readPulse, leases, quarantine: held, findCreatives };
  return conditionSources({ ...parts, certificates, readRequests, now });
}

/**
 * What the exchange knows of itself, as conditions that subscriptions are told of: each source reads what
 * the API shows as well. Sources throw, or return null, where they cannot tell at this moment.
 */
export function conditionSources(parts: ConditionSourceParts): ConditionSource[] {
  return [
    bidders(parts),
    budgetSource(parts),
    lineItemSource(parts),
    creativeSource(parts.findCreatives),
    quarantine(parts),
    certificateSource(parts.certificates),
    attention(parts),
  ];
}

/** A bidder that nobody calls is neither well nor unwell: what it was it stays. */
const UNKNOWN_HEALTH: ReadonlySet<string> = new Set(['idle', 'stopped', 'not_set_up']);

function bidders({ health }: ConditionSourceParts): ConditionSource {
  return {
    kind: 'bidder',
    types: ['bidder.unhealthy', 'bidder.healthy'],
    everyMs: OFTEN_MS,
    read: async () => {
      const all = await health.all();
      const byKey = new Map(all.map((each) => [`bidder ${each.demand_partner_id}`, each]));
      const dataOf = ({
        demand_partner_id,
        name,
        state,
        sentence,
        action,
      }: (typeof all)[number]) => ({
        demand_partner_id,
        name,
        state,
        sentence,
        action,
      });
      return {
        holds: all
          .filter(({ state }) => state === 'failing' || state === 'held_back')
          .map((each) => {
            const { demand_partner_id: id } = each;
            const event = { type: 'bidder.unhealthy', data: dataOf(each) } as const;
            return partnerCondition(id, `bidder ${id}`, event);
          }),
        keeps: ({ key }) => UNKNOWN_HEALTH.has(byKey.get(key)?.state ?? ''),
        over: ({ key }) => {
          const well = byKey.get(key);
          return well === undefined ? null : { type: 'bidder.healthy', data: dataOf(well) };
        },
      };
    },
  };
}

function quarantine({ quarantine: held }: ConditionSourceParts): ConditionSource {
  return {
    kind: 'quarantine',
    types: ['batch.quarantined'],
    everyMs: OFTEN_MS,
    read: async () => ({
      holds: (await held.list()).map((entry) =>
        exchangeCondition(`quarantine ${entry.id}`, { type: 'batch.quarantined', data: entry }),
      ),
    }),
  };
}

/** What has types of its own is not told twice. */
const TOLD_OTHERWISE: ReadonlySet<Attention['code']> = new Set([
  'bidder_failing',
  'records_quarantined',
  'certificate_expiring',
  'certificate_expired',
]);

/** What the analytics store tells of: while it does not, nothing of this is over. */
const OF_MARKET: ReadonlySet<string> = new Set<Attention['code']>([
  'no_traffic',
  'nothing_sold',
  'bidder_stopped',
  'bidder_unreliable',
]);

/** What is known of the analytics store once it is open. */
const OF_STORE: ReadonlySet<string> = new Set<Attention['code']>([
  'reports_held',
  'analytics_replaced',
  'analytics_failing',
]);

function attention({ readStatus, readPulse, health, now }: ConditionSourceParts): ConditionSource {
  return {
    kind: 'attention',
    types: ['attention.raised', 'attention.resolved'],
    everyMs: OFTEN_MS,
    read: async (): Promise<Reading> => {
      const market = Promise.all([readPulse(), health.all()]);
      const isMarketKnown = await market.then(
        () => true,
        () => false,
      );
      const { attention: all, nodes, control } = await readStatus();
      const isSilent = new Set(
        all.filter(({ code }) => code === 'node_silent').map(({ node }) => node),
      );
      const isReporting = new Set(nodes.map(({ id }) => id).filter((id) => !isSilent.has(id)));
      const needs = all.filter(({ code }) => !TOLD_OTHERWISE.has(code));
      const known = new Map(needs.map((need) => [attentionKey(need), need]));
      return {
        holds: [...known].map(([key, need]) =>
          exchangeCondition(key, { type: 'attention.raised', data: need }),
        ),
        keeps: ({ event: { data } }) => {
          const code = ownField(data, 'code');
          const node = ownField(data, 'node');
          const isOneOf = (codes: ReadonlySet<string>) => codes.has(String(code));
          if (isOneOf(OF_MARKET) && !isMarketKnown) return true;
          if (isOneOf(OF_STORE) && control.analytics === 'opening') return true;
          // Of a node that does not report nobody knows: after a start of control, of none.
          return typeof node === 'string' && !isReporting.has(node);
        },
        over: ({ event: { data } }) => ({
          type: 'attention.resolved',
          data: { ...data, resolved_at: showInstant(now()) },
        }),
      };
    },
  };
}

function attentionKey({ code, node, demand_partner_id: partner }: Attention): string {
  return `attention ${code} ${node ?? ''} ${partner ?? ''}`;
}
