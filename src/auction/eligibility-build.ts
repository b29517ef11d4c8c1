import type { DemandPartner, LineItem } from '../snapshot/entities.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { include, KeyIndex, WORD_BITS, wordsFor, type LineItemSet } from './eligibility-index.ts';
import { LineItemEntry, type PartnerBlock } from './eligibility-partners.ts';
import {
  PLACEMENT_RULES,
  REQUEST_RULES,
  type PlacementRule,
  type RequestRule,
  type TargetingRule,
} from './targeting-rules.ts';

/** The line items of a snapshot, laid out in positions, and what they say under each key. */
export interface Indexes {
  readonly blocks: readonly PartnerBlock[];
  /** Every position at which a line item stands. */
  readonly all: LineItemSet;
  /** Every key, in the order of the rules, here and below. */
  readonly placement: readonly Indexed<PlacementRule>[];
  readonly request: readonly Indexed<RequestRule>[];
}

export interface Indexed<Rule extends TargetingRule> {
  readonly rule: Rule;
  readonly index: KeyIndex;
}

/** @param pause called after every slice of work; resolves when the next may run. */
export async function buildIndexes(
  snapshot: Snapshot,
  pause: () => Promise<void>,
): Promise<Indexes> {
  const blocks = listBlocks(snapshot);
  const all = setOfAll(blocks);
  const scratch = all.slice();
  const placement = PLACEMENT_RULES.map((rule) => ({ rule, index: new KeyIndex(scratch) }));
  const request = REQUEST_RULES.map((rule) => ({ rule, index: new KeyIndex(scratch) }));
  const indexes = [...placement, ...request];
  const slices = new WorkSlices(pause);
  for (const { firstWord, entries } of blocks) {
    for (const [number, { lineItem }] of entries.entries()) {
      await indexLineItem(indexes, firstWord * WORD_BITS + number, lineItem, slices);
    }
  }
  return { blocks, all, placement, request };
}

/** The partners that can be asked, with the line items that take part, both in order of id. */
function listBlocks(snapshot: Snapshot): PartnerBlock[] {
  const blocks: PartnerBlock[] = [];
  let firstWord = 0;
  for (const partner of askablePartners(snapshot)) {
    const own = snapshot.lineItems.get(partner.id) ?? [];
    const entries = own.filter(takesPart).map((lineItem) => new LineItemEntry(lineItem));
    const words = wordsWithRoom(entries.length);
    blocks.push({ partner, entries, firstWord, words, isSorted: true });
    firstWord += words;
  }
  return blocks;
}

/** In order of id. */
export function askablePartners({ demandPartners }: Snapshot): DemandPartner[] {
  return [...demandPartners.values()]
    .filter(({ status, bidder }) => status === 'ACTIVE' && bidder !== null)
    .sort((a, b) => a.id - b.id);
}

export function takesPart({ status }: LineItem): boolean {
  return status === 'ACTIVE';
}

/** Room for an eighth more, so that line items can come without all being laid out anew. */
function wordsWithRoom(lineItems: number): number {
  return wordsFor(Math.max(1, lineItems + (lineItems >>> 3)));
}

function setOfAll(blocks: readonly PartnerBlock[]): LineItemSet {
  let words = 0;
  for (const block of blocks) words += block.words;
  const all: LineItemSet = new Int32Array(words);
  for (const { firstWord, entries } of blocks) {
    for (const number of entries.keys()) include(all, firstWord * WORD_BITS + number);
  }
  return all;
}

async function indexLineItem(
  indexes: readonly Indexed<TargetingRule>[],
  position: number,
  { targeting }: LineItem,
  slices: WorkSlices,
): Promise<void> {
  for (const { rule, index } of indexes) {
    const list = rule.list(targeting);
    if (list === undefined) continue;
    index.addList(position, list);
    for (let from = 0; from < list.identifiers.length; from += SLICE_STEPS) {
      const part = list.identifiers.slice(from, from + SLICE_STEPS);
      const codes = part.map(({ code }) => rule.normalize(code));
      index.addCodes(position, list.is_whitelist, codes);
      if (slices.isOver(codes.length)) await slices.next();
    }
  }
  if (slices.isOver(LINE_ITEM_STEPS)) await slices.next();
}

/** Codes that are indexed between two pauses, some 0.3 ms: this folder has no clock to ask. */
const SLICE_STEPS = 1_000;
/** Asking a line item for all of its lists takes as long as indexing so many codes. */
const LINE_ITEM_STEPS = 3;

/** Cuts work into slices by counting it. */
export class WorkSlices {
  readonly #pause: () => Promise<void>;
  #steps = 0;

  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  /** Counts what was just done; true when the slice is used up. */
  isOver(steps: number): boolean {
    this.#steps += steps;
    return this.#steps >= SLICE_STEPS;
  }

  async next(): Promise<void> {
    this.#steps = 0;
    await this.#pause();
  }
}
