import type { Kysely, Transaction } from 'kysely';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import type { Database } from './schema.ts';
import { loadIdentities, loadState, type Resources, type State } from './state.ts';
import { readVersion } from './version.ts';

/**
 * What a store held when this process last changed it. Reading ten thousand line items again for
 * each change would keep everybody else waiting; the version tells whether anybody else has changed
 * anything since.
 */
const known = new WeakMap<Kysely<Database>, Resources>();

/** As `loadState`; users, applications and accounts have no version, so that they are always read. */
export async function loadKnownState(
  db: Kysely<Database>,
  transaction: Transaction<Database>,
): Promise<State> {
  const last = known.get(db);
  if (last === undefined) return loadState(transaction);
  const { epoch, seq } = await readVersion(transaction);
  if (last.version.epoch !== epoch || last.version.seq !== seq) return loadState(transaction);
  return { ...copyOf(last), ...(await loadIdentities(transaction)) };
}

/**
 * Keeps what the store holds after a change that is committed. Where another process has changed it
 * at the same time nothing is kept.
 *
 * @param state as the plan has left it; its version is the one before the change.
 */
export function rememberState(db: Kysely<Database>, state: State, version: SnapshotVersion): void {
  const { users: _users, applications: _applications, accounts: _accounts, ...resources } = state;
  const isNext = version.seq - state.version.seq <= 1 && version.epoch === state.version.epoch;
  if (isNext) known.set(db, { ...resources, version });
  else known.delete(db);
}

/** A plan puts its rows into the maps, and may come to nothing. */
function copyOf(resources: Resources): Resources {
  return {
    ...resources,
    demandPartners: new Map(resources.demandPartners),
    bidders: new Map(resources.bidders),
    lineItems: new Map(resources.lineItems),
    publishers: new Map(resources.publishers),
    properties: new Map(resources.properties),
    adSpaces: new Map(resources.adSpaces),
    deals: new Map(resources.deals),
  };
}
