import { CommandError } from '../base/errors.ts';
import { readStorePlace } from '../settings/read-settings.ts';
import { compileSnapshot } from '../configuration/compile.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';
import { adsTxtLines } from '../exchange/sellers.ts';
import { assertDataDirectory } from './data-directory.ts';
import { showJson, shownLines } from './terminal-text.ts';

/**
 * `rialto ads-txt PUBLISHER`: prints the lines that a publisher puts into ads.txt and app-ads.txt, as
 * the configuration store of a data directory has it; whether or not an exchange is running on it.
 *
 * @returns the exit code.
 * @throws CommandError when there is no such publisher, or the exchange has no domain.
 */
export async function adsTxtCommand(
  { publisherId, asJson }: { readonly publisherId: string; readonly asJson: boolean },
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const place = readStorePlace(flags, environment);
  if (place.databaseUrl === null) assertDataDirectory(place.dataDirectory);
  const db = await openConfigurationStore(place);
  try {
    const { entities } = await compileSnapshot(db);
    const exchange = entities.find((entity) => entity.kind === 'exchange');
    const publisher = entities.find(
      (entity) => entity.kind === 'publisher' && String(entity.id) === publisherId,
    );
    if (exchange === undefined) throw new Error('a configuration without exchange settings');
    if (publisher?.kind !== 'publisher') {
      throw new CommandError(`There is no publisher ${publisherId}; give the id of one.`, {
        exit: 'not_found',
      });
    }
    const lines = adsTxtLines(exchange, publisher);
    if (lines.length === 0) {
      throw new CommandError(
        'The exchange has no domain; set exchange.domain in the configuration file.',
      );
    }
    const text = shownLines(lines.join('\n'));
    console.log(asJson ? showJson({ publisher: Number(publisherId), lines }) : text);
    return 0;
  } finally {
    await db.destroy();
  }
}
