import type { Condition, EventDraft, Reading } from './condition.ts';

/** An event with whom it concerns. */
export type Change = Pick<Condition, 'demandPartnerId' | 'publisherId' | 'isOperators'> & {
  readonly event: EventDraft;
};

/** What has changed between two looks. */
export interface Difference {
  readonly began: readonly Condition[];
  /** Keys of those that are over. */
  readonly over: readonly string[];
  readonly changes: readonly Change[];
}

/** Holds what is read against what was known. */
export function holdAgainst(
  known: ReadonlyMap<string, Condition>,
  { holds, keeps = () => false, over = () => null }: Reading,
): Difference {
  const now = new Map(holds.map((condition) => [condition.key, condition]));
  const began = [...now.values()].filter(({ key }) => !known.has(key));
  const ended = [...known.values()].filter((each) => !now.has(each.key) && !keeps(each));
  const endings = ended.flatMap((condition): Change[] => {
    const event = over(condition);
    return event === null ? [] : [{ ...condition, event }];
  });
  return { began, over: ended.map(({ key }) => key), changes: [...endings, ...began] };
}
