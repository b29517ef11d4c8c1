import { useEffect, useSyncExternalStore } from 'react';
import { addressOf, type Call } from './client.ts';

/** The calls that what is on the screen was made of, each once. */
class ShownCalls {
  readonly #counts = new Map<string, { readonly call: Call; times: number }>();
  readonly #listeners = new Set<() => void>();
  #all: readonly Call[] = [];

  add(call: Call): () => void {
    const key = keyOf(call);
    const known = this.#counts.get(key) ?? { call, times: 0 };
    known.times += 1;
    this.#counts.set(key, known);
    this.#tell();
    return () => {
      known.times -= 1;
      if (known.times === 0) this.#counts.delete(key);
      this.#tell();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly all = (): readonly Call[] => this.#all;

  #tell(): void {
    this.#all = [...this.#counts.values()].map(({ call }) => call);
    for (const listener of this.#listeners) listener();
  }
}

const shownCalls = new ShownCalls();

/** Lists a call as long as the component that shows its answer is there. */
export function useShownCall(call: Call, isAsked: boolean): void {
  const key = keyOf(call);
  useEffect(
    () => (isAsked ? shownCalls.add(call) : undefined),
    // The key says all that the call does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [key, isAsked],
  );
}

/** The calls on the screen at present. */
export function useShownCalls(): readonly Call[] {
  return useSyncExternalStore(shownCalls.subscribe, shownCalls.all);
}

function keyOf(call: Call): string {
  return `${call.method} ${addressOf(call)} ${JSON.stringify(call.body) ?? ''}`;
}
