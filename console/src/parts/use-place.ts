import { useLocation } from '@tanstack/react-router';
import { roleOf, useSession } from '../api/session.ts';
import { useNameOf, type EntityKind } from './use-names.ts';

/** The demand partner or publisher whose pages somebody looks at. */
export interface Place {
  readonly kind: EntityKind;
  readonly id: number;
  /** Its id until its name is known. */
  readonly name: string;
  readonly root: string;
}

/** Where an operator is, of the address; null on pages that belong to no account, and for other users, who have one place. */
export function usePlace(): Place | null {
  const { pathname } = useLocation();
  const isOperator = roleOf(useSession()) === 'operator';
  const [root = '', found, digits] =
    /^\/(demand-partners|publishers)\/(\d+)(?=\/|$)/.exec(pathname) ?? [];
  const kind = found === 'publishers' ? 'publishers' : 'demand-partners';
  const id = digits === undefined || !isOperator ? null : Number(digits);
  const name = useNameOf(kind, id);
  return id === null ? null : { kind, id, name, root };
}

const LISTS = {
  'demand-partners': { label: 'Demand partners', href: '/operator/demand-partners' },
  publishers: { label: 'Publishers', href: '/operator/publishers' },
} as const;

interface Crumb {
  readonly label: string;
  readonly href: string;
}

/** Whose page this is stands above all others, for operators, who look at many. */
export function useCrumbs(above: readonly Crumb[]): readonly Crumb[] {
  const { pathname } = useLocation();
  const place = usePlace();
  if (place === null) return above;
  const { kind, name, root } = place;
  const own = pathname.replace(/\/$/, '') === root ? [] : [{ label: name, href: root }];
  return [LISTS[kind], ...own, ...above];
}
