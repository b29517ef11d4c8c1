import { Command, CommanderError } from 'commander';
import { CommandError } from '../base/errors.ts';
import { SETTINGS, type Setting, type Settings } from '../config/settings.ts';

/** The exit code of a command line that cannot be understood. */
const EXIT_USAGE = 2;
const EXIT_FAILED = 1;

type Flags = Readonly<Record<string, string | undefined>>;

/**
 * The `rialto` command. Each command is loaded only when it is called.
 *
 * @param argv what stands behind `rialto` on the command line.
 * @returns the exit code: 0, 1 when the command failed, 2 when it was not understood.
 */
export async function runCli(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('rialto')
    .description('An open ad exchange.')
    .exitOverride()
    .configureOutput({ outputError: () => {} });

  const start = program
    .command('start')
    .description('run this node until a signal stops it')
    .addHelpText('after', '\nA flag beats its environment variable.');
  for (const key of settingKeys()) addSetting(start, SETTINGS[key]);
  start.action(async (options: Flags) => {
    const { startCommand } = await import('./start.ts');
    exitCode = await startCommand(byFlag(options), process.env);
  });

  const apply = program
    .command('apply')
    .description('bring the configuration to what a file says; all of it or nothing')
    .argument('<FILE>', 'a YAML file like examples/exchange.yaml');
  addSetting(apply, SETTINGS.dataDirectory);
  apply.action(async (file: string, options: Flags) => {
    const { applyCommand } = await import('./apply.ts');
    exitCode = await applyCommand(file, byFlag(options), process.env);
  });

  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommandError) {
    console.error(error.message);
    return EXIT_FAILED;
  }
  if (!(error instanceof CommanderError)) throw error;
  // Help that was asked for is no failure, help instead of a command is.
  if (error.code === 'commander.helpDisplayed') return 0;
  if (error.code !== 'commander.help') console.error(usageLine(error.message));
  return EXIT_USAGE;
}

/** Commander's message in one line, with its guess at what was meant. */
function usageLine(message: string): string {
  const [problem = '', guess] = message.replace(/^error: /, '').split('\n');
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}`;
  return `${sentence}${guess === undefined ? '; see rialto --help.' : `. ${guess}`}`;
}

function settingKeys(): readonly (keyof Settings)[] {
  return Object.keys(SETTINGS).filter((key): key is keyof Settings => key in SETTINGS);
}

function addSetting(command: Command, setting: Setting<unknown>): void {
  const { flag, argument, environment, description, fallback } = setting;
  if (flag === null) return;
  const suffix = fallback === null || fallback === '' ? '' : ` (default: ${fallback})`;
  command.option(`${flag} <${argument}>`, `${description}${suffix} [${environment}]`);
}

/** Commander names options in camel case; the settings know them by their flag. */
function byFlag(options: Flags): Flags {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      value,
    ]),
  );
}
