const DAY_MS = 86_400_000;

/** The UTC day of a time in milliseconds, YYYY-MM-DD. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Every day from the first to the last, both included; none where the last comes first. */
export function eachDate(startDate: string, endDate: string): string[] {
  const dates: string[] = [];
  const endMs = startOf(endDate);
  for (let atMs = startOf(startDate); atMs <= endMs; atMs += DAY_MS) dates.push(dateOf(atMs));
  return dates;
}

/** The first millisecond of a day. @throws TypeError for what is no date. */
export function startOf(date: string): number {
  const atMs = Date.parse(`${date}T00:00:00.000Z`);
  if (Number.isNaN(atMs) || dateOf(atMs) !== date) throw new TypeError(`"${date}" is no date.`);
  return atMs;
}

/** The day so many days later, or earlier. */
export function addDays(date: string, days: number): string {
  return dateOf(startOf(date) + days * DAY_MS);
}
