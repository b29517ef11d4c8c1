/**
 * Aborted when somebody wants this process to end, or when its parent has gone.
 *
 * @param readsStdin false for one that a person starts in the background of a shell, where reading
 *   would stop it.
 */
export function stopSignal(readsStdin: boolean): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  // The parent holds the other end of both pipes, so that it cannot be outlived.
  if (readsStdin) process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
  process.stdout.on('error', stop);
  return controller.signal;
}

/** Resolves when it is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}
