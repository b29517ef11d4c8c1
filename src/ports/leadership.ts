/** Whether this control is the one that does what only one may do at a time. */
export interface Leadership {
  /**
   * Which time it is that this process leads, from 1; null while another one does, or might. Ask again
   * after every wait: it ends at any moment.
   */
  readonly term: number | null;
}

/** A control whose store is in its own data directory: the supervisor's lock makes it the only one. */
export const ALONE: Leadership = { term: 1 };
