import { Command } from 'commander';

/** The name that was probably meant, as commander guesses at commands; null where none is near. */
export function nearest(name: string, names: readonly string[]): string | null {
  const group = new Command().exitOverride().configureOutput({ outputError: () => {} });
  for (const each of names) group.command(each);
  try {
    group.parse([name], { from: 'user' });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return /Did you mean (?:one of )?([\w-]+)/.exec(message)?.[1] ?? null;
  }
  return null;
}
