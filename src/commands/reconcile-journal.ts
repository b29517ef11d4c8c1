import { checksumOf, moneyOf, noticeKey, recordKey } from '../analytics/reconcile-key.ts';
import type { Digest, StoreSide } from '../analytics/reconcile-wire.ts';
import type { MoneyRecord } from '../events/money-record.ts';
import { readJournal, type DamagedPlace } from '../journal/read.ts';
import { startOfSegment } from '../events/segment-start.ts';

export interface JournalQuestion {
  /** The node's journal. */
  readonly directory: string;
  /** The day's first millisecond and the next day's, Unix time. */
  readonly startMs: number;
  readonly endMs: number;
  /** Records after this time are all there: those before are not compared. */
  readonly afterMs: number;
  /** What the store has acknowledged, and what of it is in quarantine. */
  readonly store: Pick<StoreSide, 'offsets' | 'held'>;
  /** How far the courier has read each segment for notices: what comes later is due, and not called. */
  readonly noticesReadTo: ReadonlyMap<string, number>;
}

/** Records of one kind: how many, and what their winners pay and get, in micro-dollars CPM. */
export interface KindSum {
  records: number;
  clearingMicros: bigint;
  payoutMicros: bigint;
}

/** What the journal on this node's disk says of a day. */
export interface JournalSide {
  /** Of what the store has acknowledged, by kind and bucket. */
  readonly digests: ReadonlyMap<string, Digest>;
  /** Not acknowledged yet, by kind. */
  readonly waiting: ReadonlyMap<string, KindSum>;
  /** Acknowledged, and held in quarantine instead of loaded, by kind. */
  readonly held: ReadonlyMap<string, KindSum>;
  /** The entries of quarantine that hold them. */
  readonly heldIds: ReadonlySet<string>;
  /** Notices that records which wait make due, or tell the end of, by their keys. */
  readonly dueWaiting: ReadonlySet<string>;
  readonly doneWaiting: ReadonlySet<string>;
  /** Notices that are due and that the courier has not come to yet. */
  readonly dueUnread: ReadonlySet<string>;
  /** Where the journal is damaged, in segments with records of the day before, or after. */
  readonly damage: readonly DamagedPlace[];
}

/** Reads the journal's side of a day, in the order in which it was written. */
export async function readJournalSide(question: JournalQuestion): Promise<JournalSide> {
  const digests = new Map<string, DigestSum>();
  const waiting = new Map<string, KindSum>();
  const held = new Map<string, KindSum>();
  const dueWaiting = new Set<string>();
  const doneWaiting = new Set<string>();
  const dueUnread = new Set<string>();
  const heldIds = new Set<string>();
  const damage: DamagedPlace[] = [];
  const records = dayOf(question, (place) => damage.push(place));
  for await (const { record, place, heldIn, isUnread } of records) {
    if (heldIn !== null) heldIds.add(heldIn);
    for (const key of place === 'waiting' || isUnread ? dueOf(record) : []) {
      if (place === 'waiting') dueWaiting.add(key);
      if (isUnread) dueUnread.add(key);
    }
    for (const key of place === 'waiting' ? doneOf(record, question) : []) doneWaiting.add(key);
    if (!isCompared(record.at_ms, question)) continue;
    if (place === 'loaded') addDigest(digests, record);
    else addSum(place === 'waiting' ? waiting : held, record);
  }
  const finished = [...digests].map(([name, sum]) => [name, digestOf(sum)] as const);
  const notices = { dueWaiting, doneWaiting, dueUnread };
  return { digests: new Map(finished), waiting, held, heldIds, ...notices, damage };
}

/** Records of a bucket with the same key, and their money. */
export interface KeyedSum {
  times: number;
  /** How many of them the store has not acknowledged. */
  waiting: number;
  clearingMicros: bigint;
  payoutMicros: bigint;
}

/** The name of a kind's bucket. */
export function bucketName(kind: string, bucket: number): string {
  return `${kind} ${bucket}`;
}

/**
 * The records of some buckets by bucket and key, without those that are held in quarantine.
 *
 * @param buckets by name; see `bucketName`.
 */
export async function readBuckets(
  question: JournalQuestion,
  buckets: ReadonlySet<string>,
): Promise<Map<string, Map<string, KeyedSum>>> {
  const found = new Map<string, Map<string, KeyedSum>>();
  for await (const { record, place } of dayOf(question)) {
    if (place === 'held' || !isCompared(record.at_ms, question)) continue;
    const key = recordKey(record);
    const name = bucketName(record.kind, checksumOf(record.kind, key).bucket);
    if (!buckets.has(name)) continue;
    const keys = found.get(name) ?? new Map<string, KeyedSum>();
    found.set(name, keys);
    const sum = keys.get(key) ?? { times: 0, waiting: 0, clearingMicros: 0n, payoutMicros: 0n };
    keys.set(key, sum);
    const { clearingMicros, payoutMicros } = moneyOf(record);
    sum.times += 1;
    if (place === 'waiting') sum.waiting += 1;
    sum.clearingMicros += BigInt(clearingMicros);
    sum.payoutMicros += BigInt(payoutMicros);
  }
  return found;
}

interface PlacedRecord {
  readonly record: MoneyRecord;
  readonly place: 'loaded' | 'waiting' | 'held';
  /** The entry of quarantine that holds it. */
  readonly heldIn: string | null;
  /** The courier has not read it for notices. */
  readonly isUnread: boolean;
}

const DELIVERY = '{"kind":"delivery"';
const AT_MS = '"at_ms":';

/**
 * The records of the day, and deliveries that wait, whose notices may have been due on it. What is
 * damaged has no time: it is told of with the day of the intact lines of its segment.
 */
async function* dayOf(
  question: JournalQuestion,
  onDamage: (place: DamagedPlace) => void = () => {},
): AsyncGenerator<PlacedRecord> {
  const { directory, store, noticesReadTo } = question;
  const held = partsBySegment(store.held);
  const days = new Map<string, boolean>();
  const lines = readJournal({
    directory,
    stream: 'money',
    onDamage: (place) => {
      if (days.get(place.segment) ?? isOfDay(startOfSegment(place.segment), question))
        onDamage(place);
    },
  });
  for await (const { segment, offset, text } of lines) {
    const isLoaded = offset < (store.offsets[segment] ?? 0);
    // Most lines are of other days: the time is read before the rest is. Within a text its name
    // would stand with backslashes before the quotes.
    const from = text.indexOf(AT_MS) + AT_MS.length;
    const isToday = isOfDay(Number.parseInt(text.slice(from, from + 16), 10), question);
    if (isToday || !days.has(segment)) days.set(segment, isToday);
    if (!isToday && (isLoaded || !text.startsWith(DELIVERY))) continue;
    const part = held.get(segment)?.find(({ start, end }) => offset >= start && offset < end);
    const place = part !== undefined ? 'held' : isLoaded ? 'loaded' : 'waiting';
    const isUnread = offset >= (noticesReadTo.get(segment) ?? 0);
    const record: MoneyRecord = JSON.parse(text);
    yield { record, place, heldIn: part?.id ?? null, isUnread };
  }
}

interface HeldPlace {
  readonly id: string;
  readonly segment: string;
  readonly start: number;
  readonly end: number;
}

/** What is in quarantine, by segment. */
function partsBySegment(held: StoreSide['held']): Map<string, HeldPlace[]> {
  const parts = held.flatMap(({ id, parts: all }) =>
    all.map(({ segment, start, end }) => ({ id, segment, start, end })),
  );
  return Map.groupBy(parts, ({ segment }) => segment);
}

function isOfDay(atMs: number, { startMs, endMs }: JournalQuestion): boolean {
  return atMs >= startMs && atMs < endMs;
}

function isCompared(atMs: number, question: JournalQuestion): boolean {
  return atMs > question.afterMs && isOfDay(atMs, question);
}

/** The notices that a record makes due, as `readNotices` of the store has them. */
function dueOf(record: MoneyRecord): string[] {
  if (record.kind === 'delivery' || record.test === 1) return [];
  const { auction_id: id } = record;
  if (record.kind === 'auction') {
    const wins = record.notices.filter(({ event }) => event === 'win');
    return wins.map(({ imp }) => noticeKey('win', id, imp));
  }
  if (record.notice_url === '') return [];
  if (record.kind === 'impression') return [noticeKey('billing', id, record.imp)];
  return record.kind === 'win' ? [noticeKey('win', id, record.imp)] : [];
}

function doneOf(record: MoneyRecord, { startMs, endMs }: JournalQuestion): string[] {
  if (record.kind !== 'delivery') return [];
  return record.deliveries
    .filter(({ due_ms: dueMs }) => dueMs >= startMs && dueMs < endMs)
    .map(({ event, auction_id: id, imp }) => noticeKey(event, id, imp));
}

function addSum(sums: Map<string, KindSum>, record: MoneyRecord): void {
  const sum = sums.get(record.kind) ?? { records: 0, clearingMicros: 0n, payoutMicros: 0n };
  sums.set(record.kind, sum);
  const { clearingMicros, payoutMicros } = moneyIn(record);
  sum.records += 1;
  sum.clearingMicros += BigInt(clearingMicros);
  sum.payoutMicros += BigInt(payoutMicros);
}

/** What the schema refuses, or will refuse, may have no money that can be summed up. */
function moneyIn(record: MoneyRecord): ReturnType<typeof moneyOf> {
  const none = { clearingMicros: 0, payoutMicros: 0 };
  try {
    const money = moneyOf(record);
    return Object.values(money).every(Number.isSafeInteger) ? money : none;
  } catch {
    return none;
  }
}

interface DigestSum extends KindSum {
  readonly kind: string;
  readonly bucket: number;
  checksum: bigint;
}

function addDigest(digests: Map<string, DigestSum>, record: MoneyRecord): void {
  const { kind } = record;
  const { checksum, bucket } = checksumOf(kind, recordKey(record));
  const name = bucketName(kind, bucket);
  let sum = digests.get(name);
  if (sum === undefined) {
    sum = { kind, bucket, records: 0, checksum: 0n, clearingMicros: 0n, payoutMicros: 0n };
    digests.set(name, sum);
  }
  const { clearingMicros, payoutMicros } = moneyOf(record);
  sum.records += 1;
  sum.checksum += BigInt(checksum);
  sum.clearingMicros += BigInt(clearingMicros);
  sum.payoutMicros += BigInt(payoutMicros);
}

function digestOf({ kind, bucket, records, ...sums }: DigestSum): Digest {
  return {
    kind,
    bucket,
    records,
    checksum: String(sums.checksum),
    clearing_micros: String(sums.clearingMicros),
    payout_micros: String(sums.payoutMicros),
  };
}
