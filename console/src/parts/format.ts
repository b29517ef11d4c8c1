/** How numbers and times are written; the same on every page. */

const LOCALE = 'en-US';
const count = new Intl.NumberFormat(LOCALE);
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const money = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' });
const fineMoney = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const cpm = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

/** What stands where a figure is not known, or is no number. */
export const NOTHING = '–';

/** `1,234,567`. */
export function formatCount(value: number): string {
  return count.format(value);
}

/** `1.2M`, where there is room for no more. */
export function formatShort(value: number): string {
  return short.format(value);
}

/** US dollars; amounts below a cent with all their digits. */
export function formatUsd(value: number): string {
  return (Math.abs(value) > 0 && Math.abs(value) < 0.01 ? fineMoney : money).format(value);
}

/** A price of a thousand impressions, in US dollars. */
export function formatCpm(value: number): string {
  return cpm.format(value);
}

/** `12.3%` of a part of the whole; nothing of nothing. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? NOTHING : percent.format(part / whole);
}

/** `12.3%` of a share from 0 to 1; null where it is not known. */
export function formatPart(share: number | null): string {
  return share === null ? NOTHING : percent.format(share);
}

/** `12.3 ms`; null where it is not known. */
export function formatMs(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? NOTHING : `${decimal.format(ms)} ms`;
}

/** `12.3`. */
export function formatDecimal(value: number): string {
  return decimal.format(value);
}

/** `2026-11-22 04:19:54` of an ISO 8601 time, in UTC. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toISOString().slice(0, 19).replace('T', ' ');
}

/** `3 minutes ago`, `in 2 hours`. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1_000);
  const [amount, unit] = inUnits(seconds);
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(amount, unit);
}

/** `1 h 5 min`, `12 s`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(seconds / 3_600);
  if (hours < 48) return `${hours} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${decimal.format(bytes / 1_000 ** power)} ${units[power] ?? 'B'}`;
}

function inUnits(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const size = Math.abs(seconds);
  if (size < 60) return [seconds, 'second'];
  if (size < 3_600) return [Math.round(seconds / 60), 'minute'];
  if (size < 86_400) return [Math.round(seconds / 3_600), 'hour'];
  return [Math.round(seconds / 86_400), 'day'];
}
