import type { Condition, EventDraft, Reading } from './condition.ts';

/** An event with whom it concerns. */
export type Change = Pick<Condition, 'demandPartnerId' | 'publisherId' | 'isOperators'> & {
  readonly event: EventDraft;
};

/** A condition as it was told last. */
export interface Known {
  readonly condition: Condition;
  /** When that was, in Unix milliseconds. */
  readonly toldMs: number;
}

/** What has changed between two looks. */
export interface Difference {
  /** To be kept as told now: what began, and what is told again. */
  readonly told: readonly Condition[];
  /** Keys of those that are over. */
  readonly over: readonly string[];
  readonly changes: readonly Change[];
}

/** Holds what is read against what was known. */
export function holdAgainst(
  known: ReadonlyMap<string, Known>,
  { holds, keeps = () => false, again, over = () => null }: Reading,
  nowMs: number,
): Difference {
  const now = new Map(holds.map((condition) => [condition.key, condition]));
  const told = [...now.values()].filter((condition) => {
    const before = known.get(condition.key);
    if (before === undefined) return true;
    if (again === undefined || nowMs - before.toldMs < again.afterMs) return false;
    return again.isNews(before.condition, condition);
  });
  const ended = [...known.values()]
    .map(({ condition }) => condition)
    .filter((each) => !now.has(each.key) && !keeps(each));
  const endings = ended.flatMap((condition): Change[] => {
    const event = over(condition);
    return event === null ? [] : [{ ...condition, event }];
  });
  return { told, over: ended.map(({ key }) => key), changes: [...endings, ...told] };
}
