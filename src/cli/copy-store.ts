import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { readStorePlace } from '../settings/read-settings.ts';
import { copyStore } from '../configuration/copy.ts';
import { nameDatabase, openConfigurationStore } from '../roles/configuration-store.ts';
import { lockDataDirectory } from '../roles/data-lock.ts';
import type { CommandPlace } from './program-tools.ts';
import { showJson } from './terminal-text.ts';

/**
 * `rialto copy-store`: copies the configuration store of a data directory, whose node is stopped, into
 * the PostgreSQL database that `RIALTO_DATABASE_URL` names.
 *
 * @returns the exit code.
 * @throws CommandError when a store is missing, in use or not empty.
 */
export async function copyStoreCommand(
  asJson: boolean,
  { flags, environment }: CommandPlace,
): Promise<number> {
  const { dataDirectory, databaseUrl } = readStorePlace(flags, environment);
  if (databaseUrl === null) {
    throw new CommandError('Name the database to copy to with RIALTO_DATABASE_URL.', {
      exit: 'usage',
    });
  }
  if (!existsSync(join(dataDirectory, 'configuration.sqlite'))) {
    throw new CommandError(
      `The data directory ${dataDirectory} holds no configuration store; name it with --data.`,
      { exit: 'not_found' },
    );
  }
  // What a node changed meanwhile would be lost.
  const lock = lockDataDirectory(dataDirectory);
  try {
    const from = await openConfigurationStore({ dataDirectory, databaseUrl: null });
    try {
      const to = await openConfigurationStore({ dataDirectory, databaseUrl });
      try {
        const copied = await copyStore(from, to);
        if (!copied.ok) throw new CommandError('The database holds a configuration already.');
        const text = `${copied.rows} rows were copied; nodes use them with RIALTO_DATABASE_URL.`;
        const database = await nameDatabase(databaseUrl);
        console.log(asJson ? showJson({ rows: copied.rows, database }) : text);
        return exitCodeOf('done');
      } finally {
        await to.destroy();
      }
    } finally {
      await from.destroy();
    }
  } finally {
    lock.release();
  }
}
