import { runningSupervisor } from '../../commands/ask-control.ts';
import { CommandError } from '../../base/errors.ts';
import { readInternalAddress } from '../../control/internal-address.ts';
import type { CommandPlace } from '../program-tools.ts';
import type { Access } from './access.ts';
import { chooseTarget } from './choose-target.ts';
import { ApiClient } from './client.ts';

/** Control opens its analytics store a moment after it started. */
const TRIES_MAX = 10;

/**
 * The management API that a command means: of the server that it names or that somebody has signed in
 * to, else of this machine's node.
 *
 * @throws CommandError where no node runs here, or it has no control.
 */
export function apiOf(place: CommandPlace): ApiClient {
  const target = chooseTarget(place);
  return new ApiClient(
    target.kind === 'server' ? target.access : localAccess(target.place.dataDirectory),
  );
}

/** By the token that control leaves in its data directory, which is another after each start. */
function localAccess(dataDirectory: string): Access {
  const read = () => readApi(dataDirectory);
  return {
    url: read().url,
    source: `the node on ${dataDirectory}`,
    remedy: 'run rialto login',
    token: async () => read().token,
    renew: async () => read().token,
    triesMax: TRIES_MAX,
  };
}

function readApi(dataDirectory: string): { readonly url: string; readonly token: string } {
  const supervisor = runningSupervisor(dataDirectory);
  if (supervisor === null) {
    throw new CommandError(
      `No node runs on ${dataDirectory}: start it, name its directory with --data, or sign in at a ` +
        'server with rialto login.',
      { exit: 'unreachable' },
    );
  }
  const address = readInternalAddress(dataDirectory);
  if (address?.supervisor === supervisor) return address.api;
  throw new CommandError(
    'The node that runs has no control that can be asked yet: try again in a moment, or sign in at ' +
      'the control of another node with rialto login.',
    { exit: 'unreachable' },
  );
}
