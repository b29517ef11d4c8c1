import type { Command } from 'commander';
import {
  addJson,
  addPresentData,
  byFlag,
  type Options,
  type ProgramTools,
} from './program-tools.ts';

/** `rialto ads-txt`. */
export function addAdsTxt(program: Command, tools: ProgramTools): void {
  const adsTxt = program
    .command('ads-txt')
    .description("print the lines for a publisher's ads.txt and app-ads.txt")
    .argument('<PUBLISHER>', "the publisher's id");
  addJson(adsTxt);
  addPresentData(adsTxt);
  adsTxt.action(async (publisher: string, { json, ...options }: Options) => {
    const { adsTxtCommand } = await import('./ads-txt.ts');
    const given = { publisherId: publisher, asJson: json === true };
    tools.setExitCode(await adsTxtCommand(given, byFlag(options), tools.environment));
  });
}
