import { Readable } from 'node:stream';
import { CommandError } from '../base/errors.ts';
import { exportConfiguration } from '../configuration/export-file.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';
import { inspectConfigurationStore } from '../commands/inspect-store.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import { chooseTarget } from './api/choose-target.ts';
import { ApiClient } from './api/client.ts';
import { writeOut, type ExportPlace } from './exports.ts';

/**
 * `rialto export`: the whole configuration of a server, a database or a data directory as a file that
 * `rialto apply` takes, without secrets.
 *
 * @returns the exit code.
 * @throws CommandError when there is none, or the file cannot be written.
 */
export async function exportCommand(place: ExportPlace): Promise<number> {
  const target = chooseTarget(place);
  const body =
    target.kind === 'server'
      ? await new ApiClient(target.access).stream({
          method: 'GET',
          path: '/api/configuration/',
          headers: { accept: 'application/yaml' },
        })
      : Readable.from([await exportHere(target.place)]);
  return writeOut(body, place.file);
}

async function exportHere(place: StorePlace): Promise<string> {
  if ((await inspectConfigurationStore(place)).state === 'missing') {
    throw new CommandError(
      'There is no configuration store: name the data directory with --data, or a server with --url.',
      { exit: 'not_found' },
    );
  }
  const db = await openConfigurationStore(place);
  try {
    return await exportConfiguration(db);
  } finally {
    await db.destroy();
  }
}
