import { isIP, Socket, type LookupFunction } from 'node:net';

import { buildConnector } from 'undici';

import { createNameLookup } from './name-lookup.ts';

export interface GuardedConnectOptions {
  /** Asked for every address, literal or resolved, each time before it is connected to. */
  readonly isAddressAllowed: (ip: string) => boolean;
  /** How long a connection may take to come about, name and TLS included. */
  readonly timeoutMs?: number;
  /** Kept up to date with the sockets on their way, so that the owner can destroy them. */
  readonly connecting?: Set<Socket>;
  /** How names are looked up; see `name-lookup.ts`. */
  readonly lookup?: LookupFunction;
}

/** An address inside the operator's network was about to be connected to. */
class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'ERR_ADDRESS_REFUSED';

  constructor(hostname: string, addresses: readonly string[]) {
    const address = addresses.join(', ');
    super(
      address === hostname
        ? `${address} is not a public address; allow its range in allow_private_addresses.`
        : `${hostname} resolves to ${address}, which is not public; ` +
            'allow its range in allow_private_addresses.',
    );
  }
}

const TIMEOUT_MS = 10_000;

/**
 * A connector for undici that only ever connects to allowed addresses. A name is resolved once per
 * connection, and the addresses that passed the check are the ones handed to the socket, so a
 * second answer of the name server is never asked for. undici calls no `lookup` for a literal
 * address: that one is checked here, before anything is sent. Errors with `ERR_ADDRESS_REFUSED`.
 */
export function createGuardedConnect(options: GuardedConnectOptions): buildConnector.connector {
  const { isAddressAllowed, connecting } = options;
  const connect = buildConnector({
    lookup: guardLookup(isAddressAllowed, options.lookup ?? createNameLookup()),
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    allowH2: false,
  });
  return (target, callback) => {
    const refusal = literalRefusal(target.hostname, isAddressAllowed);
    if (refusal !== null) {
      process.nextTick(callback, refusal, null);
      return;
    }
    if (connecting === undefined) connect(target, callback);
    else trackedConnect(connect, connecting, target, callback);
  };
}

/** For a host that is a literal address, which no `lookup` sees: why it is refused, or null. */
export function literalRefusal(
  hostname: string,
  isAddressAllowed: (ip: string) => boolean,
): Error | null {
  const address = unbracketed(hostname);
  if (isIP(address) === 0 || isAddressAllowed(address)) return null;
  return new AddressRefusedError(address, [address]);
}

/** A resolver that answers with the allowed addresses of a name alone, or refuses the name. */
export function guardLookup(
  isAddressAllowed: (ip: string) => boolean,
  lookup: LookupFunction,
): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, answer, family) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const resolved =
        typeof answer === 'string' ? [{ address: answer, family: family ?? 0 }] : answer;
      const allowed = resolved.filter((entry) => isAddressAllowed(entry.address));
      const first = allowed[0];
      if (first === undefined) {
        callback(
          new AddressRefusedError(
            hostname,
            resolved.map((entry) => entry.address),
          ),
          [],
        );
      } else if (lookupOptions.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function trackedConnect(
  connect: buildConnector.connector,
  connecting: Set<Socket>,
  target: buildConnector.Options,
  callback: buildConnector.Callback,
): void {
  // undici returns the socket, though its types don't say so.
  const socket: unknown = connect(target, (...outcome) => {
    if (socket instanceof Socket) connecting.delete(socket);
    callback(...outcome);
  });
  if (socket instanceof Socket) connecting.add(socket);
}

/** URL spells IPv6 addresses in brackets, sockets without them. */
export function unbracketed(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
