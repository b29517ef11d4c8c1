import type { NodeStatus } from '../ports/node-status.ts';

/** A node that has said nothing for so long is not shown any more. */
const SILENT_AFTER_MS = 60 * 60 * 1000;
/** More nodes than one control serves; what comes on top is not shown. */
const NODES_MAX = 1000;

/** What a node said last. */
export interface KnownNode {
  readonly status: NodeStatus;
  /** Unix time in milliseconds at which it came. */
  readonly atMs: number;
}

/** The last status of every node that control hears of. In memory: they say it every few seconds. */
export class NodeRegister {
  readonly #now: () => number;
  readonly #nodes = new Map<string, KnownNode>();

  /** @param now Unix time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The nodes that were heard of lately, in the order in which they were first. */
  get nodes(): readonly KnownNode[] {
    const silentMs = this.#now() - SILENT_AFTER_MS;
    for (const [incarnation, { atMs }] of this.#nodes) {
      if (atMs < silentMs) this.#nodes.delete(incarnation);
    }
    return [...this.#nodes.values()];
  }

  /** How long ago something came, in seconds. */
  ageSeconds(atMs: number): number {
    return Math.max(0, this.#now() - atMs) / 1000;
  }

  take(status: NodeStatus): void {
    const { incarnation } = status;
    if (!this.#nodes.has(incarnation) && this.nodes.length >= NODES_MAX) return;
    this.#nodes.set(incarnation, { status, atMs: this.#now() });
  }
}
