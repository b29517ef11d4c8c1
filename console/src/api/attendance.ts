/** Somebody who reads a page touches it within this time. */
const ATTENDED_MS = 15 * 60_000;

/** What somebody does who is there. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Null until something is asked for the first time: whoever has opened the page is there. */
let seenMs: number | null = null;

/**
 * Whether a page asks by itself, with nobody there: figures that are asked for every few seconds must
 * not keep a session open that was forgotten on a screen.
 */
export function isUnattended(): boolean {
  if (seenMs === null) watch();
  return seenMs !== null && Date.now() - seenMs > ATTENDED_MS;
}

function watch(): void {
  note();
  for (const sign of SIGNS) window.addEventListener(sign, note, { capture: true, passive: true });
}

function note(): void {
  seenMs = Date.now();
}
