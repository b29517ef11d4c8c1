/** Whether two values of JSON say the same; the order of keys says nothing. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, at) => same(each, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const right = entriesOf(other);
  const left = entriesOf(one);
  return left.size === right.size && [...left].every(([key, value]) => same(value, right.get(key)));
}

/**
 * What makes one resource the other, as a JSON Merge Patch (RFC 7396): null takes a key away, lists
 * go as a whole. What is undefined is not there.
 */
export function patchOf(before: object, after: object): Readonly<Record<string, unknown>> {
  const patch: Record<string, unknown> = {};
  const left = entriesOf(before);
  const right = entriesOf(after);
  for (const key of left.keys()) if (!right.has(key)) patch[key] = null;
  for (const [key, value] of right) {
    const was = left.get(key);
    if (same(was, value)) continue;
    patch[key] = isObject(was) && isObject(value) ? patchOf(was, value) : value;
  }
  return patch;
}

/** What somebody changed, on top of what somebody else has saved in the meantime. */
export function rebased<Resource extends object>(
  before: Resource,
  mine: Resource,
  theirs: Resource,
): Resource {
  const result = { ...theirs };
  for (const key in theirs) {
    if (!same(mine[key], before[key])) result[key] = mine[key];
  }
  return result;
}

/** One key that somebody else has changed. */
export interface Difference {
  readonly key: string;
  /** As it is saved now. */
  readonly theirs: unknown;
  /** As it was typed here; the same as `theirs` where nothing was. */
  readonly mine: unknown;
}

/** What somebody else has changed since `before`; when they did so says nothing. */
export function differences(before: object, mine: object, theirs: object): readonly Difference[] {
  const [was, typed] = [entriesOf(before), entriesOf(mine)];
  return [...entriesOf(theirs)].flatMap(([key, now]) => {
    if (key === 'updated_at' || same(was.get(key), now)) return [];
    return [{ key, theirs: now, mine: same(typed.get(key), was.get(key)) ? now : typed.get(key) }];
  });
}

function entriesOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, each]) => each !== undefined));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
