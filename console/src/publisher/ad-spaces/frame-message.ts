/** Whether a frame's message says that it has an ad; null for a message that says neither. */
export function filledIn(message: unknown): boolean | null {
  const filled = fieldOf(fieldOf(message, 'rialto'), 'filled');
  return typeof filled === 'boolean' ? filled : null;
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
