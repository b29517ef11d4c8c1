import type { KeyedRows } from '../analytics/reconcile-wire.ts';
import {
  bucketName,
  readBuckets,
  type JournalQuestion,
  type KeyedSum,
} from './reconcile-journal.ts';
import { formatFigure } from './reconcile-section.ts';

/** Buckets of each kind that are looked into, and differences that are named. */
const BUCKETS_MAX = 3;
const DIFFERENCES_MAX = 5;

interface Bucket {
  readonly kind: string;
  readonly bucket: number;
}

/**
 * Which records are not the same in journal and store, by kind, in words: the first few, found by
 * looking into some of the buckets that differ.
 *
 * @param rowsOf what the store has of a bucket; asked before the journal is read, which has it all.
 */
export async function findDifferences(
  differing: readonly Bucket[],
  question: JournalQuestion,
  rowsOf: (bucket: Bucket) => Promise<KeyedRows>,
): Promise<Map<string, readonly string[]>> {
  const chosen = [...Map.groupBy(differing, ({ kind }) => kind).values()].flatMap((buckets) =>
    buckets.slice(0, BUCKETS_MAX),
  );
  const differences = new Map<string, readonly string[]>();
  if (chosen.length === 0) return differences;
  const stored = new Map<string, Map<string, KeyedSum>>();
  for (const { kind, bucket } of chosen) {
    const { rows, complete } = await rowsOf({ kind, bucket });
    // Cutting off one side would report differences that do not exist.
    if (complete) stored.set(bucketName(kind, bucket), sumByKey(rows));
  }
  const journal = await readBuckets(question, new Set(stored.keys()));
  for (const { kind, bucket } of chosen) {
    const name = bucketName(kind, bucket);
    const inStore = stored.get(name);
    if (inStore === undefined) continue;
    const found = describeDifferences(
      kind,
      journal.get(name) ?? new Map<string, KeyedSum>(),
      inStore,
    );
    differences.set(kind, [...(differences.get(kind) ?? []), ...found].slice(0, DIFFERENCES_MAX));
  }
  return differences;
}

function sumByKey(rows: KeyedRows['rows']): Map<string, KeyedSum> {
  const sums = new Map<string, KeyedSum>();
  for (const { key, clearing_micros: clearing, payout_micros: payout } of rows) {
    const sum = sums.get(key) ?? { times: 0, waiting: 0, clearingMicros: 0n, payoutMicros: 0n };
    sums.set(key, sum);
    sum.times += 1;
    sum.clearingMicros += BigInt(clearing);
    sum.payoutMicros += BigInt(payout);
  }
  return sums;
}

function describeDifferences(
  kind: string,
  journal: ReadonlyMap<string, KeyedSum>,
  store: ReadonlyMap<string, KeyedSum>,
): string[] {
  const described: string[] = [];
  for (const key of new Set([...journal.keys(), ...store.keys()])) {
    const said = describeDifference(journal.get(key), store.get(key));
    if (said !== null) described.push(`${describeKey(kind, key)}: ${said}`);
  }
  return described;
}

/** Null where both are the same, or will be: the store may have loaded it since it was asked. */
function describeDifference(
  journal: KeyedSum | undefined,
  store: KeyedSum | undefined,
): string | null {
  if (journal === undefined) return 'in the store, not in the journal';
  if (journal.waiting > 0) return null;
  if (store === undefined) return 'in the journal, not in the store';
  if (journal.times !== store.times) {
    return `${times(journal.times)} in the journal, ${times(store.times)} in the store`;
  }
  if (journal.clearingMicros !== store.clearingMicros) {
    return `${dollars(journal.clearingMicros)} paid in the journal, ${dollars(store.clearingMicros)} in the store`;
  }
  if (journal.payoutMicros !== store.payoutMicros) {
    return `${dollars(journal.payoutMicros)} for the publisher in the journal, ${dollars(store.payoutMicros)} in the store`;
  }
  return null;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function dollars(cpmMicros: bigint): string {
  return formatFigure(String(cpmMicros), 'cpm_micros');
}

/** "impression of auction ID imp N", from a record's key. */
export function describeKey(kind: string, key: string): string {
  if (kind === 'auction') return `auction ${key}`;
  if (kind === 'delivery') return `deliveries of ${key}`;
  const [auction, imp] = key.split(' ');
  return `${kind} of auction ${auction} imp ${imp}`;
}
