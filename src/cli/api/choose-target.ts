import { CommandError } from '../../base/errors.ts';
import { readStorePlace, type StorePlace } from '../../settings/read-settings.ts';
import type { CommandPlace } from '../program-tools.ts';
import { findAccess, requireAccess, type Access } from './access.ts';

/** What a command works on that can do without a server. */
export type Target =
  | { readonly kind: 'server'; readonly access: Access }
  | { readonly kind: 'local'; readonly place: StorePlace };

const SERVER_FLAGS = ['--url', '--profile'];
/** Of `rialto status`, the ports of this machine as well. */
const LOCAL_FLAGS = [
  '--data',
  '--host',
  '--control-port',
  '--exchange-port',
  '--tracker-port',
  '--metrics-host',
  '--metrics-port',
];
const SERVER_VARIABLES = ['RIALTO_URL', 'RIALTO_PROFILE', 'RIALTO_TOKEN', 'RIALTO_CLIENT_SECRET'];
const LOCAL_VARIABLES = ['RIALTO_DATA', 'RIALTO_DATABASE_URL'];

/**
 * Whether a command means a server or this machine's stores: what the command line names;
 * else what the environment names; else the server that somebody has signed in to; else `./data`.
 *
 * @throws CommandError where both are named, or the server that is meant lets nobody in.
 */
export function chooseTarget(place: CommandPlace): Target {
  const { flags, environment } = place;
  const byFlags = choose(flags, SERVER_FLAGS, LOCAL_FLAGS);
  const chosen = byFlags ?? choose(environment, SERVER_VARIABLES, LOCAL_VARIABLES);
  if (chosen === 'server') return { kind: 'server', access: requireAccess(place) };
  const access = chosen === 'local' ? null : findAccess(place);
  if (access !== null) return { kind: 'server', access };
  return { kind: 'local', place: readStorePlace(flags, environment) };
}

function choose(
  given: CommandPlace['flags'],
  server: readonly string[],
  local: readonly string[],
): Target['kind'] | null {
  const ofServer = server.find((name) => given[name]);
  const ofLocal = local.find((name) => given[name]);
  if (ofServer !== undefined && ofLocal !== undefined) {
    throw new CommandError(
      `${ofServer} means a server and ${ofLocal} this machine: say --url or --data, not both.`,
      { exit: 'usage' },
    );
  }
  if (ofServer !== undefined) return 'server';
  return ofLocal === undefined ? null : 'local';
}
