/** The part of every limit that all slots together have without asking; one that is alone has all. */
export const BASE_SHARE = 0.1;

/**
 * Divides `pool` among those who want parts of it. Who wants less than an equal part gets it, and the
 * rest is divided among the others in the same way (max-min fairness). When all get what they want,
 * what is left is divided in proportion, so that nothing lies idle.
 */
export function fairParts(wanted: readonly number[], pool: number): number[] {
  const sum = wanted.reduce((total, part) => total + part, 0);
  if (sum === 0) return wanted.map(() => 0);
  if (sum <= pool) return wanted.map((part) => (part * pool) / sum);
  const level = fairLevel(wanted, pool);
  return wanted.map((part) => Math.min(part, level));
}

/** The most that anybody gets when `pool` is divided like this; Infinity where it is enough for all. */
export function fairLevel(wanted: readonly number[], pool: number): number {
  const ascending = [...wanted].sort((one, other) => one - other);
  let left = pool;
  for (const [index, part] of ascending.entries()) {
    const level = left / (ascending.length - index);
    if (part > level) return level;
    left -= part;
  }
  return Infinity;
}
