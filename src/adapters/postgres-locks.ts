/** Every lock of ours is in this class, `Rial` in ASCII: other programs may lock in the same database. */
export const ADVISORY_CLASS = 0x52_69_61_6c;

/** The locks of a database's controls. */
export const ADVISORY_LOCKS = {
  /** Held by the transaction that writes. */
  writers: 1,
  /** Held by the session of the control that leads. */
  leader: 2,
  /** Held by the session of a control that should lead instead. */
  claimant: 3,
} as const;
