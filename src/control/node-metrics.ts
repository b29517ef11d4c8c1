import { Counter, Gauge, type Registry } from 'prom-client';
import { NOTICE_EVENTS } from '../events/delivery-record.ts';
import type { NodeStatus } from '../ports/node-status.ts';
import type { NodeRegister } from './node-register.ts';

/** One figure of the nodes: a counter when its name ends in `_total`, else a gauge. */
interface Figure {
  readonly name: string;
  readonly help: string;
  /** Undefined where the node's courier, of an earlier version, does not say. */
  readonly value: (status: NodeStatus) => number | undefined;
}

const FIGURES: readonly Figure[] = [
  {
    name: 'rialto_node_backlog_bytes',
    help: 'Records in the journal of the node that control has not acknowledged, in bytes.',
    value: ({ shipping }) => shipping.backlogBytes,
  },
  {
    name: 'rialto_node_backlog_seconds',
    help: 'Age of the oldest record that the node is offering, in seconds.',
    value: ({ shipping }) => shipping.backlogSeconds,
  },
  {
    name: 'rialto_node_shipped_bytes_total',
    help: 'Bytes of batches that control has answered for good.',
    value: ({ shipping }) => shipping.shippedBytes,
  },
  {
    name: 'rialto_node_retries_total',
    help: 'Offers of batches that failed and were made again.',
    value: ({ shipping }) => shipping.retries,
  },
  {
    name: 'rialto_node_unreadable_segments',
    help: 'Segments of the journal that the courier cannot ship and leaves: more than 0 is an alarm.',
    value: ({ shipping }) => shipping.unreadableSegments,
  },
  {
    name: 'rialto_node_missing_records_total',
    help: 'Records of money that were lost to damage of the journal: more than 0 is an alarm.',
    value: ({ shipping }) => shipping.missingRecords,
  },
  {
    name: 'rialto_node_shortened_segments',
    help: 'Segments of the journal that have lost their end: more than 0 is an alarm.',
    value: ({ shipping }) => shipping.shortenedSegments,
  },
  {
    name: 'rialto_node_trace_backlog_bytes',
    help: 'Traces in the journal of the node that control has not acknowledged, in bytes.',
    value: ({ traces }) => traces?.backlogBytes,
  },
  {
    name: 'rialto_node_trace_backlog_seconds',
    help: 'Age of the oldest trace that the node is offering, in seconds.',
    value: ({ traces }) => traces?.backlogSeconds,
  },
  {
    name: 'rialto_node_trace_shipped_bytes_total',
    help: 'Bytes of batches of traces that control has answered for good.',
    value: ({ traces }) => traces?.shippedBytes,
  },
  {
    name: 'rialto_node_removed_segments_total',
    help: 'Segments of the journal that were removed, after their time or for want of room.',
    value: ({ journal }) => journal.removedSegments,
  },
  {
    name: 'rialto_node_notices_oldest_seconds',
    help: 'Since when the oldest win or billing notice that waits is due, in seconds.',
    value: ({ notices }) => notices?.oldestSeconds,
  },
  {
    name: 'rialto_node_notice_tries_total',
    help: 'Calls of notices, those that were made again included.',
    value: ({ notices }) => notices?.tries,
  },
  {
    name: 'rialto_node_notices_failing_destinations',
    help: 'Destinations of demand partners that do not answer notices at present.',
    value: ({ notices }) => notices?.failingDestinations,
  },
  {
    name: 'rialto_node_notice_store_seconds_total',
    help: 'Time that the courier spent in the store of notices, in seconds.',
    value: ({ notices }) => notices?.storeSeconds,
  },
  {
    name: 'rialto_node_courier_cpu_seconds_total',
    help: 'User and system CPU time spent by the courier, in seconds.',
    value: ({ process }) => process.cpuSeconds,
  },
  {
    name: 'rialto_node_courier_resident_memory_bytes',
    help: 'Resident memory of the courier, in bytes.',
    value: ({ process }) => process.residentBytes,
  },
];

type PartnerStatus = NonNullable<NonNullable<NodeStatus['notices']>['partners']>[number];

/** Figures of the demand partners that a node names: those that are worst off, if there are many. */
const PARTNER_FIGURES: readonly {
  readonly name: string;
  readonly help: string;
  readonly value: (partner: PartnerStatus) => number;
}[] = [
  {
    name: 'rialto_node_notices_waiting',
    help: 'Win and billing notices that are due and not done, by demand partner; of the 50 worst of those that have any.',
    value: ({ waiting }) => waiting,
  },
  {
    name: 'rialto_node_notices_failing',
    help: 'Destinations that do not answer notices at present, by demand partner; of the same partners.',
    value: ({ failing }) => failing,
  },
  {
    name: 'rialto_node_notices_given_up_total',
    help: 'Win and billing notices that were given up, by demand partner; of the same partners.',
    value: ({ givenUp }) => givenUp,
  },
];

/**
 * Registers what the couriers report, a row a node; the label `node` is the id of its data directory.
 * Counters start at 0 with each courier.
 */
export function registerNodeMetrics(registry: Registry, register: NodeRegister): void {
  for (const { name, help, value } of FIGURES) {
    reportOf(registry, register, { name, help, labelNames: [] }, (status, set) => {
      const figure = value(status);
      if (figure !== undefined) set({}, figure);
    });
  }
  reportOf(
    registry,
    register,
    {
      name: 'rialto_node_batches_total',
      help: 'Batches that the node has offered, by what became of them: loaded, already, quarantined, conflict.',
      labelNames: ['result'],
    },
    ({ shipping }, set) => {
      set({ result: 'loaded' }, shipping.loaded);
      set({ result: 'already' }, shipping.already);
      set({ result: 'quarantined' }, shipping.quarantined);
      set({ result: 'conflict' }, shipping.conflicts);
    },
  );
  registerNoticeMetrics(registry, register);
  reportOf(
    registry,
    register,
    {
      name: 'rialto_node_journal_bytes',
      help: 'Bytes of the journal on the disk of the node, by stream.',
      labelNames: ['stream'],
    },
    ({ journal }, set) => {
      set({ stream: 'money' }, journal.moneyBytes);
      set({ stream: 'trace' }, journal.traceBytes);
    },
  );
  reportOf(
    registry,
    register,
    {
      name: 'rialto_node_info',
      help: 'Always 1: the machine of the node, its Rialto and the configuration that it has.',
      labelNames: ['host', 'version', 'snapshot'],
    },
    ({ host, version, snapshot }, set) => set({ host, version, snapshot }, 1),
  );
  const silence: Gauge<'node'> = new Gauge({
    name: 'rialto_node_silence_seconds',
    help: 'Time since the node last reported, in seconds.',
    labelNames: ['node'],
    registers: [],
    collect: () => {
      silence.reset();
      for (const { status, atMs } of register.nodes) {
        silence.set({ node: status.incarnation }, register.ageSeconds(atMs));
      }
    },
  });
  registry.registerMetric(silence);
}

function registerNoticeMetrics(registry: Registry, register: NodeRegister): void {
  reportOf(
    registry,
    register,
    {
      name: 'rialto_node_notices_total',
      help: 'Notices that are done, by event and outcome: delivered, given_up, and dropped for losses that were not tried.',
      labelNames: ['event', 'outcome'],
    },
    ({ notices }, set) => {
      if (notices === undefined) return;
      for (const event of NOTICE_EVENTS) {
        const { delivered, givenUp, dropped } = notices.outcomes[event];
        set({ event, outcome: 'delivered' }, delivered);
        set({ event, outcome: 'given_up' }, givenUp);
        set({ event, outcome: 'dropped' }, dropped);
      }
    },
  );
  reportOf(
    registry,
    register,
    {
      name: 'rialto_node_notices_pending',
      help: 'Notices that are due and not done, by event; of losses those that are held until a win expires.',
      labelNames: ['event'],
    },
    ({ notices }, set) => {
      if (notices === undefined) return;
      for (const event of NOTICE_EVENTS) set({ event }, notices.pending[event]);
    },
  );
  for (const { name, help, value } of PARTNER_FIGURES) {
    const labelNames = ['demand_partner'];
    reportOf(registry, register, { name, help, labelNames }, ({ notices }, set) => {
      for (const partner of notices?.partners ?? []) {
        set({ demand_partner: String(partner.demandPartnerId) }, value(partner));
      }
    });
  }
}

type Labels = Readonly<Record<string, string>>;

/** A metric whose values are those of the last status of each node. */
function reportOf(
  registry: Registry,
  register: NodeRegister,
  { name, help, labelNames }: { name: string; help: string; labelNames: readonly string[] },
  tell: (status: NodeStatus, set: (labels: Labels, value: number) => void) => void,
): void {
  const options = { name, help, labelNames: ['node', ...labelNames], registers: [] };
  const counts = name.endsWith('_total');
  const metric: Counter | Gauge = counts
    ? new Counter({ ...options, collect: () => collect() })
    : new Gauge({ ...options, collect: () => collect() });
  const collect = (): void => {
    metric.reset();
    for (const { status } of register.nodes) {
      tell(status, (labels, value) => metric.inc({ node: status.incarnation, ...labels }, value));
    }
  };
  registry.registerMetric(metric);
}
