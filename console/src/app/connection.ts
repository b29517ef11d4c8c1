import { useSyncExternalStore } from 'react';
import { UNREACHABLE, type ApiProblem } from '../api/problem.ts';

/** Whether control answers, as the last request found it: null while it does. */
let silence: string | null = null;
const listeners = new Set<() => void>();

/** Something was answered. */
export function noteAnswer(): void {
  change(null);
}

/** Control was not reached, or cannot work at present. */
export function noteSilence({ message }: ApiProblem): void {
  change(message);
}

/** Why nothing is answered; null while all is well. */
export function useSilence(): string | null {
  return useSyncExternalStore(subscribe, () => silence);
}

const ASK_AGAIN_MS = 1_000;

/** Settles once control answers, and says meanwhile that it does not. */
export async function controlAnswers(): Promise<void> {
  for (;;) {
    const isThere = await fetch('/livez').then(
      ({ ok }) => ok,
      () => false,
    );
    change(isThere ? null : UNREACHABLE);
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

function change(next: string | null): void {
  if (next === silence) return;
  silence = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
