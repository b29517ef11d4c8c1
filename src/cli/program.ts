import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { addAdsTxt } from './ads-txt-program.ts';
import { addAnalytics } from './analytics-program.ts';
import { addApi } from './api-program.ts';
import { addApply, addExport } from './apply-program.ts';
import { addBidders } from './bidders-program.ts';
import { addQuarantine } from './quarantine-program.ts';
import { addCopyStore } from './copy-store-program.ts';
import { addCreatives } from './creatives-program.ts';
import { addDoctor } from './doctor-program.ts';
import { addExplain } from './explain-program.ts';
import { addExports } from './export-program.ts';
import { addGet } from './get-program.ts';
import { addLogin } from './login-program.ts';
import { addNode } from './node-program.ts';
import type { Flags, ProgramTools } from './program-tools.ts';
import { addRecover } from './recover-program.ts';
import { addStatus } from './status-program.ts';
import { shownLines } from './terminal-text.ts';

/**
 * The `rialto` command. Each command is loaded only when it is called.
 *
 * @param argv what stands behind `rialto` on the command line.
 * @returns the exit code, of the table in `base/exit-codes.ts`.
 */
export async function runCli(
  argv: readonly string[],
  environment: Flags = process.env,
): Promise<number> {
  let exitCode = exitCodeOf('done');
  const program = buildProgram({
    environment,
    setExitCode: (code) => (exitCode = code),
  });
  const refused = new Set<Command>();
  for (const command of commandsOf(program)) {
    command.exitOverride((error) => {
      refused.add(command);
      throw error;
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, [...refused].map((command) => typedName(command, argv)).at(-1));
  }
}

function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** The name of a command as far as it was typed: a group's default runs without its own. */
function typedName(command: Command, argv: readonly string[]): string {
  const names: string[] = [];
  for (let each = command; each.parent !== null; each = each.parent) names.unshift(each.name());
  const untyped = names.findIndex((name) => !argv.includes(name));
  return ['rialto', ...(untyped === -1 ? names : names.slice(0, untyped))].join(' ');
}

/** All commands with their options, which the reference is written from as well. */
export function buildProgram(tools: ProgramTools): Command {
  const program = new Command('rialto')
    .description('An open ad exchange.')
    .version(packageJson.version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  addNode(program, tools);
  addDoctor(program, tools);
  addStatus(program, tools);
  addLogin(program, tools);
  addApply(program, tools);
  addExport(program, tools);
  addCopyStore(program, tools);
  addRecover(program, tools);
  addGet(program, tools);
  addApi(program, tools);
  addBidders(program, tools);
  addQuarantine(program, tools);
  addCreatives(program, tools);
  addExplain(program, tools);
  addAnalytics(program, tools);
  addExports(program, tools);
  addAdsTxt(program, tools);
  return program;
}

function report(error: unknown, command = 'rialto'): number {
  if (error instanceof CommandError) {
    // Messages quote servers and files, which must not command a terminal.
    console.error(shownLines(error.message));
    return error.exitCode;
  }
  if (!(error instanceof CommanderError)) throw error;
  // Help that was asked for is no failure, help instead of a command is.
  if (PRINTED.has(error.code)) return exitCodeOf('done');
  if (error.code !== 'commander.help') {
    console.error(shownLines(usageLine(error.message, command)));
  }
  return exitCodeOf('usage');
}

const PRINTED = new Set(['commander.helpDisplayed', 'commander.version']);

const NO_SECRET_OPTION =
  'A secret is no option, which every user of the machine could see: set RIALTO_CLIENT_SECRET, ' +
  'send it as the first line of the input, or type it when you are asked.';

/** Commander's message in one line, with its guess at what was meant. */
function usageLine(message: string, command: string): string {
  // What was typed may hold the secret itself, which is not repeated.
  if (/^error: unknown option '--(client-)?secret[=']/.test(message)) return NO_SECRET_OPTION;
  const [problem = '', guess] = message.replace(/^error: /, '').split('\n');
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}`;
  return `${sentence}${guess === undefined ? `; see ${command} --help.` : `. ${guess}`}`;
}
