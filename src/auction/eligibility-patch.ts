import type { DemandPartner, LineItem } from '../snapshot/entities.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { CodeList, Targeting } from '../resources/targeting.ts';
import {
  askablePartners,
  takesPart,
  WorkSlices,
  type Indexed,
  type Indexes,
} from './eligibility-build.ts';
import {
  exclude,
  include,
  WORD_BITS,
  type KeyIndex,
  type LineItemSet,
} from './eligibility-index.ts';
import { LineItemEntry, type PartnerBlock } from './eligibility-partners.ts';
import type { TargetingRule } from './targeting-rules.ts';

/**
 * Makes the indexes of a snapshot out of those of the one before, which stay as they are. What has
 * not changed is recognised by being the same object, and shared.
 *
 * @param pause called after every slice of work; resolves when the next may run.
 * @returns null where something does not fit into the layout, and all has to be indexed anew: a
 *   partner that could not be asked before, or more line items than there is room for.
 */
export async function patchIndexes(
  present: Indexes,
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
  pause: () => Promise<void>,
): Promise<Indexes | null> {
  const isSame =
    before.demandPartners === after.demandPartners && before.lineItems === after.lineItems;
  if (isSame) return present;
  const known = new Map(present.blocks.map((block) => [block.partner.id, block]));
  const patch = new IndexPatch(present, pause);
  const blocks: PartnerBlock[] = [];
  for (const partner of askablePartners(after)) {
    const { id } = partner;
    const block = known.get(id);
    const lists = { before: before.lineItems.get(id), after: after.lineItems.get(id) };
    const edited = block && (await patch.edit(block, partner, lists));
    if (edited === undefined) return null;
    blocks.push(edited);
  }
  // The words of a partner that is not asked any more are nobody's: what is in them is not looked at.
  return patch.finish(blocks);
}

/** A line item that takes part before or after; null where it does not. Never null in both. */
interface Change {
  readonly was: LineItem | null;
  readonly is: LineItem | null;
}

/** The line items of a partner; undefined where there are none. */
interface Lists {
  readonly before: readonly LineItem[] | undefined;
  readonly after: readonly LineItem[] | undefined;
}

const NONE: readonly LineItem[] = [];

/** Both lists are in order of id. */
async function changesOf(
  { before = NONE, after = NONE }: Lists,
  slices: WorkSlices,
): Promise<Change[]> {
  const changes: Change[] = [];
  if (before === after) return changes;
  const note = (was: LineItem | undefined, is: LineItem | undefined): void => {
    const change = { was: partOf(was), is: partOf(is) };
    if (change.was !== null || change.is !== null) changes.push(change);
  };
  let at = 0;
  for (const is of after) {
    for (; idAt(before, at) < is.id; at += 1) note(before[at], undefined);
    if (idAt(before, at) > is.id) note(undefined, is);
    else {
      if (before[at] !== is) note(before[at], is);
      at += 1;
    }
    if (at % COMPARED === 0 && slices.isOver(COMPARED_STEPS)) await slices.next();
  }
  for (; at < before.length; at += 1) note(before[at], undefined);
  return changes;
}

function idAt(lineItems: readonly LineItem[], at: number): number {
  return lineItems[at]?.id ?? Number.POSITIVE_INFINITY;
}

function partOf(lineItem: LineItem | undefined): LineItem | null {
  return lineItem !== undefined && takesPart(lineItem) ? lineItem : null;
}

/** Copies of what the changes touch, made when they first do. */
class IndexPatch {
  readonly #present: Indexes;
  readonly #pause: () => Promise<void>;
  readonly #slices: WorkSlices;
  readonly #all: LineItemSet;
  readonly #copies = new Map<KeyIndex, KeyIndex>();

  constructor(present: Indexes, pause: () => Promise<void>) {
    this.#present = present;
    this.#pause = pause;
    this.#slices = new WorkSlices(pause);
    this.#all = present.all.slice();
  }

  /** The partner's block after the changes; undefined when there is no room for a new line item. */
  async edit(
    block: PartnerBlock,
    partner: DemandPartner,
    lists: Lists,
  ): Promise<PartnerBlock | undefined> {
    const changes = await changesOf(lists, this.#slices);
    if (changes.length === 0) return partner === block.partner ? block : { ...block, partner };
    const entries = block.entries.slice();
    let { isSorted } = block;
    for (const { was, is } of changes) {
      let number = entries.length;
      if (was === null) {
        if (number >= block.words * WORD_BITS) return undefined;
      } else number = numberOf(was, entries, isSorted);
      const position = block.firstWord * WORD_BITS + number;
      if (is === null) {
        // The position stays unused, and what the index says of it means nothing.
        exclude(this.#all, position);
        continue;
      }
      if (was === null) {
        isSorted &&= (entries.at(-1)?.lineItem.id ?? 0) < is.id;
        include(this.#all, position);
      }
      entries[number] = new LineItemEntry(is);
      await this.#reindex(position, was?.targeting ?? null, is.targeting);
      if (this.#slices.isOver(CHANGE_STEPS)) await this.#slices.next();
    }
    return { ...block, partner, entries, isSorted };
  }

  finish(blocks: readonly PartnerBlock[]): Indexes {
    const copied = <Rule extends TargetingRule>({ rule, index }: Indexed<Rule>): Indexed<Rule> => ({
      rule,
      index: this.#copies.get(index) ?? index,
    });
    const { placement, request } = this.#present;
    return {
      blocks,
      all: this.#all,
      placement: placement.map(copied),
      request: request.map(copied),
    };
  }

  /** Most changes leave the targeting as it is, or change one list. */
  async #reindex(position: number, was: Targeting | null, is: Targeting): Promise<void> {
    for (const { rule, index } of [...this.#present.placement, ...this.#present.request]) {
      const before = was === null ? undefined : rule.list(was);
      const after = rule.list(is);
      if (isSameList(before, after)) continue;
      const copy = await this.#copyOf(index);
      if (before !== undefined) {
        copy.removeList(position);
        await this.#forEachCode(before, { rule, index: copy }, (code) => {
          copy.removeCode(position, code);
        });
      }
      if (after === undefined) continue;
      copy.addList(position, after);
      await this.#forEachCode(after, { rule, index: copy }, (code) => {
        copy.addCodes(position, after.is_whitelist, [code]);
      });
    }
  }

  async #forEachCode(
    list: CodeList,
    { rule, index }: Indexed<TargetingRule>,
    change: (code: string) => void,
  ): Promise<void> {
    for (const identifier of list.identifiers) {
      const code = rule.normalize(identifier.code);
      const steps = 1 + (index.lengthOf(code) >>> 5);
      change(code);
      if (this.#slices.isOver(steps)) await this.#slices.next();
    }
  }

  async #copyOf(index: KeyIndex): Promise<KeyIndex> {
    let copy = this.#copies.get(index);
    if (copy === undefined) {
      copy = await index.copy(this.#pause, COPIED_CODES);
      this.#copies.set(index, copy);
    }
    return copy;
  }
}

/** Where in its block a line item stands. */
function numberOf(
  lineItem: LineItem,
  entries: readonly LineItemEntry[],
  isSorted: boolean,
): number {
  if (!isSorted) return entries.findIndex((entry) => entry.lineItem === lineItem);
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.lineItem.id ?? Number.POSITIVE_INFINITY) < lineItem.id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Line items that are compared between two looks at the slice, and as long as what that takes. */
const COMPARED = 512;
const COMPARED_STEPS = 100;
/** A change of a line item takes as long as indexing so many codes, its lists left aside. */
const CHANGE_STEPS = 10;
/** Codes that are copied between two pauses, some 0.3 ms. */
const COPIED_CODES = 5_000;

function isSameList(one: CodeList | undefined, other: CodeList | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const { identifiers } = other;
  return (
    one.is_whitelist === other.is_whitelist &&
    one.identifiers.length === identifiers.length &&
    one.identifiers.every(({ code }, at) => code === identifiers[at]?.code)
  );
}
