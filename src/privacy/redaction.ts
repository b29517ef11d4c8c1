import { parseIpAddress, truncateIp } from './ip-address.ts';
import { roundLocation } from './location.ts';

/** What stands where something was taken out. */
const REMOVED = '***';

/** Shorter values are in any text by chance, and name nobody. */
const VALUE_LENGTH_MIN = 5;
/** With more values than this nothing is let through: looking for each would take too long. */
const VALUES_MAX = 200;
/** A dashed id may be repeated without its dashes, and the other way round. */
const UNDASHED_LENGTH_MIN = 16;
const BARE_UUID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Advertising and hardware ids of a device, plain or hashed, and a buyer's own data. */
const ID_NAME = /^(?:ifa|dp?id.*|mac.*|buyeruid|customdata)$/i;
/** Extensions are nobody's standard: what sounds as if it named a person is taken to do so. */
const EXT_ID_NAME = /id(?:s|fa|fv|entifiers?)?$|ifv|uid|user|mail|phone|hash|token|cookie/i;
/** What holds nothing but ids, whatever they are called in there. */
const ID_GROUP_NAME = /^(?:eids|uids|buyeruids)$/i;
/** Who gave an id, and of what type it is. */
const ID_ORIGIN_NAME = /^(?:source|atype)$/;

const IP_NAME = /^ip(?:v6)?$/;
const PLAIN = /^[\w.-]*$/;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/** Where in a request a field stands. */
type Place = 'device' | 'user' | 'inside' | 'ext' | 'ids';

/**
 * What identifies a person in one ad request: taken out of the objects where it stands, and of
 * every text that repeats it. Addresses and coordinates become coarser, all else gives way to `***`.
 */
export class Redaction {
  /** By the forms, in small letters, in which a value may be repeated. */
  readonly #replacements = new Map<string, string>();
  #longest = 0;
  #pattern: RegExp | null = null;

  /** A device without what identifies it. What was found there is looked for in texts from now on. */
  device(device: unknown): unknown {
    return this.#without(device, 'device');
  }

  /** As `device`, for `user`. */
  user(user: unknown): unknown {
    return this.#without(user, 'user');
  }

  /**
   * A text, well-formed and cut to a length, without what has been found in devices and users. What
   * lies across the cut is taken out as well.
   */
  text(text: string, lengthMax: number): string {
    if (text === '') return '';
    const seen = text.slice(0, lengthMax + this.#longest);
    if (this.#replacements.size > VALUES_MAX) return REMOVED;
    if (!this.#occursIn(seen)) return text.slice(0, lengthMax).toWellFormed();
    let clean = '';
    let at = 0;
    for (const match of seen.matchAll(this.#compiled())) {
      if (match.index >= lengthMax) break;
      const replacement = this.#replacements.get(match[0].toLowerCase()) ?? REMOVED;
      clean += seen.slice(at, match.index) + replacement;
      at = match.index + match[0].length;
    }
    return (clean + seen.slice(at, lengthMax)).toWellFormed();
  }

  #occursIn(text: string): boolean {
    if (this.#replacements.size === 0) return false;
    const small = text.toLowerCase();
    for (const form of this.#replacements.keys()) if (small.includes(form)) return true;
    return false;
  }

  /** Longer forms first: where one begins like another, all of it has to go. */
  #compiled(): RegExp {
    this.#pattern ??= new RegExp(
      [...this.#replacements.keys()]
        .toSorted((a, b) => b.length - a.length)
        .map((form) => form.replaceAll(SPECIAL, String.raw`\$&`))
        .join('|'),
      'gi',
    );
    return this.#pattern;
  }

  /** Without recursion: a request may be nested more deeply than there is stack. */
  #without(value: unknown, place: Place): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const whole = emptyLike(value);
    const open = [{ value, clean: whole, place }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const isList = Array.isArray(next.value);
      for (const [key, each] of Object.entries(next.value)) {
        // An element of a list has no name of its own.
        const name = isList ? '' : key;
        if (typeof each !== 'object' || each === null) {
          put(next.clean, key, this.#field(name, each, next.place));
          continue;
        }
        const clean = emptyLike(each);
        put(next.clean, key, clean);
        open.push({ value: each, clean, place: placeBelow(next.place, name) });
      }
    }
    return whole;
  }

  #field(name: string, value: unknown, place: Place): unknown {
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const coarse = coarser(name, value, place);
    if (coarse === value) return value;
    // Without its sign, which may stand elsewhere or not at all.
    if (typeof value === 'number' && typeof coarse === 'number') {
      this.#note(String(Math.abs(value)), String(Math.abs(coarse)));
    } else this.#note(String(value), String(coarse));
    // An address goes out in its canonical form: what came as ::ffff:192.0.2.1 is sent as 192.0.2.1.
    if (IP_NAME.test(name)) {
      const canonical = parseIpAddress(String(value))?.toString();
      if (canonical !== undefined) this.#note(canonical, String(coarse));
    }
    return coarse;
  }

  #note(value: string, replacement: string): void {
    for (const form of formsOf(value.toWellFormed().toLowerCase())) {
      if (form.length < VALUE_LENGTH_MIN) continue;
      this.#replacements.set(form, replacement);
      this.#longest = Math.max(this.#longest, form.length);
      this.#pattern = null;
    }
  }
}

type Filled = unknown[] | Record<string, unknown>;

function emptyLike(value: object): Filled {
  return Array.isArray(value) ? [] : {};
}

/** Adds what comes next. */
function put(filled: Filled, key: string, value: unknown): void {
  if (Array.isArray(filled)) filled.push(value);
  else filled[key] = value;
}

function placeBelow(place: Place, name: string): Place {
  if (place === 'ids' || ID_GROUP_NAME.test(name)) return 'ids';
  if (place === 'ext') return EXT_ID_NAME.test(name) ? 'ids' : 'ext';
  if (name === 'ext') return 'ext';
  // An element of a list stands where its list does.
  return name === '' ? place : 'inside';
}

/** What may be said of a value; the value itself where it names nobody. */
function coarser(name: string, value: string | number, place: Place): string | number {
  if ((name === 'lat' || name === 'lon') && typeof value === 'number') return roundLocation(value);
  if (IP_NAME.test(name) && typeof value === 'string') {
    return truncateIp(value) ?? REMOVED;
  }
  return isId(name, place) ? REMOVED : value;
}

function isId(name: string, place: Place): boolean {
  if (place === 'ids') return !ID_ORIGIN_NAME.test(name);
  if (ID_NAME.test(name)) return true;
  return place === 'user' ? name === 'id' : place === 'ext' && EXT_ID_NAME.test(name);
}

/** A value as it may stand in a text: plain, in an address, in JSON, or with its dashes and without. */
function formsOf(value: string): readonly string[] {
  if (!PLAIN.test(value)) {
    return [value, encodeURIComponent(value).toLowerCase(), JSON.stringify(value).slice(1, -1)];
  }
  if (BARE_UUID.test(value)) return [value, value.replace(BARE_UUID, '$1-$2-$3-$4-$5')];
  if (value.length < UNDASHED_LENGTH_MIN || !value.includes('-')) return [value];
  return [value, value.replaceAll('-', '')];
}
