import type { AuctionView, CallView } from '../../../src/management/auctions/schema.ts';

/** A call on the time axis; milliseconds since the auction began. */
export interface TimelineBar {
  /** Index among the auction's calls. */
  readonly index: number;
  readonly call: CallView;
  /** Null where it was not sent, or not kept. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Until when an answer counted. */
  readonly deadlineMs: number | null;
}

export interface Timeline {
  readonly bars: readonly TimelineBar[];
  /** Where the axis ends. */
  readonly endMs: number;
  /** Marks of the axis, from 0. */
  readonly ticks: readonly number[];
  /** The time that the publisher gave; null where it is not known. */
  readonly tmaxMs: number | null;
  readonly durationMs: number | null;
}

const TICKS = 6;

/** Lays the calls of an auction out in time, those that were sent first on top. */
export function timelineOf(auction: AuctionView): Timeline {
  const bars = auction.calls
    .map((call, index) => barOf(call, index))
    .toSorted((one, other) => place(one) - place(other));
  const tmaxMs = auction.view === 'operator' ? auction.tmax_ms : null;
  const durationMs = auction.view === 'operator' ? auction.duration_ms : null;
  const last = Math.max(
    1,
    tmaxMs ?? 0,
    durationMs ?? 0,
    ...bars.flatMap(({ endMs, deadlineMs }) => [endMs ?? 0, deadlineMs ?? 0]),
  );
  const step = stepFor(last / TICKS);
  const endMs = Math.ceil((last * 1.02) / step) * step;
  const ticks = Array.from({ length: Math.round(endMs / step) + 1 }, (_, tick) => tick * step);
  return { bars, endMs, ticks, tmaxMs, durationMs };
}

/** `answered_after_ms` counts from when the bid request was sent. */
function barOf(call: CallView, index: number): TimelineBar {
  const startMs = call.sent_after_ms;
  const after = (ms: number | null): number | null =>
    startMs === null || ms === null ? null : startMs + ms;
  return {
    index,
    call,
    startMs,
    endMs: after(call.answered_after_ms),
    deadlineMs: after(call.tmax_ms),
  };
}

function place({ startMs }: TimelineBar): number {
  return startMs ?? Number.POSITIVE_INFINITY;
}

/** 1, 2 or 5 times a power of ten, not below the least. */
function stepFor(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5].map((each) => each * power).find((step) => step >= least) ?? 10 * power;
}
