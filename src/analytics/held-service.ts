import type { Retried, ShownHeld, ShownHeldDetails } from './held-schema.ts';

/**
 * What people do with what is in quarantine.
 *
 * @typeParam By who does it, for the audit log.
 */
export interface HeldService<By> {
  /** The oldest first. */
  list(): Promise<readonly ShownHeld[]>;
  /** Null where there is no such entry. */
  show(id: string): Promise<ShownHeldDetails | null>;
  /**
   * Tries the refused records again. Null where there is no such entry.
   *
   * @throws RialtoError while its batch is being loaded, or the store does not answer
   */
  retry(id: string, by: By): Promise<Retried | null>;
  /**
   * Removes an entry with its records. Null where there is no such entry.
   *
   * @throws RialtoError while its batch is being loaded
   */
  drop(id: string, by: By): Promise<ShownHeld | null>;
}
