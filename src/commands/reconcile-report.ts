import { BEACON_KINDS } from '../events/beacon-record.ts';
import type { Digest, Duplicates, Metric, StoreSide, Totals } from '../analytics/reconcile-wire.ts';
import { describeKey } from './reconcile-differences.ts';
import type { DamagedPlace } from '../journal/read.ts';
import { bucketName, type JournalSide, type KindSum } from './reconcile-journal.ts';
import { noticesSection, type PendingNotices } from './reconcile-notices.ts';
import {
  formatFigure,
  type Line,
  type ReconcileReport,
  type Section,
  type Unit,
} from './reconcile-section.ts';

/** What was found out about the day, to be judged. */
export interface Found {
  readonly date: string;
  readonly store: StoreSide;
  /** Null for a data directory without a journal. */
  readonly local: FoundOnDisk | null;
}

/** What was found on this node's disk. */
export interface FoundOnDisk {
  readonly node: string;
  readonly journal: JournalSide;
  /** From when on the journal is compared, in words. */
  readonly coverage: string;
  /** False where nothing of the day is sure to be whole in the journal. */
  readonly isCovered: boolean;
  readonly pending: PendingNotices;
  /** Which records are not the same in journal and store, by kind. */
  readonly differences: ReadonlyMap<string, readonly string[]>;
}

/** Judges what was found: every figure beside the one that it should be equal to. */
export function reportOf(found: Found): ReconcileReport {
  const { date, store, local } = found;
  const node = local === null ? '' : local.node;
  const sections = [
    ...(local === null ? [] : [journalSection(found, local)]),
    ...(local === null ? [] : damageSections(store, local.journal)),
    rollupSection(store.metrics, store.unfinished),
    duplicateSection(store.duplicates),
    ...(local === null ? [] : [noticesSection(store.notices, local.journal, local.pending)]),
    totalsSection(store.totals),
  ];
  const agrees = sections.every(({ lines }) => lines.every((line) => line.agrees !== false));
  return { date, node, agrees, isEmpty: isEmpty(found), sections };
}

/** Neither store nor journal has a record of the day, or one that makes a notice due on it. */
function isEmpty({ store, local }: Found): boolean {
  const { duplicates, digests, notices } = store;
  const isStoreEmpty =
    digests.length === 0 &&
    duplicates.every(({ rows }) => rows === 0) &&
    notices.every(({ due, stray }) => due + stray === 0);
  if (!isStoreEmpty || local === null) return isStoreEmpty;
  const { digests: loaded, waiting, held, damage } = local.journal;
  return loaded.size + waiting.size + held.size + damage.length + local.pending.keys.size === 0;
}

const KINDS = ['auction', ...BEACON_KINDS, 'delivery'] as const;
type Kind = (typeof KINDS)[number];

const PLURALS: Readonly<Record<Kind, string>> = {
  auction: 'auctions',
  win: 'win beacons',
  impression: 'impressions',
  view: 'views',
  click: 'clicks',
  delivery: 'records of deliveries',
};

/** The kinds whose buckets are not the same on both sides; their names as in `bucketName`. */
export function differingBuckets(
  journal: JournalSide,
  stored: readonly Digest[],
): { kind: string; bucket: number }[] {
  const inStore = new Map(stored.map((each) => [bucketName(each.kind, each.bucket), each]));
  const names = new Set([...journal.digests.keys(), ...inStore.keys()]);
  return [...names].flatMap((name) => {
    const [one, other] = [journal.digests.get(name), inStore.get(name)];
    const some = one ?? other;
    if (some === undefined || isSame(one, other)) return [];
    return [{ kind: some.kind, bucket: some.bucket }];
  });
}

function isSame(one: Digest | undefined, other: Digest | undefined): boolean {
  return (
    one?.records === other?.records &&
    one?.checksum === other?.checksum &&
    one?.clearing_micros === other?.clearing_micros &&
    one?.payout_micros === other?.payout_micros
  );
}

function journalSection({ date, store }: Found, local: FoundOnDisk): Section {
  const { node, journal, coverage, isCovered, differences } = local;
  const differing = new Set(differingBuckets(journal, store.digests).map(({ kind }) => kind));
  const lines = (isCovered ? KINDS : []).flatMap((kind) => {
    const sides = {
      journal: sumOf([...journal.digests.values()], kind),
      store: sumOf(store.digests, kind),
      waiting: journal.waiting.get(kind) ?? NOTHING,
      held: journal.held.get(kind) ?? NOTHING,
    };
    return kindLines(kind, sides, differing.has(kind), differences.get(kind) ?? []);
  });
  const notes = store.held
    .filter(({ id, at }) => journal.heldIds.has(id) || at.startsWith(date))
    .flatMap(({ id, parts }) => {
      const refused = parts.filter(({ cause }) => cause === 'refused');
      const records = refused.reduce((sum, part) => sum + part.records, 0);
      const [first] = refused;
      return first === undefined ? [] : [`${records} held in quarantine, ${id}: ${first.reason}`];
    });
  const columns = ['journal', 'on its way', 'raw events'];
  return { title: `Journal of node ${node} and raw events, ${coverage}`, columns, lines, notes };
}

const DAMAGE_NAMED_MAX = 20;

/** Where the journal is damaged, and how many records are lost there; nothing where it is whole. */
function damageSections(store: StoreSide, { damage }: JournalSide): Section[] {
  if (damage.length === 0) return [];
  const isHeld = ({ segment, start, end }: DamagedPlace): boolean =>
    store.held.some(({ parts }) =>
      parts.some((part) => part.segment === segment && part.start <= start && end <= part.end),
    );
  const lines = damage.slice(0, DAMAGE_NAMED_MAX).map((place): Line => {
    const { segment, start, end, missing } = place;
    const where = start === end ? `before byte ${start}` : `bytes ${start} to ${end}`;
    return {
      what: `${segment}, ${where}`,
      unit: 'count',
      figures: [String(missing)],
      agrees: false,
      difference: isHeld(place)
        ? 'in quarantine, with what can be read'
        : 'damaged after it was acknowledged, or not offered yet',
      differences: [],
    };
  });
  const missing = damage.reduce((sum, place) => sum + place.missing, 0);
  const notes = [`${damage.length} damaged places with ${missing} records`];
  return [{ title: 'Damage of the journal', columns: ['records'], lines, notes }];
}

const NOTHING: KindSum = { records: 0, clearingMicros: 0n, payoutMicros: 0n };

function sumOf(digests: readonly Digest[], kind: string): KindSum {
  const sum = { ...NOTHING };
  for (const digest of digests) {
    if (digest.kind !== kind) continue;
    sum.records += digest.records;
    sum.clearingMicros += BigInt(digest.clearing_micros);
    sum.payoutMicros += BigInt(digest.payout_micros);
  }
  return sum;
}

type Sides = Readonly<Record<'journal' | 'store' | 'waiting' | 'held', KindSum>>;

/** Money is shown of auctions and impressions; of the others where it differs. */
function kindLines(
  kind: Kind,
  sides: Sides,
  differs: boolean,
  differences: readonly string[],
): Line[] {
  const line = (what: string, unit: Unit, amount: (sum: KindSum) => bigint): Line => {
    const [waiting, stored, held] = [sides.waiting, sides.store, sides.held].map(amount);
    const journal = amount(sides.journal) + (waiting ?? 0n) + (held ?? 0n);
    const missing = journal - (waiting ?? 0n) - (stored ?? 0n);
    return {
      what,
      unit,
      figures: [String(journal), String(waiting), String(stored)],
      agrees: missing === 0n,
      difference: missing === 0n ? '' : describeMissing(missing, held ?? 0n, unit),
      differences: [],
    };
  };
  const plural = PLURALS[kind];
  const counts = line(plural, 'count', ({ records }) => BigInt(records));
  const money = [
    line(`${plural}, what is paid`, 'cpm_micros', ({ clearingMicros }) => clearingMicros),
    line(`${plural}, what publishers get`, 'cpm_micros', ({ payoutMicros }) => payoutMicros),
  ].filter(({ agrees }) => kind === 'auction' || kind === 'impression' || agrees === false);
  const isOther = differs && counts.agrees === true;
  return [
    {
      ...counts,
      agrees: counts.agrees === true && !isOther,
      difference: isOther ? 'as many, but not the same' : counts.difference,
      differences,
    },
    ...money,
  ];
}

function describeMissing(missing: bigint, held: bigint, unit: Unit): string {
  const amount = missing < 0n ? -missing : missing;
  const what = unit === 'count' ? String(amount) : 'an amount';
  if (held > 0n && held === missing) return `${what} held in quarantine`;
  return missing > 0n ? `${what} missing in the store` : `${what} not in the journal`;
}

const ROLLUP_NAMES: Readonly<Record<string, string>> = {
  demand_daily: 'demand',
  supply_daily: 'supply',
  lineitem_daily: 'line items',
  inventory_hourly: 'inventory',
  call_reasons_daily: 'reasons of bid requests',
  bid_reasons_daily: 'reasons of bids',
};
const ACCOUNT_NAMES: Readonly<Record<string, string>> = {
  demand_daily: 'partner',
  supply_daily: 'publisher',
  lineitem_daily: 'partner',
  inventory_hourly: 'publisher',
  call_reasons_daily: 'partner',
  bid_reasons_daily: 'partner',
};

/** Where the reports' own name is another one. */
const METRIC_NAMES: Readonly<Record<string, string>> = {
  gross_cpm_micros: 'gross revenue',
  payout_cpm_micros: 'payout',
  bid_cpm_micros: 'sum of bids',
};

function rollupSection(metrics: readonly Metric[], unfinished: readonly string[]): Section {
  const lines = metrics.map((each): Line => {
    const { rollup, metric, raw, rolled, differing, examples } = each;
    const account = ACCOUNT_NAMES[rollup] ?? rollup;
    const unit: Unit = metric.endsWith('_cpm_micros') ? 'cpm_micros' : 'count';
    return {
      what: `${ROLLUP_NAMES[rollup] ?? rollup}: ${METRIC_NAMES[metric] ?? metric}`,
      unit,
      figures: [raw, rolled],
      agrees: differing === 0,
      difference: differing === 0 ? '' : `for ${differing} of the accounts`,
      differences: examples.map(
        ({ account: id, raw: one, rolled: other }) =>
          `${account} ${id}: ${formatFigure(one, unit)} in raw events, ${formatFigure(other, unit)} in ${rollup}`,
      ),
    };
  });
  const notes = unfinished.map(
    (node) => `a batch of node ${node} is being loaded: what differs may be its records`,
  );
  const columns = ['raw events', 'rollup'];
  return { title: 'Raw events and what reports are read from, all nodes', columns, lines, notes };
}

function duplicateSection(duplicates: readonly Duplicates[]): Section {
  const lines = duplicates.map(({ kind, rows, distinct, elsewhere, examples }): Line => {
    const said = [
      ...(rows > distinct ? [`${rows - distinct} there more than once`] : []),
      ...(elsewhere > 0 ? [`${elsewhere} on the day before or after as well`] : []),
    ];
    const known = KINDS.find((each) => each === kind);
    return {
      what: known === undefined ? kind : PLURALS[known],
      unit: 'count',
      figures: [String(rows), String(distinct)],
      agrees: said.length === 0,
      difference: said.join(', '),
      differences: examples.map((key) => describeKey(kind, key)),
    };
  });
  const columns = ['rows', 'different'];
  return { title: 'Duplicates in raw events, all nodes', columns, lines, notes: [] };
}

function totalsSection(totals: Totals): Section {
  const line = (what: string, figure: number | string, unit: Unit = 'count'): Line => ({
    what,
    unit,
    figures: [String(figure)],
    agrees: null,
    difference: '',
    differences: [],
  });
  return {
    title: 'The day, all nodes, without tests',
    columns: ['raw events'],
    lines: [
      line('auctions', totals.auctions),
      line('filled auctions', totals.filled_auctions),
      line('wins', totals.wins),
      line('impressions', totals.impressions),
      line('clicks', totals.clicks),
      line('gross revenue', totals.gross_cpm_micros, 'cpm_micros'),
      line('payout', totals.payout_cpm_micros, 'cpm_micros'),
    ],
    notes: [],
  };
}
