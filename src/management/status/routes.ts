import type { Pulse } from '../../analytics/traffic.ts';
import { RialtoError } from '../../base/errors.ts';
import { AnalyticsStoreError } from '../../ports/analytics-store.ts';
import type { WatchedCertificate } from '../../ports/certificates.ts';
import type { NodeStatus } from '../../ports/node-status.ts';
import type { HealthReader } from '../bidder-health/health-reader.ts';
import { NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { attentionOf } from './attention.ts';
import type { MarketFigures } from './market-attention.ts';
import type { HeldFigures } from '../../analytics/held.ts';
import { StatusSchema, type NodeView, type Status } from './schema.ts';

/** What control knows of itself and of its nodes. */
export interface StatusFigures {
  readonly control: {
    readonly uptimeSeconds: number;
    /** `EPOCH.SEQ`; null while there is no snapshot. */
    readonly snapshot: string | null;
    /** Since when it is the present one. */
    readonly snapshotAgeSeconds: number;
    readonly analytics: Status['control']['analytics'];
    readonly quarantine: HeldFigures;
    readonly pid: number;
    readonly cpuSeconds: number;
    readonly residentBytes: number;
  };
  readonly certificates: readonly WatchedCertificate[];
  readonly nodes: readonly {
    readonly status: NodeStatus;
    readonly ageSeconds: number;
  }[];
}

export interface StatusParts {
  readonly readStatus: () => Promise<StatusFigures>;
  /**
   * The ad requests of the last day, and of the last five minutes.
   *
   * @throws RialtoError as long as the analytics store is not open.
   */
  readonly readPulse: () => Promise<Pulse>;
}

/** `GET /api/status/`: whether the nodes are well, and what to do first where they are not. */
export function registerStatus(
  endpoints: Endpoints,
  { readStatus, readPulse, health }: StatusParts & { readonly health: HealthReader },
): void {
  endpoints.add(
    {
      id: 'getStatus',
      method: 'GET',
      path: '/status',
      tag: 'Operation',
      summary: 'Tell how the nodes are',
      description:
        'What control knows of itself and of its nodes, and under `attention` what needs a person, each with a code that never changes its meaning, a sentence, and what to do.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: 'the status', schema: StatusSchema, example: EXAMPLE },
    },
    createStatusReader({ readStatus, readPulse, health }),
  );
}

/** Reads the status, with what needs a person. */
export function createStatusReader({
  readStatus,
  readPulse,
  health,
}: StatusParts & { readonly health: Pick<HealthReader, 'all'> }): () => Promise<Status> {
  return async () => {
    const figures = await readStatus();
    const isOpen = figures.control.analytics !== 'opening';
    return statusOf(figures, isOpen ? await marketOf({ readPulse, health }) : null);
  };
}

/**
 * The status is told also while the analytics store cannot answer, which stands in it then.
 *
 * @returns null where it is not open, or too much is asked of it at this moment.
 */
async function marketOf({
  readPulse,
  health,
}: Pick<StatusParts, 'readPulse'> & {
  readonly health: Pick<HealthReader, 'all'>;
}): Promise<MarketFigures | AnalyticsStoreError | null> {
  try {
    const [pulse, bidders] = await Promise.all([readPulse(), health.all()]);
    return { pulse, bidders };
  } catch (error) {
    if (error instanceof RialtoError) return null;
    if (error instanceof AnalyticsStoreError) return error;
    throw error;
  }
}

function statusOf(
  { control, nodes, certificates }: StatusFigures,
  market: MarketFigures | AnalyticsStoreError | null,
): Status {
  const shown = {
    control: {
      uptime_seconds: control.uptimeSeconds,
      snapshot: control.snapshot,
      analytics: control.analytics,
      quarantine: quarantineOf(control.quarantine),
      processes: [
        {
          role: 'control',
          pid: control.pid,
          cpu_seconds: control.cpuSeconds,
          resident_bytes: control.residentBytes,
        },
      ],
    },
    nodes: nodes.map(({ status, ageSeconds }) => nodeOf(status, ageSeconds)),
  };
  const { snapshotAgeSeconds } = control;
  return { ...shown, attention: attentionOf(shown, { snapshotAgeSeconds, certificates, market }) };
}

function quarantineOf(figures: HeldFigures): Status['control']['quarantine'] {
  return {
    entries: figures.entries,
    refused_records: figures.refused,
    damaged_places: figures.damaged,
    missing_records: figures.missing,
    damaged_segments: [...figures.damagedSegments],
  };
}

function nodeOf(status: NodeStatus, ageSeconds: number): NodeView {
  const { shipping, traces, journal, processes = [] } = status;
  return {
    id: status.incarnation,
    host: status.host,
    version: status.version,
    age_seconds: ageSeconds,
    snapshot: status.snapshot === '' ? null : status.snapshot,
    processes: processes.map(({ role, pid, cpuSeconds, residentBytes }) => ({
      role,
      pid,
      cpu_seconds: cpuSeconds,
      resident_bytes: residentBytes,
    })),
    journal: {
      backlog_bytes: shipping.backlogBytes,
      backlog_seconds: shipping.backlogSeconds,
      trace_backlog_bytes: traces?.backlogBytes ?? 0,
      disk_bytes: journal.moneyBytes + journal.traceBytes,
      disk_free_bytes: journal.disk?.freeBytes ?? null,
      disk_reserve_bytes: journal.disk?.reserveBytes ?? null,
      quarantined_batches: shipping.quarantined + (traces?.quarantined ?? 0),
      conflicting_batches: shipping.conflicts + (traces?.conflicts ?? 0),
      missing_records: shipping.missingRecords,
      shortened_segments: shipping.shortenedSegments,
      unreadable_segments: shipping.unreadableSegments,
    },
    notices: noticesOf(status.notices),
  };
}

function noticesOf(notices: NodeStatus['notices']): NodeView['notices'] {
  if (notices === undefined) return null;
  const { outcomes, pending, partners = [] } = notices;
  return {
    pending: { win: pending.win, billing: pending.billing, loss: pending.loss },
    oldest_seconds: notices.oldestSeconds,
    failing_destinations: notices.failingDestinations,
    given_up: outcomes.win.givenUp + outcomes.billing.givenUp,
    failing_demand_partners: partners
      .filter(({ failing }) => failing > 0)
      .map(({ demandPartnerId }) => demandPartnerId),
  };
}

const EXAMPLE: Status = {
  control: {
    uptime_seconds: 86_400,
    snapshot: 'a3f1c09b52de4778.13',
    analytics: 'open',
    quarantine: {
      entries: 0,
      refused_records: 0,
      damaged_places: 0,
      missing_records: 0,
      damaged_segments: [],
    },
    processes: [{ role: 'control', pid: 4711, cpu_seconds: 412.5, resident_bytes: 512_000_000 }],
  },
  nodes: [
    {
      id: '0123456789abcdef',
      host: 'machine-1',
      version: '0.1.0',
      age_seconds: 42,
      snapshot: 'a3f1c09b52de4778.13',
      processes: [
        { role: 'supervisor', pid: 4710, cpu_seconds: 9.5, resident_bytes: 70_000_000 },
        { role: 'control', pid: 4711, cpu_seconds: 412.5, resident_bytes: 512_000_000 },
        { role: 'courier', pid: 4712, cpu_seconds: 61.25, resident_bytes: 90_000_000 },
        { role: 'tracker', pid: 4713, cpu_seconds: 33, resident_bytes: 80_000_000 },
        { role: 'exchange', pid: 4714, cpu_seconds: 820.75, resident_bytes: 160_000_000 },
      ],
      journal: {
        backlog_bytes: 120_000,
        backlog_seconds: 0.75,
        trace_backlog_bytes: 8_000,
        disk_bytes: 734_003_200,
        disk_free_bytes: 84_000_000_000,
        disk_reserve_bytes: 268_435_456,
        quarantined_batches: 0,
        conflicting_batches: 0,
        missing_records: 0,
        shortened_segments: 0,
        unreadable_segments: 0,
      },
      notices: {
        pending: { win: 2, billing: 1, loss: 14 },
        oldest_seconds: 0.5,
        failing_destinations: 0,
        given_up: 0,
        failing_demand_partners: [],
      },
    },
  ],
  attention: [
    {
      code: 'node_silent',
      node: '0123456789abcdef',
      message:
        'Node 0123456789abcdef on machine-1 has not reported for 42 s; what is told of it is as old.',
      action: 'See whether the machine and its courier run, and whether they reach control.',
    },
  ],
};
