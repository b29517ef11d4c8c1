import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LOCAL_USER_ID, SCOPES, type Caller } from './caller.ts';

const TOKEN_BYTES = 32;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Who runs commands on control's own machine: may do what operators may. */
const LOCAL_OPERATOR: Caller = {
  userId: LOCAL_USER_ID,
  email: 'local',
  role: 'operator',
  entityId: null,
  clientId: null,
  status: 'ACTIVE',
  scope: SCOPES,
};

/** From where a request came. */
export interface Origin {
  readonly remoteAddress: string | undefined;
  /** Of control's end of the connection. */
  readonly localAddress: string | undefined;
  /** A proxy has passed it on. */
  readonly isForwarded: boolean;
}

/**
 * The token of commands that run on the machine of control: whoever may read control's data directory
 * has it. It is new at each start, and good for connections from the machine itself alone.
 */
export class LocalOperator {
  readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #digest = digestOf(this.token);

  /** Null for another token, or one that came over the network. */
  findCaller(token: string, origin: Origin): Caller | null {
    const { remoteAddress = '', localAddress, isForwarded } = origin;
    // Who connects to an address of the machine itself comes from that address.
    const isFromHere = LOOPBACK.test(remoteAddress) || remoteAddress === localAddress;
    if (isForwarded || !isFromHere) return null;
    return timingSafeEqual(digestOf(token), this.#digest) ? LOCAL_OPERATOR : null;
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
