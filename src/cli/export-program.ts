import { Option, type Command } from 'commander';
import { addServer } from './api/program.ts';
import type { ExportPlace } from './exports.ts';
import { addJson, placeOf, type Options, type ProgramTools } from './program-tools.ts';

/** `rialto report`, `log`, `statement` and `compare`: what an account takes away. */
export function addExports(program: Command, tools: ProgramTools): void {
  addReport(program, tools);
  addLog(program, tools);
  addStatement(program, tools);
  addCompare(program, tools);
}

function addReport(program: Command, tools: ProgramTools): void {
  const report = program
    .command('report')
    .description('write the daily report of a demand partner or publisher, as CSV')
    .argument('<SIDE>', 'demand or supply')
    .option('--from <DAY>', 'the first UTC day, YYYY-MM-DD')
    .option('--to <DAY>', 'the last UTC day')
    .option('--group-by <DIMENSIONS>', 'one, or several with commas between them (default: date)');
  addForms(report);
  report.action(async (side: string, { json, csv: _csv, ...options }: Options) => {
    const { reportCommand } = await import('./exports.ts');
    tools.setExitCode(await reportCommand(side, json === true, exportPlaceOf(options, tools)));
  });
}

function addLog(program: Command, tools: ProgramTools): void {
  const log = program
    .command('log')
    .description('write what happened to a demand partner or publisher on a day, as JSON lines')
    .option('--date <DAY>', 'the UTC day, YYYY-MM-DD')
    .option('--hour <HOUR>', 'this UTC hour of it only, 0 to 23')
    .option('--from <TIME>', 'what was from this time on, YYYY-MM-DDTHH:MM:SSZ');
  addFile(log);
  log.action(async (options: Options) => {
    const { logCommand } = await import('./exports.ts');
    tools.setExitCode(await logCommand(exportPlaceOf(options, tools)));
  });
}

function addStatement(program: Command, tools: ProgramTools): void {
  const statement = program
    .command('statement')
    .description("write a demand partner's or publisher's statement for a month, as CSV")
    .option('--month <MONTH>', 'the month, YYYY-MM');
  addForms(statement);
  statement.action(async ({ json, csv: _csv, ...options }: Options) => {
    const { statementCommand } = await import('./exports.ts');
    tools.setExitCode(await statementCommand(json === true, exportPlaceOf(options, tools)));
  });
}

function addCompare(program: Command, tools: ProgramTools): void {
  const compare = program
    .command('compare')
    .description('compare counts of your own, by day, with those of the reports')
    .argument('<FILE>', 'a CSV with date and some of impressions, clicks, wins, revenue; or -')
    .option('--month <MONTH>', 'of this month, YYYY-MM')
    .option('--from <DAY>', 'or from this UTC day, YYYY-MM-DD')
    .option('--to <DAY>', 'to this one')
    .addHelpText('after', '\nExit code: 0 all agree, 1 a day differs; never 1 otherwise.');
  addAccount(compare);
  addJson(compare);
  compare.action(async (file: string, { json, ...options }: Options) => {
    const { compareCommand } = await import('./exports.ts');
    tools.setExitCode(await compareCommand(file, json === true, placeOf(options, tools)));
  });
}

/** Both forms can be named; CSV is what spreadsheets and billing systems take. */
function addForms(command: Command): void {
  addFile(command);
  command.addOption(new Option('--csv', 'as CSV, which it is anyway').conflicts('json'));
  addJson(command);
}

function addFile(command: Command): void {
  command.option('--out <FILE>', 'write to a file, which is there whole or not at all');
  addAccount(command);
}

function addAccount(command: Command): void {
  command
    .option('--demand-partner <ID>', "whose (default: the caller's own)")
    .option('--publisher <ID>', "whose (default: the caller's own)");
  addServer(command);
}

function exportPlaceOf({ out, ...options }: Options, tools: ProgramTools): ExportPlace {
  return { ...placeOf(options, tools), file: typeof out === 'string' ? out : null };
}
