import { Option, type Command } from 'commander';
import {
  addJson,
  addPresentData,
  addSetting,
  placeOf,
  type Options,
  type ProgramTools,
} from './program-tools.ts';

/** `rialto recover`. */
export function addRecover(program: Command, tools: ProgramTools): void {
  const recover = program
    .command('recover')
    .description('print a one-time link for a user who cannot sign in, such as the last operator')
    .argument('<EMAIL>', 'the user')
    .addOption(
      new Option('--lost <WHAT>', 'what the link replaces or removes')
        .choices(['second-factor', 'password'])
        .default('second-factor'),
    )
    .addHelpText(
      'after',
      '\nIt works on the store of this machine, of a running node too: the database of RIALTO_DATABASE_URL,' +
        '\nor the data directory. Operators make links for others in the console.',
    );
  addPresentData(recover);
  addSetting(recover, 'controlUrl');
  addSetting(recover, 'controlPort');
  addJson(recover);
  recover.action(async (email: string, { json, lost, ...options }: Options) => {
    const { recoverCommand } = await import('./recover.ts');
    const purpose = lost === 'password' ? 'password' : 'second_factor';
    const given = { email, purpose, asJson: json === true } as const;
    tools.setExitCode(await recoverCommand(given, placeOf(options, tools)));
  });
}
