import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Changes what the address says after its question mark: undefined takes a parameter out. */
export type ChangeSearch<Search> = (
  change: { readonly [Key in keyof Search]?: Search[Key] | undefined },
  options?: {
    readonly isStep?: boolean;
    /** Shows the page from its beginning, as for another page of a list. */
    readonly fromTop?: boolean;
  },
) => void;

/**
 * What the address of a page says after its question mark, and how it is changed. A change replaces
 * the entry of the browser's history, unless it is a step that somebody may want to go back from.
 *
 * @param read the same reader that the route validates with.
 */
export function useSearchOf<Search extends object>(
  read: (search: Record<string, unknown>) => Search,
): readonly [Search, ChangeSearch<Search>] {
  const raw: Record<string, unknown> = { ...useSearch({ strict: false }) };
  const navigate = useNavigate();
  const change = useCallback<ChangeSearch<Search>>(
    (changed, { isStep = false, fromTop = false } = {}) => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, ...changed }),
        replace: !isStep,
        resetScroll: fromTop,
      });
    },
    [navigate],
  );
  return [read(raw), change];
}
