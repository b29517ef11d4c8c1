/**
 * What the configuration store knows of the analytics store that a control loads into, so that an
 * empty, another or an older one in its place is known as such. Durable when a promise resolves.
 */
export interface StoreRegister {
  /** Null where this control has never loaded anything. */
  read(): Promise<KnownStore | null>;
  /** From now on the store of this id is the one to load into. */
  adopt(id: string): Promise<void>;
  /** The newest record that is known to be loaded for good. */
  noteLoaded(record: LoadedRecord): Promise<void>;
  /**
   * Has all journals offered again: adopts the store, and forgets how far any segment was loaded.
   *
   * @param nowMs Unix time in milliseconds.
   */
  reoffer(id: string, nowMs: number): Promise<void>;
  /**
   * When the journals were last asked for again: a number that grows, whatever clocks do, and is about
   * the Unix time in milliseconds; 0 for never.
   */
  reofferedAt(): Promise<number>;
}

export interface KnownStore {
  readonly id: string;
  readonly lastLoaded: LoadedRecord | null;
}

/** Names one record of money; `key` is of `analytics/reconcile-key.ts`. */
export interface LoadedRecord {
  readonly node: string;
  readonly kind: string;
  readonly key: string;
  readonly at_ms: number;
}
