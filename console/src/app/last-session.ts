import { useState } from 'react';
import type { Session } from '../api/types.ts';

/** The session, or the one that has just ended: its page stays while its user signs in again. */
export function useLastSession(current: Session | null): Session | null {
  const [last, setLast] = useState(current);
  if (current !== null && current !== last) setLast(current);
  return current ?? last;
}
