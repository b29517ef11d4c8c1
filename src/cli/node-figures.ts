import type { RoleName } from '../settings/settings.ts';
import { isOurs, type SeenNode, type SeenRole } from './local-node.ts';
import type { Sample } from './metrics-text.ts';
import type { Attention, NodeLine } from './status-schema.ts';

/** Couriers report every two seconds. */
const SILENT_AFTER_S = 15;
/** Reports are to be behind by 5 s at most. */
const BACKLOG_AFTER_S = 30;
/** A notice is tried again every 10 s for a minute, and then less and less often. */
const NOTICES_LATE_AFTER_S = 60;

/** The nodes that a control tells of in its metrics. */
export function nodesOf(samples: readonly Sample[]): NodeLine[] {
  return samples
    .filter(({ name }) => name === 'rialto_node_info')
    .map(({ labels }) => {
      const id = labels.get('node') ?? '';
      const figure = (name: string, event?: string): number =>
        find(samples, `rialto_node_${name}`, { node: id, event }) ?? 0;
      const oldest = find(samples, 'rialto_node_notices_oldest_seconds', { node: id });
      const pending = (event: string): number => figure('notices_pending', event);
      return {
        id,
        host: labels.get('host') ?? '',
        version: labels.get('version') ?? '',
        age_seconds: figure('silence_seconds'),
        snapshot: labels.get('snapshot') || null,
        journal: {
          backlog_bytes: figure('backlog_bytes'),
          backlog_seconds: figure('backlog_seconds'),
        },
        notices:
          oldest === null
            ? null
            : {
                pending: {
                  win: pending('win'),
                  billing: pending('billing'),
                  loss: pending('loss'),
                },
                oldest_seconds: oldest,
              },
      };
    });
}

/** What a control tells of itself. */
export function controlOf(samples: readonly Sample[]) {
  return {
    analytics_known: find(samples, 'rialto_analytics_known', {}) !== 0,
    quarantined_records: find(samples, 'rialto_quarantined_records', {}) ?? 0,
    damaged_places: find(samples, 'rialto_quarantined_damage', {}) ?? 0,
    missing_records: find(samples, 'rialto_quarantined_missing_records', {}) ?? 0,
    unreadable_segments: sum(samples, 'rialto_node_unreadable_segments'),
  };
}

/** What needs somebody, as far as a node's ports and its control's metrics tell. */
export function attentionOf(
  { supervisor, roles, samples, metricsUrl }: SeenNode,
  nodes: readonly NodeLine[],
): Attention[] {
  const found = roles.flatMap((role) => attentionOfRole(role, supervisor !== null));
  if (supervisor === null) {
    found.push({
      message: 'The ports answer, but no supervisor runs on this data directory.',
      action: 'Name the data directory of the node with --data.',
    });
  }
  if (samples === null) {
    if (metricsUrl !== null && roles.some((seen) => seen.role === 'control' && isOurs(seen))) {
      found.push({
        message: `The metrics at ${metricsUrl}, which tell of its nodes, do not answer.`,
        action:
          'Where the node has others, name them with --metrics-host and --metrics-port (RIALTO_METRICS_HOST, RIALTO_METRICS_PORT).',
      });
    }
    return found;
  }
  const { quarantined_records: quarantined, unreadable_segments: unreadable } = controlOf(samples);
  const { damaged_places: damaged, missing_records: missing } = controlOf(samples);
  if (!controlOf(samples).analytics_known) {
    found.push({
      message:
        'The analytics store is empty, another or an older one than was loaded into; nothing is loaded into it.',
      action: 'Put the right one back while the node is stopped, or run rialto reoffer.',
    });
  }
  if (damaged > 0) {
    found.push({
      message: `${damaged} damaged places were found in journals, with ${missing} records lost.`,
      action: 'Check the disks; rialto quarantine shows what can be read.',
    });
  }
  if (quarantined > 0) {
    found.push({
      message: `${quarantined} records were refused by the analytics store and are in no report.`,
      action: 'Read why with rialto quarantine.',
    });
  }
  if (unreadable > 0) {
    found.push({
      message: `${unreadable} segments of the journal cannot be read by this version.`,
      action: 'Start the version that wrote them, until they are shipped.',
    });
  }
  return [...found, ...nodes.flatMap(attentionOfNode)];
}

/** The ports of a running node are known to itself alone: these may be others than it has. */
const NAME_PORTS =
  'Where the node that runs has other ports, name them with --control-port, --exchange-port and ' +
  '--tracker-port (RIALTO_CONTROL_PORT, RIALTO_EXCHANGE_PORT, RIALTO_TRACKER_PORT); else run ' +
  'rialto doctor.';

/** What the others do meanwhile. */
const SILENT: Readonly<Partial<Record<RoleName, string>>> = {
  control:
    ' If it is down, the node serves the configuration on its disk, keeps its records, and tries control again.',
};

function attentionOfRole({ role, url, state }: SeenRole, isSupervised: boolean): Attention[] {
  const remedy = isSupervised ? NAME_PORTS : 'Run rialto doctor.';
  const of = (message: string, action: string): Attention[] => [{ message, action }];
  switch (state) {
    case 'ready':
    case 'unknown_port':
      return [];
    case 'not_ready':
      return of(`${role} at ${url} is not ready yet.`, 'Its log says what it waits for.');
    case 'not_recording':
      return of(
        `${role} at ${url} cannot write its journal, and refuses with 503 what it could not record.`,
        'Make room on the disk of the data directory, or see what is wrong with it; it goes on by itself.',
      );
    case 'silent':
      return of(`${role} at ${url} does not answer.${SILENT[role] ?? ''}`, remedy);
    case 'foreign':
      return of(`At ${url}, where ${role} should be, another program answers.`, remedy);
  }
}

function attentionOfNode(node: NodeLine): Attention[] {
  const { id, host, age_seconds: age, snapshot, journal, notices } = node;
  const who = `Node ${id} on ${host}`;
  const found: Attention[] = [];
  if (age > SILENT_AFTER_S) {
    const message = `${who} has not reported for ${Math.round(age)} s.`;
    return [{ message, action: 'See whether it runs, and whether its courier reaches control.' }];
  }
  if (snapshot === null) {
    const message = `${who} has no configuration, so that it answers no ad request.`;
    found.push({ message, action: 'The log of its courier says why.' });
  }
  if (journal.backlog_seconds > BACKLOG_AFTER_S) {
    found.push({
      message: `${who} has records waiting for ${Math.round(journal.backlog_seconds)} s: reports are behind by as much.`,
      action: 'The logs of its courier and of control say why.',
    });
  }
  if (notices !== null && notices.oldest_seconds > NOTICES_LATE_AFTER_S) {
    found.push({
      message: `${who} has notices waiting, the oldest for ${Math.round(notices.oldest_seconds)} s.`,
      action: "Its courier's log names the partners: tell them that their addresses do not answer.",
    });
  }
  return found;
}

interface Wanted {
  readonly node?: string;
  readonly event?: string | undefined;
}

function find(samples: readonly Sample[], wanted: string, { node, event }: Wanted): number | null {
  const sample = samples.find(
    ({ name, labels }) =>
      name === wanted && labels.get('node') === node && labels.get('event') === event,
  );
  return sample?.value ?? null;
}

function sum(samples: readonly Sample[], wanted: string): number {
  return samples.reduce((total, { name, value }) => total + (name === wanted ? value : 0), 0);
}
