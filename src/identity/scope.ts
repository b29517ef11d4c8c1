import { SCOPES, type Scope } from './caller.ts';

/** What a program gets that asks for nothing in particular. */
const DEFAULT_SCOPE: readonly Scope[] = ['read'];

/**
 * Reads a scope as RFC 6749 section 3.3 writes it: words with single spaces between them, in any
 * order. `write` brings `read` with it.
 *
 * @param text undefined for one that was not given.
 * @returns the scope in the order of SCOPES; null when a word is none of them.
 */
export function parseScope(text: string | undefined): readonly Scope[] | null {
  if (text === undefined) return DEFAULT_SCOPE;
  const words = text.split(' ');
  if (!words.every((word) => SCOPES.some((scope) => scope === word))) return null;
  return words.includes('write') ? SCOPES : DEFAULT_SCOPE;
}

/** A scope as answers and the store have it. */
export function showScope(scope: readonly Scope[]): string {
  return scope.join(' ');
}
