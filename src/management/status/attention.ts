import { AnalyticsStoreError } from '../../ports/analytics-store.ts';
import type { WatchedCertificate } from '../../ports/certificates.ts';
import { ofCertificates } from './certificate-attention.ts';
import { ofMarket, type MarketFigures } from './market-attention.ts';
import type { Attention, NodeView, Status } from './schema.ts';

/** Couriers report every two seconds. */
const SILENT_AFTER_S = 15;
/** Reports are to be behind by 5 s at most. */
const BACKLOG_AFTER_S = 30;
/** A change is to be live within 2 s, and the next report says so. */
const SNAPSHOT_LATE_AFTER_S = 15;
/** Opening takes a second or so. */
const ANALYTICS_LATE_AFTER_S = 30;
/** At this multiple of the disk's reserve traces are no longer recorded, see `journal/room.ts`. */
const DISK_LOW_RESERVES = 2;
const BYTES_A_MB = 1_000_000;
/** A notice is tried again every 10 s for a minute, and then less and less often. */
const NOTICES_LATE_AFTER_S = 60;

/** What is looked at beside the status itself. */
export interface AttentionFigures {
  /** Since when control has its present snapshot. */
  readonly snapshotAgeSeconds: number;
  readonly certificates: readonly WatchedCertificate[];
  /** Null where it is not known at this moment; an error where it cannot be read. */
  readonly market: MarketFigures | AnalyticsStoreError | null;
}

/**
 * What needs a person, what may lose money or records first. An empty list means that all is well.
 */
export function attentionOf(
  { control, nodes }: Omit<Status, 'attention'>,
  { snapshotAgeSeconds, certificates, market }: AttentionFigures,
): Attention[] {
  const isLate = snapshotAgeSeconds > SNAPSHOT_LATE_AFTER_S;
  const found = [
    ...ofControl(control),
    ...nodes.flatMap((node) => ofNode(node, isLate ? control.snapshot : null)),
    ...marketAttention(market),
    ...ofCertificates(certificates),
  ];
  if (nodes.length === 0 && control.uptime_seconds > SILENT_AFTER_S) {
    found.push({
      code: 'no_nodes',
      node: null,
      message: 'No node has reported to this control yet, or in the last hour.',
      action: 'Start a node with the role courier, and look at its log if one is running.',
    });
  }
  return found.toSorted((a, b) => ORDER.indexOf(a.code) - ORDER.indexOf(b.code));
}

/** The codes, the most urgent first. */
const ORDER: readonly Attention['code'][] = [
  'no_nodes',
  'no_snapshot',
  'analytics_not_open',
  'analytics_replaced',
  'reports_held',
  'analytics_failing',
  'journal_damaged',
  'records_quarantined',
  'batches_in_conflict',
  'segments_unreadable',
  'node_silent',
  'node_without_snapshot',
  'snapshot_behind',
  'disk_low',
  'journal_backlog',
  'no_traffic',
  'nothing_sold',
  'certificate_expired',
  'bidder_failing',
  'bidder_stopped',
  'bidder_unreliable',
  'notices_late',
  'certificate_expiring',
];

/** The store's own words may name its files; its code says as much to who looks it up. */
function marketAttention(market: MarketFigures | AnalyticsStoreError | null): Attention[] {
  if (market === null) return [];
  if (!(market instanceof AnalyticsStoreError)) return ofMarket(market);
  const what = market.code === null ? '' : `: ClickHouse's error ${market.code}`;
  return [
    {
      code: 'analytics_failing',
      node: null,
      message: `The analytics store is open and does not answer${what}. What it would tell of traffic and bidders is missing here.`,
      action:
        'See whether its disk and memory are full, and look into the log of control; auctions go on meanwhile.',
    },
  ];
}

const REPLACED = {
  empty: 'The analytics store is empty, and was not before.',
  another: 'The analytics store is another one than was loaded into.',
  older: 'The analytics store lacks records that had been loaded: it is an older copy.',
} as const;

function ofControl(control: Status['control']): Attention[] {
  const found: Attention[] = [];
  if (control.snapshot === null) {
    found.push({
      code: 'no_snapshot',
      node: null,
      message: 'Control has no snapshot of the configuration, so that it cannot serve nodes.',
      action: 'Look into the log of control for what keeps the configuration from compiling.',
    });
  }
  if (control.analytics === 'opening' && control.uptime_seconds > ANALYTICS_LATE_AFTER_S) {
    found.push({
      code: 'analytics_not_open',
      node: null,
      message: `The analytics store is not open, ${Math.round(control.uptime_seconds)} s after control started; nodes keep their records meanwhile.`,
      action:
        'Look into the log of control for why it cannot be opened; it is tried again by itself.',
    });
  }
  if (control.analytics === 'held') {
    found.push({
      code: 'reports_held',
      node: null,
      message:
        'A load has more or fewer records in the analytics store than it had; reports have nothing from it on.',
      action:
        'Its number is in the log of control. Check the disk; rialto reoffer loads what is missing, and lets the reports go on.',
    });
  } else if (control.analytics !== 'open' && control.analytics !== 'opening') {
    found.push({
      code: 'analytics_replaced',
      node: null,
      message: `${REPLACED[control.analytics]} Nothing is loaded into it; nodes keep their records meanwhile.`,
      action:
        'Stop the node and put the right store back as DIR/analytics; or run rialto reoffer, which keeps this one and loads what journals still hold.',
    });
  }
  const { refused_records: refused, damaged_places: damaged } = control.quarantine;
  const { missing_records: missing, damaged_segments: segments } = control.quarantine;
  if (damaged > 0) {
    found.push({
      code: 'journal_damaged',
      node: null,
      message: `${count(damaged, 'damaged place was', 'damaged places were')} found in journals, ${count(missing, 'record is', 'records are')} lost there: ${segments.join(', ')}.`,
      action:
        'Check the disk of the node. rialto quarantine shows what can be read, and rialto reconcile what is missing.',
    });
  }
  if (refused > 0) {
    found.push({
      code: 'records_quarantined',
      node: null,
      message: `${count(refused, 'record was', 'records were')} refused by the analytics store and ${refused === 1 ? 'is' : 'are'} in no report.`,
      action: 'Read why with rialto quarantine; retry them with a version that takes them.',
    });
  }
  return found;
}

/** @param snapshot the version that the node should have; null where it has time yet. */
function ofNode(node: NodeView, snapshot: string | null): Attention[] {
  const who = `Node ${node.id} on ${node.host}`;
  const found: Attention[] = [];
  const add = (code: Attention['code'], message: string, action: string): void => {
    found.push({ code, node: node.id, message: `${who} ${message}`, action });
  };
  if (node.age_seconds > SILENT_AFTER_S) {
    add(
      'node_silent',
      `has not reported for ${Math.round(node.age_seconds)} s; what is told of it is as old.`,
      'See whether the machine and its courier run, and whether they reach control.',
    );
    // The rest was true then; what it says now is not known.
    return found;
  }
  if (node.snapshot === null) {
    add(
      'node_without_snapshot',
      'has no configuration, so that it answers no ad request.',
      'Look into the log of its courier for why it cannot fetch one from control.',
    );
  } else if (snapshot !== null && node.snapshot !== snapshot) {
    add(
      'snapshot_behind',
      `serves configuration ${node.snapshot} instead of ${snapshot}.`,
      'Look into the log of its courier; restart the node if it does not follow.',
    );
  }
  found.push(...ofJournal(node, who), ...ofNotices(node, who));
  return found;
}

function ofJournal({ id, journal }: NodeView, who: string): Attention[] {
  const found: Attention[] = [];
  if (journal.conflicting_batches > 0) {
    found.push({
      code: 'batches_in_conflict',
      node: id,
      message: `${who} has offered ${count(journal.conflicting_batches, 'batch', 'batches')} that contradicted what control has of its journal.`,
      action:
        'If a store was set back to a backup, run rialto reoffer; never copy the data directory of a running node.',
    });
  }
  if (journal.shortened_segments > 0) {
    found.push({
      code: 'journal_damaged',
      node: id,
      message: `${who} has ${count(journal.shortened_segments, 'segment', 'segments')} of its journal that ${journal.shortened_segments === 1 ? 'ends' : 'end'} before what was acknowledged.`,
      action: 'Check its disk; its log names them, and rialto reconcile says what is missing.',
    });
  }
  if (journal.unreadable_segments > 0) {
    found.push({
      code: 'segments_unreadable',
      node: id,
      message: `${who} keeps ${count(journal.unreadable_segments, 'segment', 'segments')} of its journal that its version cannot read.`,
      action: 'Start the version that wrote them, until they are shipped.',
    });
  }
  const { disk_free_bytes: free, disk_reserve_bytes: reserve } = journal;
  if (free !== null && reserve !== null && free < reserve * DISK_LOW_RESERVES) {
    found.push({
      code: 'disk_low',
      node: id,
      message: `${who} has ${Math.round(free / BYTES_A_MB)} MB of its disk left: traces are no longer recorded, and below ${Math.round(reserve / BYTES_A_MB)} MB nothing is sold.`,
      action: 'Make room on the disk of its data directory, or give it a larger one.',
    });
  }
  if (journal.backlog_seconds > BACKLOG_AFTER_S) {
    found.push({
      code: 'journal_backlog',
      node: id,
      message: `${who} has records waiting for ${Math.round(journal.backlog_seconds)} s (${journal.backlog_bytes} bytes): reports are behind by as much.`,
      action: 'See whether control and its analytics store keep up, and the line between them.',
    });
  }
  return found;
}

function ofNotices({ id, notices }: NodeView, who: string): Attention[] {
  if (notices === null || notices.oldest_seconds <= NOTICES_LATE_AFTER_S) return [];
  const waiting = notices.pending.win + notices.pending.billing;
  const partners = notices.failing_demand_partners.join(', ');
  return [
    {
      code: 'notices_late',
      node: id,
      message: `${who} has ${count(waiting, 'win or billing notice', 'win or billing notices')} waiting, one since ${Math.round(notices.oldest_seconds)} s${partners === '' ? '' : ` (demand partners ${partners})`}.`,
      action:
        'Tell the partners that their notice addresses do not answer; they are tried for an hour.',
    },
  ];
}

function count(amount: number, one: string, several: string): string {
  return `${amount} ${amount === 1 ? one : several}`;
}
