import type { Command } from 'commander';
import { addServer } from './api/program.ts';
import { placeOf, type Options, type ProgramTools } from './program-tools.ts';

/** `rialto api`. */
export function addApi(program: Command, tools: ProgramTools): void {
  const api = program
    .command('api')
    .description('call any address of the management API, and print what it answers')
    .argument('<METHOD>', 'GET, POST, PATCH, PUT or DELETE')
    .argument('<PATH>', 'such as /self/; what does not begin with /api is below it')
    .option('--data <JSON>', 'the body: JSON, @FILE, or - for the input')
    .option('--query <NAME=VALUE>', 'a parameter of the query; may be repeated', collect, [])
    .option('--header <NAME:VALUE>', 'a header; may be repeated', collect, [])
    .option('--include', 'print the status and the headers as well')
    .addHelpText(
      'after',
      '\nExamples:' +
        '\n  rialto api GET /demand-partners/1001/line-items/xch/ --query status=ACTIVE' +
        `\n  rialto api PATCH /demand-partners/1001/line-items/xch/501/ --data '{"status":"PAUSED"}'` +
        '\n  rialto api PUT /configuration/ --data @exchange.yaml --header content-type:application/yaml',
    );
  addServer(api);
  api.action(async (method: string, path: string, options: Options & Lists) => {
    const { data, query, header, include, ...rest } = options;
    const { apiCommand } = await import('./api.ts');
    const given = { method, path, data, query, headers: header, includes: include === true };
    tools.setExitCode(await apiCommand(given, placeOf(textsOf(rest), tools)));
  });
}

interface Lists {
  readonly data: string | undefined;
  readonly query: readonly string[];
  readonly header: readonly string[];
}

/** Gathers an option that may be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Without lists, which are no settings. */
function textsOf(options: object): Options {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => typeof value === 'string'),
  );
}
