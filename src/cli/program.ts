import { Command, CommanderError } from 'commander';
import { CommandError } from '../base/errors.ts';
import { addBidders } from './bidders-program.ts';
import { addCreatives, type ProgramTools } from './creatives-program.ts';
import { addExplain } from './explain-program.ts';
import { SETTINGS, type Setting, type Settings } from '../config/settings.ts';

/** The exit code of a command line that cannot be understood. */
const EXIT_USAGE = 2;
const EXIT_FAILED = 1;

/** As many ad requests a second as a demo may send; the bench is there for more. */
const DEMO_RATE_MAX = 500;

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

  const demo = program
    .command('demo')
    .description('run an exchange with simulated bidders and publishers, on this machine only')
    .option('--rate <N>', 'ad requests a second', '8')
    .option('--seed <TEXT>', 'what all traffic and all bids follow from', '1');
  for (const key of DEMO_SETTINGS) addSetting(demo, SETTINGS[key]);
  demo.action(async ({ rate, seed, ...options }: Flags) => {
    const { demoCommand } = await import('./demo.ts');
    exitCode = await demoCommand(
      { rate: readRate(rate), seed: seed ?? '1', flags: byFlag(options) },
      process.env,
    );
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

  const adsTxt = program
    .command('ads-txt')
    .description("print the lines for a publisher's ads.txt and app-ads.txt")
    .argument('<PUBLISHER>', "the publisher's id");
  addSetting(adsTxt, PRESENT_DATA);
  adsTxt.action(async (publisher: string, options: Flags) => {
    const { adsTxtCommand } = await import('./ads-txt.ts');
    exitCode = await adsTxtCommand(publisher, byFlag(options), process.env);
  });

  const rebuild = program
    .command('rebuild')
    .description('compute the reports of some days anew from the raw records; stop the node first')
    .option('--from <DAY>', 'the first UTC day, YYYY-MM-DD (default: today)')
    .option('--to <DAY>', 'the last UTC day (default: today)');
  addSetting(rebuild, PRESENT_DATA);
  rebuild.action(async (options: Flags) => {
    const { rebuildCommand } = await import('./rebuild.ts');
    exitCode = await rebuildCommand(byFlag(options), process.env);
  });

  const reconcile = program
    .command('reconcile')
    .description('compare journal, raw records, reports and notices of one UTC day')
    .option('--date <DAY>', 'the day, YYYY-MM-DD (default: today)')
    .option('--json', 'print one JSON document instead of tables')
    .addHelpText(
      'after',
      '\nExit code: 0 all agrees, 1 something differs, 2 nothing compared or recorded.',
    );
  for (const setting of [PRESENT_DATA, SETTINGS.internalUrl]) addSetting(reconcile, setting);
  reconcile.action(async ({ json, ...options }: Flags & { readonly json?: true }) => {
    const { reconcileCommand } = await import('./reconcile.ts');
    exitCode = await reconcileCommand(byFlag(options), process.env, json === true);
  });

  const tools: ProgramTools = {
    addPlace: (command) => {
      for (const setting of [PRESENT_DATA, SETTINGS.internalUrl]) addSetting(command, setting);
    },
    byFlag,
    setExitCode: (code) => (exitCode = code),
  };
  addBidders(program, tools);
  addCreatives(program, tools);
  addExplain(program, tools);

  const replay = program
    .command('replay')
    .description('decide recorded auctions again, as they were or otherwise, and show what changes')
    .option('--from <TIME>', 'a UTC day or time, YYYY-MM-DD or YYYY-MM-DDTHH:MM (default: today)')
    .option('--to <TIME>', 'the last day, or the time before which to end (default: today)')
    .option('--publisher <ID>', 'auctions of this publisher')
    .option('--ad-space <ID>', 'impressions of this ad space')
    .option('--partner <ID>', 'auctions in which this demand partner bid')
    .option('--floor <USD>', "a CPM in the place of the publisher's floor, for open bids")
    .option('--auction-type <TYPE>', 'first_price or second_price, for open bids')
    .option('--limit <N>', 'of more auctions take a sample (default: 1000000)')
    .option('--seed <TEXT>', 'what the sample follows from (default: 1)')
    .option('--json', 'print one JSON document instead of tables')
    .addHelpText(
      'after',
      '\nExit code: 0 all agree with their records, 1 one does not, 2 none decided.',
    );
  for (const setting of [PRESENT_DATA, SETTINGS.internalUrl]) addSetting(replay, setting);
  replay.action(async ({ json, ...options }: Flags & { readonly json?: true }) => {
    const { replayCommand } = await import('./replay.ts');
    exitCode = await replayCommand(byFlag(options), process.env, json === true);
  });

  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error);
  }
}

/** Settings of a node that make sense for one that lives as long as its demo. */
const DEMO_SETTINGS = [
  'workers',
  'controlPort',
  'exchangePort',
  'trackerPort',
  'logLevel',
] as const;

/** For commands that make none. */
const PRESENT_DATA = { ...SETTINGS.dataDirectory, description: 'the data directory of the node' };

function readRate(text = ''): number {
  const rate = Number(text);
  if (rate > 0 && rate <= DEMO_RATE_MAX) return rate;
  throw new CommandError(
    `--rate is ${text}; give a number of requests a second above 0, at most ${DEMO_RATE_MAX}.`,
  );
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
