/**
 * What every command of `rialto` ends with, so that scripts can tell outcomes apart. A code never
 * changes its meaning; `docs/reference/cli.md` is written from this table.
 */
export const EXITS = {
  done: { code: 0, meaning: 'Done; what was looked at is as it should be.' },
  failed: {
    code: 1,
    meaning: 'The command failed, or found what needs somebody: a difference, a fault, a warning.',
  },
  usage: {
    code: 2,
    meaning: 'The command line or a setting was not understood. Nothing was done.',
  },
  denied: { code: 3, meaning: 'Not signed in, a secret is wrong, or this caller may not do it.' },
  not_found: { code: 4, meaning: 'What was named is not there, or there was nothing to look at.' },
  unreachable: {
    code: 5,
    meaning:
      'A server or a store could not be reached, or failed to answer. Trying again may help.',
  },
} as const;

/** How a command ended. */
export type Exit = keyof typeof EXITS;

/** The code that a process ends with. */
export function exitCodeOf(exit: Exit): number {
  return EXITS[exit].code;
}
