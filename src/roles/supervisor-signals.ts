import type { RoleName } from '../settings/settings.ts';

/**
 * A terminal sends its interrupt to the whole process group, and npm and `bin/rialto.js` pass it on
 * as well: what follows the first signal this closely is the same key press.
 */
const SAME_SIGNAL_MS = 500;

export interface SignalActions {
  readonly stop: () => void;
  readonly stopNow: (signal: NodeJS.Signals) => void;
  readonly restart: (roles: readonly RoleName[] | 'all') => void;
}

/**
 * SIGTERM and SIGINT stop the node, a second one at once; SIGHUP restarts every role, SIGUSR2 the
 * exchange alone.
 *
 * @param hangUpStops where SIGHUP says that the terminal is gone, and the node ends with it.
 * @returns what undoes it.
 */
export function watchSignals(actions: SignalActions, hangUpStops: boolean): () => void {
  let firstMs: number | undefined;
  const onStop = (signal: NodeJS.Signals): void => {
    const nowMs = performance.now();
    if (firstMs === undefined) {
      firstMs = nowMs;
      actions.stop();
    } else if (nowMs - firstMs > SAME_SIGNAL_MS) {
      actions.stopNow(signal);
    }
  };
  const onHangUp = (): void => actions.restart('all');
  const onUser = (): void => actions.restart(['exchange']);
  const handlers: readonly [NodeJS.Signals, (signal: NodeJS.Signals) => void][] = [
    ['SIGTERM', onStop],
    ['SIGINT', onStop],
    ['SIGHUP', hangUpStops ? onStop : onHangUp],
    ['SIGUSR2', onUser],
  ];
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
