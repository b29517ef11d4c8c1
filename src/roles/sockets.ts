import { BoundSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../base/errors.ts';
import { messageOf } from '../base/unknown-error.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';

/** How long a start after a crash waits for the ports that the crashed node's children still hold. */
const PREDECESSOR_WAIT_MS = 5_000;
const RETRY_MS = 100;

/** Which settings say where a socket is bound. */
export interface SocketPlace {
  readonly host: 'host' | 'internalHost' | 'metricsHost';
  readonly port: 'controlPort' | 'exchangePort' | 'trackerPort' | 'internalPort' | 'metricsPort';
}

/** The sockets of one node, bound once by the supervisor and handed to every process in turn. */
export class BoundSockets {
  readonly #sockets = new Map<string, BoundSocket>();

  /**
   * Binds one more socket.
   *
   * @param patient waits for a port in use, because a crashed predecessor's children are ending.
   * @throws CommandError that names the option to change when it cannot be bound.
   */
  async bind(
    name: string,
    place: SocketPlace,
    settings: Settings,
    patient: boolean,
  ): Promise<void> {
    const deadlineMs = performance.now() + (patient ? PREDECESSOR_WAIT_MS : 0);
    const options = { host: settings[place.host], port: settings[place.port] };
    for (;;) {
      try {
        this.#sockets.set(name, new BoundSocket(options));
        return;
      } catch (error) {
        const retry = codeOf(error) === 'EADDRINUSE' && performance.now() < deadlineMs;
        if (!retry) throw asCommandError(error, place, settings);
      }
      await delay(RETRY_MS);
    }
  }

  descriptor(name: string): number {
    return this.#get(name).fd();
  }

  /** The port that the socket is bound on, also when a free one was asked for. */
  port(name: string): number {
    return this.#get(name).address().port;
  }

  /** The socket for a server of this process, which closes it. */
  adopt(name: string): BoundSocket {
    const socket = this.#get(name);
    this.#sockets.delete(name);
    return socket;
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #get(name: string): BoundSocket {
    const socket = this.#sockets.get(name);
    if (socket === undefined) throw new Error(`no socket ${name} was bound`);
    return socket;
  }
}

function asCommandError(error: unknown, place: SocketPlace, settings: Settings): CommandError {
  const port = SETTINGS[place.port];
  const host = SETTINGS[place.host];
  const number = settings[place.port];
  const another = `choose another with ${port.flag} (${port.environment})`;
  const cause = { cause: error };
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CommandError(`Port ${number} is already in use; ${another}.`, cause);
    case 'EACCES':
      return new CommandError(`Port ${number} may not be opened by this user; ${another}.`, cause);
    default: {
      const reason = messageOf(error);
      return new CommandError(
        `${settings[place.host]} port ${number} cannot be opened (${reason}); see ${host.flag} (${host.environment}) and ${port.flag} (${port.environment}).`,
        cause,
      );
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
