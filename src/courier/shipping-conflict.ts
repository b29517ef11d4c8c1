import type { BatchAnswer } from '../ports/batch-wire.ts';
import { seriesOf } from './last-lines.ts';
import type { ShippingState } from './shipping-state.ts';

type Conflict = Extract<BatchAnswer, { kind: 'conflict' }>;

/**
 * Whether control lacks what it had acknowledged: its store was brought back to an older state. To
 * offer that again is right if the analytics store went back as well, and doubles everything if it
 * did not, so that a person has to decide.
 */
export function isBehind(
  { offsets, pending }: Conflict,
  acknowledged: ShippingState['acknowledged'],
): boolean {
  const acknowledgedOf = (segment: string): number => acknowledged.get(segment)?.offset ?? 0;
  return (
    Object.entries(offsets).some(([segment, offset]) => offset < acknowledgedOf(segment)) ||
    (pending !== null &&
      pending.segments.some(({ segment, start }) => start < acknowledgedOf(segment)))
  );
}

/**
 * The state after control has said where segments go on, and which batch it wants first: one that
 * an earlier courier of this node offered, and whose manifest this one does not have.
 */
export function adoptConflict(
  { offsets, pending }: Conflict,
  state: ShippingState,
  nowMs: number,
): ShippingState {
  const acknowledged = new Map(state.acknowledged);
  const lastLines = new Map(state.lastLines);
  for (const [segment, offset] of Object.entries(offsets)) {
    // Which record stands before another place is not known.
    if (offset !== (acknowledged.get(segment)?.offset ?? 0)) lastLines.delete(seriesOf(segment));
    if (offset > 0) acknowledged.set(segment, { offset, atMs: nowMs });
  }
  return { ...state, acknowledged, lastLines, inFlight: pending };
}
