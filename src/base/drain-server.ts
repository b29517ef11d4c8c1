import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** A turn of the event loop that takes no longer has found nothing to do. */
const QUIET_TURN_MS = 0.2;
/** A server that is never quiet closes after so many turns all the same. */
const TURNS_MAX = 200;

export interface DrainOptions {
  /** How long a connection may wait for its next request, in milliseconds. */
  readonly idleMs: number;
  /** Whether requests are under way that have to be answered. */
  readonly isBusy: () => boolean;
}

/**
 * Takes no new connections and resolves when those that are open have ended. Whoever answers says
 * "connection: close" from now on.
 *
 * Not http.Server's own close: it also cuts idle connections at once, on which a client may be sending
 * its next request right now. They get it answered; only those that stay silent are closed, and in
 * twice the time those that have not sent a whole request's headers. A request that has come and was
 * not read yet would be a reset for its client, so that they are closed when nothing is left to read.
 */
export function drainServer(server: Server, { idleMs, isBusy }: DrainOptions): Promise<void> {
  return new Promise((resolve) => {
    let rounds = 0;
    const timer = setInterval(() => {
      rounds += 1;
      const isLast = rounds > 1;
      whenQuiet(() => {
        server.closeIdleConnections();
        if (isLast && !isBusy()) server.closeAllConnections();
      });
    }, idleMs);
    NetServer.prototype.close.call(server, () => {
      clearInterval(timer);
      resolve();
    });
  });
}

/** Calls back right after the event loop has read from all sockets and found little. */
function whenQuiet(then: () => void): void {
  let turns = 0;
  let lastMs = -Infinity;
  const look = (): void => {
    const nowMs = performance.now();
    turns += 1;
    if (nowMs - lastMs <= QUIET_TURN_MS || turns === TURNS_MAX) {
      then();
      return;
    }
    lastMs = nowMs;
    setImmediate(look);
  };
  setImmediate(look);
}
