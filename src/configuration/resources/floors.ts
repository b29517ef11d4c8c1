import type { Format } from '../../snapshot/entities.ts';
import type { Finding } from '../finding.ts';
import type { FloorInput } from '../../resources/floors.ts';

const FORMATS: readonly Format[] = ['banner', 'video', 'native'];

/**
 * Rules that no country and format could choose between. Those that are more specific go before the
 * others; among equals each country and format has at most one.
 */
export function floorFaults(rules: readonly FloorInput[] | undefined): Finding[] {
  const faults: Finding[] = [];
  const takers = new Map<string, number>();
  for (const [index, rule] of (rules ?? []).entries()) {
    const kind = `${rule.countries === undefined} ${rule.formats === undefined}`;
    let taken: string | null = null;
    for (const country of new Set(rule.countries ?? [''])) {
      for (const format of new Set(rule.formats ?? FORMATS)) {
        const key = `${kind} ${country} ${format}`;
        const taker = takers.get(key);
        if (taker === undefined) takers.set(key, index);
        else taken ??= describe(rule, { country, format, taker });
      }
    }
    if (taken !== null) faults.push({ path: ['floors', index], message: taken });
  }
  return faults;
}

function describe(
  { countries, formats }: FloorInput,
  { country, format, taker }: { country: string; format: Format; taker: number },
): string {
  const what = formats === undefined ? 'a floor' : `a floor of ${format}`;
  const where = countries === undefined ? 'everywhere' : `in ${country}`;
  return `sets ${what} ${where}, which floors[${taker}] has set already`;
}
