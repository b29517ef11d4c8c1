import { PAGE_AUCTIONS, type Minutes } from './recorded-wire.ts';

/** A time to ask for at once; Unix times in milliseconds, the last one is outside. */
export interface Window {
  readonly from_ms: number;
  readonly to_ms: number;
}

const MINUTE_MS = 60_000;

/**
 * Cuts a time into windows of about `PAGE_AUCTIONS` auctions: minutes with few are put together,
 * those with many are divided. Times without auctions are left out.
 *
 * @param share of the auctions that is read.
 */
export function windowsOf(choice: Window, minutes: Minutes, share: number): Window[] {
  const windows: Window[] = [];
  let open: { from_ms: number; to_ms: number; auctions: number } | null = null;
  for (const { at_ms: minuteMs, auctions: all } of minutes) {
    const auctions = all * share;
    const from_ms = Math.max(minuteMs, choice.from_ms);
    const to_ms = Math.min(minuteMs + MINUTE_MS, choice.to_ms);
    if (open !== null && open.auctions + auctions <= PAGE_AUCTIONS) {
      open.to_ms = to_ms;
      open.auctions += auctions;
      continue;
    }
    if (open !== null) windows.push({ from_ms: open.from_ms, to_ms: open.to_ms });
    const pieces = divided({ from_ms, to_ms }, Math.ceil(auctions / PAGE_AUCTIONS));
    open = null;
    if (pieces.length > 1) windows.push(...pieces);
    else open = { from_ms, to_ms, auctions };
  }
  if (open !== null) windows.push({ from_ms: open.from_ms, to_ms: open.to_ms });
  return windows;
}

function divided({ from_ms, to_ms }: Window, pieces: number): Window[] {
  const stepMs = Math.max(1, Math.ceil((to_ms - from_ms) / Math.max(1, pieces)));
  const windows: Window[] = [];
  for (let startMs = from_ms; startMs < to_ms; startMs += stepMs) {
    windows.push({ from_ms: startMs, to_ms: Math.min(to_ms, startMs + stepMs) });
  }
  return windows;
}
