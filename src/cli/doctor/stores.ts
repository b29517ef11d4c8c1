import type { StorePlace } from '../../settings/read-settings.ts';
import { nameDatabase } from '../../roles/configuration-store.ts';
import {
  inspectConfigurationStore,
  isAnalyticsStoreInUse,
  type InspectedStore,
} from '../../commands/inspect-store.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const CHECK = 'configuration store';

/** What was found of a store, and what it holds where it can be read. */
export interface CheckedStore {
  readonly finding: Finding;
  readonly store: InspectedStore | null;
}

/** The configuration store, which is not changed by this. The password of a database is not told. */
export async function checkConfigurationStore(place: StorePlace): Promise<CheckedStore> {
  const inspection = await inspectConfigurationStore(place);
  const { databaseUrl } = place;
  const { where, kept, restore } =
    databaseUrl === null ? IN_FILE : inDatabase(await nameDatabase(databaseUrl));
  switch (inspection.state) {
    case 'missing': {
      const next = 'Run rialto apply FILE; examples/exchange.yaml is one to begin with.';
      return { finding: warn(CHECK, `There is none yet${where}.`, next), store: null };
    }
    case 'older': {
      const message = `The one${where} was made by an earlier version, and is brought to this one by the next start.`;
      const next = `Copy ${kept} first if you may want to go back; then rialto start.`;
      return { finding: warn(CHECK, message, next), store: null };
    }
    case 'newer': {
      const message = `A newer version of Rialto made the one${where}.`;
      const next = 'Start the version of Rialto that wrote it, or a later one.';
      return { finding: fail(CHECK, message, next), store: null };
    }
    case 'unreachable': {
      const message = `It is not usable: ${inspection.reason}.`;
      const next = 'Start the PostgreSQL that RIALTO_DATABASE_URL names, or correct the address.';
      return { finding: fail(CHECK, message, next), store: null };
    }
    case 'damaged': {
      const message = `The one${where} cannot be read: ${inspection.reason}.`;
      return { finding: fail(CHECK, message, restore), store: null };
    }
    case 'present': {
      const { store } = inspection;
      const message = `The one${where} is sound, at version ${store.version}.`;
      return { finding: ok(CHECK, message), store };
    }
  }
}

/** How a store is called, after what is said of it. */
interface StoreWords {
  readonly where: string;
  readonly kept: string;
  readonly restore: string;
}

const IN_FILE: StoreWords = {
  where: ' in the data directory',
  kept: 'configuration.sqlite',
  restore: 'Stop the node and restore configuration.sqlite from a backup.',
};

function inDatabase(database: string): StoreWords {
  return {
    where: ` in the PostgreSQL database ${database}`,
    kept: 'the database',
    restore:
      "Look at the server's log, and whether the user of RIALTO_DATABASE_URL may read the tables.",
  };
}

/** The analytics store belongs to one process at a time, which is control. */
export function checkAnalyticsStore(dataDirectory: string, isRunning: boolean): Finding {
  const check = 'analytics store';
  const isInUse = isAnalyticsStoreInUse(dataDirectory);
  if (isInUse === null) return ok(check, 'There is none yet; control makes it.');
  if (isInUse === isRunning) {
    return ok(check, isInUse ? 'Control has it open.' : 'Nobody has it open.');
  }
  if (isRunning) {
    const next = "Look again in some seconds; then into control's log.";
    return warn(check, 'The node runs, and control does not have the store open.', next);
  }
  const next = 'Wait for the rialto command that uses it, or end the process that was left behind.';
  return warn(check, 'No node runs, and yet a process has the store open.', next);
}
