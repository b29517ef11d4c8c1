import type { Answer } from './client.ts';

/**
 * Follows a list that begins with empty parts until it has rows or has ended, as no person would.
 *
 * @param ask asks for a part by its path with its query.
 */
export async function untilRows<Body>(
  first: Answer<Body>,
  ask: (path: string) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  const { body, next } = first;
  if (next === null || !Array.isArray(body) || body.length > 0) return first;
  return untilRows(await ask(next), ask);
}
