import { connect } from 'node:net';

/** How long a connection may take, and the answer of a name server. */
export const CONNECT_MS = 3_000;

/**
 * Opens a connection and closes it.
 *
 * @returns null when it came about, else why not, in few words.
 */
export function connects({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (failure: string | null): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.setTimeout(CONNECT_MS, () => done('no answer'));
    socket.once('connect', () => done(null));
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });
}
