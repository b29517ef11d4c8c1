import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import type { Database } from './schema.ts';
import { loadIdentities, loadResources, type Resources, type State } from './state.ts';
import { isSameVersion, readVersion } from './version.ts';

/**
 * What a store held when this process last read or changed it. Reading ten thousand line items again for
 * each change, and for each snapshot, would keep everybody else waiting; the version tells whether
 * anybody else has changed anything since.
 */
const known = new WeakMap<Kysely<Database>, Resources>();

/** As `loadState`; users, applications and accounts have no version, so that they are always read. */
export async function loadKnownState(
  db: Kysely<Database>,
  transaction: Transaction<Database>,
): Promise<State> {
  const resources = await loadKnownResources(db, transaction);
  return { ...copyOf(resources), ...(await loadIdentities(transaction)) };
}

/** What the exchange works with, to be read and not changed; what was loaded is remembered. */
export async function loadKnownResources(
  db: Kysely<Database>,
  transaction: Kysely<Database>,
): Promise<Resources> {
  const last = known.get(db);
  if (last !== undefined && isSameVersion(last.version, await readVersion(transaction)))
    return last;
  const loaded = await loadResources(transaction, () => nextTurn());
  // A read that took long may end after another's that has seen more.
  const newest = known.get(db)?.version;
  if (
    newest === undefined ||
    newest.epoch !== loaded.version.epoch ||
    newest.seq < loaded.version.seq
  ) {
    known.set(db, loaded);
  }
  return loaded;
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
