/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  /** What the process said of its failure to start, if it could. */
  readonly failure: { readonly reason: string; readonly final: boolean } | null;
}

/** A process as a place needs to know it; `RoleChild` is one. */
export interface SlotProcess {
  readonly role: string;
  readonly worker: number;
  readonly ready: Promise<boolean>;
  readonly ended: Promise<Ending>;
  readonly lifeMs: number;
  /** The process has loaded its code, or is about to, and may start its work. */
  begin(): void;
  drain(withinMs: number): Promise<Ending>;
  kill(): void;
}

/** One clause for messages and logs. */
export function describeEnding({ code, signal, failure }: Ending): string {
  if (failure !== null) return failure.reason;
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}
