import type { NodeStatus } from '../ports/node-status.ts';

/** What a node says of how far it has come. */
interface Shipping {
  readonly status: { readonly shipping: Pick<NodeStatus['shipping'], 'wholeUntilMs'> };
}

/** From when something happens until it stands in the journal, at the longest. */
const WRITTEN_WITHIN_MS = 10_000;
/** As long as nobody says how far it has come, records are given this time. */
const ARRIVES_WITHIN_MS = 60_000;

/**
 * Until when everything that happened is in the analytics store, in Unix time in milliseconds: until
 * then all known nodes have handed over what they recorded. A node that was not heard of for an hour
 * is not known any more, so that one that is gone for good holds nothing back.
 */
export function loadedUntilMs(nodes: readonly Shipping[], nowMs: number): number {
  const ends = nodes.map(({ status }) => {
    const { wholeUntilMs } = status.shipping;
    return wholeUntilMs === undefined
      ? nowMs - ARRIVES_WITHIN_MS
      : wholeUntilMs - WRITTEN_WITHIN_MS;
  });
  const end = ends.length === 0 ? nowMs - ARRIVES_WITHIN_MS : nowMs - WRITTEN_WITHIN_MS;
  return ends.reduce((least, each) => Math.min(least, each), end);
}
