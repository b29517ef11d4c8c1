import Type from 'typebox';
import { isDate } from '../analytics/dates.ts';

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';

/**
 * A time as a query asks for it. Offsets stand in addresses as `%2B`; most people write UTC.
 */
export const TIME = Type.Refine(
  Type.String({
    maxLength: 35,
    pattern: `^${DAY}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$`,
    description: 'a day such as 2026-11-20, or an instant such as 2026-11-20T08:15:00Z',
  }),
  (value) => typeof value === 'string' && readTime(value) !== null,
);

/** Unix milliseconds of a day or an instant with its offset; null for what is neither. */
export function readTime(time: string): number | null {
  const [, date = '', clock] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}.*)?$/.exec(time) ?? [];
  if (!isDate(date) || (clock !== undefined && !/(?:Z|[+-]\d{2}:\d{2})$/.test(clock))) return null;
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
