import type { Command } from 'commander';
import { CommandError } from '../base/errors.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { addSetting, byFlag, type Options, type ProgramTools } from './program-tools.ts';

/** As many ad requests a second as a demo may send; the bench is there for more. */
const DEMO_RATE_MAX = 500;

/** Settings of a node that make sense for one that lives as long as its demo. */
const DEMO_SETTINGS = [
  'workers',
  'controlPort',
  'exchangePort',
  'trackerPort',
  'metricsPort',
  'logLevel',
] as const;

/** `rialto start` and `rialto demo`: what runs until it is stopped. */
export function addNode(program: Command, tools: ProgramTools): void {
  const start = program
    .command('start')
    .description('run this node until a signal stops it')
    .addHelpText('after', '\nA flag beats its environment variable.');
  for (const key of settingKeys()) addSetting(start, key);
  start.action(async (options: Options) => {
    const { startCommand } = await import('./start.ts');
    tools.setExitCode(await startCommand(byFlag(options), tools.environment));
  });

  const demo = program
    .command('demo')
    .description('run an exchange with simulated bidders and publishers, on this machine only')
    .option('--rate <N>', 'ad requests a second', '0.5')
    .option('--seed <TEXT>', 'what all traffic and all bids follow from', '1');
  for (const key of DEMO_SETTINGS) addSetting(demo, key);
  demo.action(async ({ rate, seed, ...options }: Options & DemoOptions) => {
    const { demoCommand } = await import('../../sim/demo/demo.ts');
    const given = { rate: readRate(rate), seed, flags: byFlag(options) };
    tools.setExitCode(await demoCommand(given, tools.environment));
  });
}

interface DemoOptions {
  readonly rate: string;
  readonly seed: string;
}

function settingKeys(): readonly (keyof Settings)[] {
  return Object.keys(SETTINGS).filter((key): key is keyof Settings => key in SETTINGS);
}

function readRate(text: string): number {
  const rate = Number(text);
  if (rate > 0 && rate <= DEMO_RATE_MAX) return rate;
  throw new CommandError(
    `--rate is ${text}; give a number of requests a second above 0, at most ${DEMO_RATE_MAX}.`,
    { exit: 'usage' },
  );
}
