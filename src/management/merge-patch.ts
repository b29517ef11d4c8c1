import { ownField } from '../base/fields.ts';

/** Deeper than any resource; below it a patch is taken as it stands, for the schema to refuse. */
const DEPTH_MAX = 8;

/**
 * A value after a JSON Merge Patch (RFC 7396): objects are merged key by key, null takes a key
 * away, everything else replaces what was there.
 */
export function mergePatch(before: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch) || depth === DEPTH_MAX) return patch;
  // A list is no object with its positions as keys.
  const target = isObject(before) ? before : {};
  const merged = new Map<string, unknown>(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(ownField(target, key), value, depth + 1));
  }
  // Unlike an assignment, this makes a key `__proto__` one like any other.
  return Object.fromEntries(merged);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
