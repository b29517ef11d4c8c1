export const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a Unix time in milliseconds: `2026-11-20`. */
export function utcDate(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 10);
}

/** When the UTC day of a Unix time began; both in milliseconds. */
export function utcDayStart(unixMs: number): number {
  return Math.floor(unixMs / DAY_MS) * DAY_MS;
}

/** `utcDate` for one who asks often: it writes a date once a day. */
export function createUtcCalendar(unixTime: () => number): () => string {
  let startMs = Number.NaN;
  let date = '';
  return () => {
    const dayMs = utcDayStart(unixTime());
    if (dayMs !== startMs) {
      startMs = dayMs;
      date = utcDate(dayMs);
    }
    return date;
  };
}
