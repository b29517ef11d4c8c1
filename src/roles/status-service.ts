import type { Quarantine } from '../analytics/quarantine.ts';
import { readPulse, type Pulse } from '../analytics/traffic.ts';
import { processUsage } from '../base/process-usage.ts';
import { RecentAnswers } from '../base/recent-answers.ts';
import type { CertificateRegister } from '../control/certificate-register.ts';
import type { NodeRegister } from '../control/node-register.ts';
import type { SnapshotSource } from '../control/snapshot-source.ts';
import type { StatusFigures } from '../management/status/routes.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { RunQuery } from './query-queue.ts';
import type { Analytics } from './analytics.ts';

export interface StatusServiceOptions {
  readonly source: Pick<SnapshotSource, 'current'>;
  readonly nodes: Pick<NodeRegister, 'nodes' | 'ageSeconds'>;
  readonly analytics: Pick<Analytics, 'loader' | 'state' | 'isHeld'>;
  readonly quarantine: Pick<Quarantine, 'figures'>;
  readonly certificates: Pick<CertificateRegister, 'certificates'>;
  /** Unix time in milliseconds at which the present snapshot was compiled. */
  readonly compiledAtMs: () => number;
}

/** Gathers what control knows of itself and its nodes. */
export function createStatusService(options: StatusServiceOptions): () => Promise<StatusFigures> {
  const { source, nodes, analytics, quarantine, certificates, compiledAtMs } = options;
  return async () => {
    return {
      control: {
        uptimeSeconds: process.uptime(),
        snapshot: source.current?.key ?? null,
        snapshotAgeSeconds: nodes.ageSeconds(compiledAtMs()),
        analytics: stateOf(analytics),
        quarantine: await quarantine.figures(),
        pid: process.pid,
        ...processUsage(),
      },
      certificates: certificates.certificates,
      nodes: nodes.nodes.map(({ status, atMs }) => ({
        status,
        ageSeconds: nodes.ageSeconds(atMs),
      })),
    };
  };
}

function stateOf({
  loader,
  state,
  isHeld,
}: StatusServiceOptions['analytics']): StatusFigures['control']['analytics'] {
  if (loader === null) return 'opening';
  if (state !== 'known') return state;
  return isHeld ? 'held' : 'open';
}

const DAY_S = 86_400;
const RECENT_S = 300;
const GOOD_FOR_MS = 2_000;

/** Reads whether there is any traffic, for many who ask about the same time once. */
export function createPulse(
  opened: () => AnalyticsStore,
  runQuery: RunQuery,
): () => Promise<Pulse> {
  const recent = new RecentAnswers<Pulse>(GOOD_FOR_MS, Date.now);
  return () =>
    recent.get('pulse', () =>
      runQuery(async () => {
        const nowS = Math.floor(Date.now() / 1_000);
        return readPulse(opened(), { fromS: nowS - DAY_S, recentFromS: nowS - RECENT_S });
      }),
    );
}
