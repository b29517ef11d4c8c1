import type { EventName, Listener, SlotEvent } from './page-api.ts';

export type Emit = (name: EventName, event: SlotEvent) => void;

/** Who listens to what happens in slots, and what tells them. */
export function createEvents(): {
  readonly on: (name: EventName, listener: Listener) => () => void;
  readonly emit: Emit;
} {
  let listeners: { readonly name: EventName; readonly listener: Listener }[] = [];
  return {
    on: (name, listener) => {
      const entry = { name, listener };
      listeners.push(entry);
      return () => {
        listeners = listeners.filter((each) => each !== entry);
      };
    },
    emit: (name, event) => {
      for (const each of listeners) if (each.name === name) safely(() => each.listener(event));
    },
  };
}

/**
 * Runs what may fail, and goes on if it does. The error reaches the page's own reports of errors,
 * but breaks off nothing.
 */
export function safely(run: () => void): void {
  try {
    run();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
