import { SETTINGS, type Setting } from '../../src/settings/settings.ts';
import { table } from './table.ts';

/** `docs/reference/configuration.md`: a row for every option of `rialto start`. */
export function settingsReference(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const rows = settings.map(({ flag, argument, environment, description, fallback }) => [
    flag === null ? '–' : `\`${flag} ${argument}\``,
    `\`${environment}\``,
    fallback === null || fallback === '' ? '–' : `\`${fallback}\``,
    description,
  ]);
  return [
    '# Settings of a node',
    '',
    '<!-- Written by "npm run gen" from src/settings/settings.ts; change it there. -->',
    '',
    'What `rialto start` can be told. A flag beats its environment variable, which beats the default.',
    'The exchange itself (partners, publishers, deals) is described by',
    '[the configuration file](configuration-file.md).',
    '',
    ...table(['Flag', 'Environment', 'Default', 'Meaning'], rows),
    '',
  ].join('\n');
}
