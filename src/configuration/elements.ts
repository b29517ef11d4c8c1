import type { StaticEncode, TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Finding, Path } from './finding.ts';
import type { Element } from './plan.ts';

/** Keys that broke the schema or are missing, by the place of what they should stand in. */
export type UnsoundKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** Gathers the keys that stand on the paths of findings. */
export function unsoundKeys(findings: readonly Finding[]): UnsoundKeys {
  const unsound = new Map<string, Set<string>>();
  for (const { path } of findings) {
    for (const [depth, segment] of path.entries()) {
      if (typeof segment === 'number') continue;
      const holder = JSON.stringify(path.slice(0, depth));
      const keys = unsound.get(holder);
      if (keys === undefined) unsound.set(holder, new Set([segment]));
      else keys.add(segment);
    }
  }
  return unsound;
}

/** Takes one kind of resource out of a document, without the resources inside it. */
export class ElementReader<Schema extends TObject> {
  readonly #keys: readonly string[];
  readonly #validator: Validator<{}, Schema>;

  constructor(schema: Schema) {
    this.#keys = Object.keys(schema.properties);
    this.#validator = Compile(schema);
  }

  /** The keys that are sound; undefined when the resource cannot do without one that is not. */
  read(raw: unknown, path: Path, unsound: UnsoundKeys): Element<StaticEncode<Schema>> | undefined {
    if (Array.isArray(raw) || typeof raw !== 'object' || raw === null) return undefined;
    const own = unsound.get(JSON.stringify(path)) ?? new Set<string>();
    const sound = new Map<string, unknown>();
    for (const key of this.#keys) {
      if (hasKey(raw, key) && !own.has(key)) sound.set(key, raw[key]);
    }
    const input: unknown = Object.fromEntries(sound);
    return this.#validator.Check(input) ? { path, input, unsound: own } : undefined;
  }
}

/** The value of a key, of whatever was found. */
export function valueAt(raw: unknown, key: string): unknown {
  return hasKey(raw, key) ? raw[key] : undefined;
}

/** The items under a key with their places; none when no list stands there. */
export function itemsAt(raw: unknown, key: string, path: Path): readonly [unknown, Path][] {
  const items = valueAt(raw, key);
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown, index) => [item, [...path, key, index]]);
}

function hasKey<Key extends string>(raw: unknown, key: Key): raw is Record<Key, unknown> {
  return typeof raw === 'object' && raw !== null && Object.hasOwn(raw, key);
}
