import { entityOf, roleOf } from '../api/session.ts';
import type { Session } from '../api/types.ts';

/**
 * Whether a page is one of the user's own. The API refuses what is not; this spares the page around
 * the refusals.
 */
export function isOwnPage(session: Session, path: string): boolean {
  const [, area = ''] = path.split('/');
  if (roleOf(session) === 'operator') return true;
  if (area !== 'operator' && area !== 'publishers' && area !== 'demand-partners') return true;
  const home = homeOf(session);
  return path === home || path.startsWith(`${home}/`);
}

/** The address of the page that a user begins on. */
export function homeOf(session: Session): string {
  const role = roleOf(session);
  const id = entityOf(session);
  if (role === 'operator' || id === null) return '/operator';
  return role === 'publisher' ? `/publishers/${id}` : `/demand-partners/${id}`;
}
