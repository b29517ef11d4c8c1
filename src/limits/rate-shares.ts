import type { LeaseReport } from '../ports/leases.ts';
import { BASE_SHARE, fairParts } from './fair-parts.ts';

/** What a slot is known to want more than this part of what it has moves the shares of a limit. */
const MOVED_BY = 1.1;
/** Given on top of what is wanted, so that demand can grow before the shares follow. */
const HEADROOM = 1.25;
/** Sums of shares are right up to rounding. */
const ROUNDING = 1e-9;

/**
 * What was handed out under one number. `granted` is what the newest lease says; `committed` is the
 * most that a process of the slot may go by, as far as all of them have confirmed leases: it takes the
 * sum.
 */
interface Part {
  granted: number;
  committed: number;
  /** The lease that said `granted` first; infinite until one has. */
  seq: number;
}

interface Share extends Part {
  readonly slot: Slot;
  /** Null while it has not been told since control started: then it wants what it has. */
  wantedPerSecond: number | null;
  /** What would be fair. */
  target: number;
}

/**
 * A place for one exchange process. Its part of the rates is taken over by the next process in it, and
 * while there are two both have it: nothing of it is another's before both have let go of it.
 */
export interface Slot {
  readonly node: string;
  readonly worker: number;
  heardMs: number;
  /**
   * The processes that may go by leases of the slot, with the newest lease that each has confirmed, or
   * 0. The last one is there to stay.
   */
  members: Map<string, number>;
  /** How new the word is that they are these; 0 where there is none. */
  membersChanged: number;
  readonly base: Part;
  readonly shares: Map<string, Share>;
  /** Limits of which something is to be said, confirmed or given. */
  readonly pending: Set<string>;
}

export interface SavedShare {
  readonly node: string;
  readonly worker: number;
  readonly share: number;
}

/** Who asks, and which of its leases is being made. */
interface ShareAsker {
  readonly process: string;
  readonly seq: number;
  /** The most that the lease may say. */
  readonly entriesMax: number;
}

/**
 * Shares of the limits per second, by slot. For each limit, the base shares of all slots and what
 * was handed out besides never add up to more than 1, counted with all that may still be gone by.
 */
export class RateShares {
  readonly #slots = new Map<string, Slot>();
  readonly #limits = new Map<string, Map<Slot, Share>>();
  readonly #changed: (kind: 'rate' | 'node', name: string) => void;
  #perSecond: ReadonlyMap<string, number> = new Map();

  /** @param changed is told what was committed: a limit's key, or a node. */
  constructor(changed: (kind: 'rate' | 'node', name: string) => void) {
    this.#changed = changed;
  }

  setLimits(perSecond: ReadonlyMap<string, number>): void {
    this.#perSecond = perSecond;
    for (const [key, shares] of this.#limits) {
      if (perSecond.has(key)) this.#share(key);
      else for (const share of shares.values()) this.#drop(key, share);
    }
  }

  get slots(): IterableIterator<Slot> {
    return this.#slots.values();
  }

  sharesOf(key: string): SavedShare[] {
    const shares = [];
    for (const { slot, committed } of this.#limits.get(key)?.values() ?? []) {
      const { node, worker } = slot;
      if (committed > 0) shares.push({ node, worker, share: committed });
    }
    return shares;
  }

  /** The slot, which may be new: it then has nothing, but takes part from now on. */
  slot(node: string, worker: number, nowMs: number): Slot {
    const name = `${node} ${worker}`;
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const created: Slot = {
      node,
      worker,
      heardMs: nowMs,
      members: new Map(),
      membersChanged: 0,
      base: { granted: 0, committed: 0, seq: Number.POSITIVE_INFINITY },
      shares: new Map(),
      pending: new Set(),
    };
    this.#slots.set(name, created);
    return created;
  }

  restore(slot: Slot, key: string, committed: number): void {
    const share = this.#createShare(slot, key);
    share.committed = committed;
    share.granted = committed;
    share.target = committed;
    share.wantedPerSecond = null;
    slot.pending.add(key);
  }

  /** What a slot whose leases have all expired had is free again. */
  forget(slot: Slot): void {
    this.#slots.delete(`${slot.node} ${slot.worker}`);
    for (const key of slot.shares.keys()) this.#removeShare(key, slot);
    this.#changed('node', slot.node);
  }

  /** The node has ended, and all its processes have. */
  forgetNode(node: string): void {
    for (const slot of this.#slots.values()) if (slot.node === node) this.forget(slot);
  }

  /**
   * Takes what a report says of who is in the slot. Older words come late and say nothing. Without a
   * word the process is there as well; so is one again that was taken to be gone.
   */
  occupy(slot: Slot, process: string, place: LeaseReport['place']): void {
    if (place !== undefined && place.changed > slot.membersChanged) {
      const { members } = slot;
      slot.members = new Map(place.processes.map((each) => [each, members.get(each) ?? 0]));
      slot.membersChanged = place.changed;
    } else {
      const isSaid = place?.changed === slot.membersChanged && place.processes.includes(process);
      if (slot.members.has(process) || (place !== undefined && !isSaid)) return;
      slot.members.set(process, 0);
    }
    this.#repeatAll(slot);
    this.#changed('node', slot.node);
  }

  /** The process goes by no lease any more. */
  vacate(slot: Slot, process: string): void {
    if (slot.members.delete(process)) this.#changed('node', slot.node);
  }

  /** All leases of the process have expired. Where nobody is left, any word on who is there is news. */
  forgetProcess(process: string): void {
    for (const slot of this.#slots.values()) {
      if (!slot.members.has(process)) continue;
      this.vacate(slot, process);
      if (slot.members.size === 0) slot.membersChanged = 0;
    }
  }

  /** A process of the slot goes by the lease of this number; 0 is none, and it has nothing. */
  confirm(slot: Slot, process: string, newestSeq: number): void {
    const { base, members } = slot;
    if (newestSeq < (members.get(process) ?? 0)) this.#repeatAll(slot);
    members.set(process, newestSeq);
    const seq = Math.min(...members.values());
    if (base.seq <= seq && base.committed !== base.granted) {
      base.committed = base.granted;
      this.#changed('node', slot.node);
    }
    for (const key of slot.pending) {
      const share = slot.shares.get(key);
      if (share === undefined) slot.pending.delete(key);
      else if (share.seq <= seq) this.#settleShare(key, share);
    }
  }

  want(slot: Slot, key: string, wantedPerSecond: number): void {
    if (!this.#perSecond.has(key)) return;
    const known = slot.shares.get(key);
    if (known === undefined && wantedPerSecond === 0) return;
    const share = known ?? this.#createShare(slot, key);
    share.wantedPerSecond = wantedPerSecond;
    if (wantedPerSecond === 0) slot.pending.add(key);
    this.#share(key);
  }

  /** Gives the slot its base share, as far as the others have let go of theirs. */
  grantBase(slot: Slot, seq: number): number {
    const { base } = slot;
    const isAlone = this.#slots.size === 1 && slot.shares.size === 0;
    const pool = isAlone ? 1 : BASE_SHARE;
    const target = pool / this.#slots.size;
    const free = Math.max(0, pool - (this.#committedBase() - base.committed));
    const granted = Math.min(target, free);
    if (Math.abs(granted - base.granted) > ROUNDING) {
      base.granted = granted;
      base.seq = seq;
    } else if (base.seq === Number.POSITIVE_INFINITY) base.seq = seq;
    if (base.granted > base.committed) {
      base.committed = base.granted;
      this.#changed('node', slot.node);
    }
    return base.granted;
  }

  /** What the process's next lease says of limits: what has changed, and what it has not confirmed. */
  grantShares(
    slot: Slot,
    { process, seq, entriesMax }: ShareAsker,
  ): { key: string; share: number }[] {
    const rates: { key: string; share: number }[] = [];
    const confirmedSeq = slot.members.get(process) ?? 0;
    const pool = 1 - Math.max(BASE_SHARE, this.#committedBase());
    for (const key of slot.pending) {
      const share = slot.shares.get(key);
      if (share === undefined) continue;
      if (rates.length === entriesMax) {
        // Who confirms this lease has not heard of it.
        if (share.seq > confirmedSeq) share.seq = Number.POSITIVE_INFINITY;
        continue;
      }
      if (share.target > share.granted + ROUNDING) this.#raise(key, share, pool);
      if (share.seq === Number.POSITIVE_INFINITY) share.seq = seq;
      if (share.seq > confirmedSeq) rates.push({ key, share: share.granted });
    }
    return rates;
  }

  /** A process of the slot has nothing of what was said so far, whatever lease it goes by. */
  #repeatAll(slot: Slot): void {
    slot.base.seq = Number.POSITIVE_INFINITY;
    for (const [key, share] of slot.shares) {
      share.seq = Number.POSITIVE_INFINITY;
      slot.pending.add(key);
    }
  }

  #raise(key: string, share: Share, pool: number): void {
    let others = 0;
    for (const other of this.#limits.get(key)?.values() ?? []) {
      if (other !== share) others += other.committed;
    }
    const granted = Math.min(share.target, pool - others);
    if (granted <= share.granted + ROUNDING) return;
    share.granted = granted;
    share.seq = Number.POSITIVE_INFINITY;
    if (granted <= share.committed) return;
    share.committed = granted;
    this.#changed('rate', key);
  }

  /** Decides anew what would be fair, and takes back what is more; giving waits for the answers. */
  #share(key: string): void {
    const shares = [...(this.#limits.get(key)?.values() ?? [])];
    const perSecond = this.#perSecond.get(key) ?? 0;
    if (!(perSecond > 0)) return;
    const pool = 1 - Math.max(BASE_SHARE, this.#committedBase());
    const wanted = shares.map(({ slot, granted, wantedPerSecond }) =>
      wantedPerSecond === null
        ? granted
        : Math.max(0, (wantedPerSecond * HEADROOM) / perSecond - slot.base.granted),
    );
    const targets = fairParts(wanted, Math.max(0, pool));
    const isUnfair = shares.some(({ granted }, index) => {
      const target = targets[index] ?? 0;
      return (wanted[index] ?? 0) > granted && target > granted * MOVED_BY + ROUNDING;
    });
    if (!isUnfair) return;
    for (const [index, share] of shares.entries()) {
      share.target = targets[index] ?? 0;
      share.slot.pending.add(key);
      if (share.target < share.granted - ROUNDING) this.#lower(share, share.target);
    }
  }

  #lower(share: Share, granted: number): void {
    share.granted = granted;
    share.seq = Number.POSITIVE_INFINITY;
  }

  /** The limit is gone. */
  #drop(key: string, share: Share): void {
    share.wantedPerSecond = 0;
    share.target = 0;
    this.#lower(share, 0);
    share.slot.pending.add(key);
  }

  /** Nobody goes by an older lease than the one that said it first; what it took back is free. */
  #settleShare(key: string, share: Share): void {
    const { slot } = share;
    share.committed = share.granted;
    if (share.target <= share.granted + ROUNDING) slot.pending.delete(key);
    if (share.granted > 0 || share.wantedPerSecond !== 0) return;
    slot.pending.delete(key);
    this.#removeShare(key, slot);
  }

  #removeShare(key: string, slot: Slot): void {
    slot.shares.delete(key);
    const shares = this.#limits.get(key);
    shares?.delete(slot);
    if (shares?.size === 0) this.#limits.delete(key);
    this.#changed('rate', key);
  }

  #committedBase(): number {
    let sum = 0;
    for (const { base } of this.#slots.values()) sum += base.committed;
    return sum;
  }

  #createShare(slot: Slot, key: string): Share {
    const share: Share = {
      slot,
      granted: 0,
      committed: 0,
      seq: Number.POSITIVE_INFINITY,
      wantedPerSecond: 0,
      target: 0,
    };
    slot.shares.set(key, share);
    let shares = this.#limits.get(key);
    if (shares === undefined) {
      shares = new Map();
      this.#limits.set(key, shares);
    }
    shares.set(slot, share);
    return share;
  }
}
