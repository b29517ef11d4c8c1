import type { FloorRule } from '../resources/floors.ts';
import type { Format } from '../snapshot/entities.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';

/**
 * A publisher's floors by country and format. In one list the most specific rule that fits holds: one
 * for country and format, else for the country, else for the format, else for the rest. Of the lists
 * of publisher, property and ad space each has to be reached, and so have the ad space's own floor
 * and the request's: the highest holds, and nobody sells below a floor that somebody has set.
 */

/** What each format has to reach, in micro-dollars CPM as a buyer pays it. */
export type FormatFloors = Readonly<Record<Format, number>>;

/** One list of rules, ready to be asked. */
export interface FloorTable {
  /** ISO 3166-1 alpha-2. */
  readonly byCountry: ReadonlyMap<string, FormatFloors>;
  /** Where no rule names the country, or nobody knows it. */
  readonly elsewhere: FormatFloors;
}

const FORMATS: readonly (readonly [number, Format])[] = [
  [FORMAT_BANNER, 'banner'],
  [FORMAT_VIDEO, 'video'],
  [FORMAT_NATIVE, 'native'],
];
const NAMES = FORMATS.map(([, name]) => name);

/** Compiles a list of rules; among equally specific ones the later holds. */
export function compileFloors(rules: readonly FloorRule[]): FloorTable {
  const elsewhere = { banner: 0, video: 0, native: 0 };
  const byCountry = new Map<string, Record<Format, number>>();
  // The least specific first, so that what is more specific is written over it. Those without
  // countries all come before those with some, which start from them.
  for (const rule of rules.toSorted((a, b) => specificity(a) - specificity(b))) {
    if (rule.countries.length === 0) write(elsewhere, rule);
    for (const country of rule.countries) {
      const floors = byCountry.get(country) ?? { ...elsewhere };
      write(floors, rule);
      byCountry.set(country, floors);
    }
  }
  return { byCountry, elsewhere };
}

function specificity({ countries, formats }: FloorRule): number {
  return (countries.length > 0 ? 2 : 0) + (formats.length > 0 ? 1 : 0);
}

function write(floors: Record<Format, number>, { formats, floorMicros }: FloorRule): void {
  for (const format of formats.length > 0 ? formats : NAMES) floors[format] = floorMicros;
}

/** What an impression's floors depend on. */
export interface Selling {
  /** Null when nobody knows it. */
  readonly country: string | null;
  /** The formats for sale, as a bit mask. */
  readonly formats: number;
  /** What holds for all formats whatever the tables say. */
  readonly leastMicros: number;
}

/** The floors of an impression: the lowest of its formats', and each where they differ. */
export interface ImpFloors {
  readonly floorMicros: number;
  readonly formatFloors: FormatFloors | null;
}

/** The highest floor of each format that the tables and the least floor ask for. */
export function floorsFor(tables: readonly FloorTable[], selling: Selling): ImpFloors {
  const { country, formats, leastMicros } = selling;
  if (tables.length === 0) return { floorMicros: leastMicros, formatFloors: null };
  const floors = { banner: leastMicros, video: leastMicros, native: leastMicros };
  for (const { byCountry, elsewhere } of tables) {
    const own = (country === null ? undefined : byCountry.get(country)) ?? elsewhere;
    floors.banner = Math.max(floors.banner, own.banner);
    floors.video = Math.max(floors.video, own.video);
    floors.native = Math.max(floors.native, own.native);
  }
  let lowest = Infinity;
  let highest = 0;
  for (const [bit, name] of FORMATS) {
    if ((formats & bit) === 0) continue;
    lowest = Math.min(lowest, floors[name]);
    highest = Math.max(highest, floors[name]);
  }
  return { floorMicros: lowest, formatFloors: lowest === highest ? null : floors };
}

/** What a bid has to reach that may be of any of these formats; with none the impression's floor. */
export function highestFloorMicros(imp: ImpFloors, formats: number): number {
  const { floorMicros, formatFloors } = imp;
  if (formatFloors === null) return floorMicros;
  let highest = floorMicros;
  for (const [bit, name] of FORMATS) {
    if ((formats & bit) !== 0) highest = Math.max(highest, formatFloors[name]);
  }
  return highest;
}

/** What a bid has to reach at least, whichever of these formats it is of; there is at least one. */
export function lowestFloorMicros(imp: ImpFloors, formats: number): number {
  const { floorMicros, formatFloors } = imp;
  if (formatFloors === null) return floorMicros;
  let lowest = Infinity;
  for (const [bit, name] of FORMATS) {
    if ((formats & bit) !== 0) lowest = Math.min(lowest, formatFloors[name]);
  }
  return lowest;
}
