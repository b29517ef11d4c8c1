import type { Command } from 'commander';
import { EXITS } from '../../src/base/exit-codes.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { table } from './table.ts';

/** As wide as a window is by default. */
const HELP_WIDTH = 80;

const SHARED = `
## What all commands share

- \`--json\` prints one JSON document on the standard output, in place of text for people. Messages about what
  went wrong are words on the error output, with or without it.
- What others wrote (names, reasons, addresses) commands no terminal: control characters are shown as their codes.
- Secrets are never options, because every user of the machine sees the command line.

## Which server, which sign-in

\`get\`, \`api\`, \`apply\`, \`export\`, \`status\`, \`bidders\`, \`creatives\`, \`explain\` and \`quarantine\` work over the management API. The first of these that is there is used:

1. \`--profile NAME\`: a stored sign-in. \`RIALTO_PROFILE\` names one where nothing else is said.
2. \`RIALTO_TOKEN\`: an access token, for the server at \`--url\`, \`RIALTO_URL\` or http://localhost:8080.
3. \`RIALTO_CLIENT_ID\` and \`RIALTO_CLIENT_SECRET\`, for the same server: a token is got for the command alone, with
   the scope in \`RIALTO_SCOPE\` (\`read write\`).
4. The stored sign-in at \`--url\` or \`RIALTO_URL\`; where neither is given, the profile \`default\`.

\`rialto login\` stores sign-ins in \`rialto/credentials.json\` below \`XDG_CONFIG_HOME\` (\`~/.config\`), which nobody but its
owner can read; a file that others can read is refused. The secret is stored as well, so that tokens renew by
themselves, unless \`--forget-secret\` says otherwise ([why](../decisions/0020-cli-sign-in.md)). Plain http to another machine
is refused, unless \`--allow-http\` or \`RIALTO_ALLOW_HTTP=1\` says that the way there is safe. A token or a secret goes to
the server that it is for, and redirects are not followed.

\`bidders\`, \`creatives\`, \`explain\` and \`quarantine\` need no sign-in on the machine of control: they use a token that
control leaves in its data directory at each start, for connections from the machine itself alone. The audit log
calls who uses it \`local\`. \`apply\`, \`export\` and \`status\` do without control, too. For all of these \`--url\` and \`--profile\` mean a server, \`--data\` (and the ports of
\`status\`) this machine. Where the command line names neither, the environment says it: \`RIALTO_URL\`,
\`RIALTO_PROFILE\`, \`RIALTO_TOKEN\` or \`RIALTO_CLIENT_SECRET\`, or \`RIALTO_DATA\` or \`RIALTO_DATABASE_URL\`; both
kinds together are refused. Else it is the server of the profile \`default\`, and for who has not signed in this
machine. What it was is said. On this machine the configuration store is the database of \`RIALTO_DATABASE_URL\`
where that is set, else a file in the data directory.
`.trim();

/** `docs/reference/cli.md`: what every command says of itself, and the exit codes. */
export function cliReference(): string {
  const program = buildProgram({ environment: {}, setExitCode: () => {} });
  const rows = Object.values(EXITS).map(({ code, meaning }) => [String(code), meaning]);
  return [
    '# The `rialto` command',
    '',
    '<!-- Written by "npm run gen" from src/cli and src/base/exit-codes.ts; change it there. -->',
    '',
    "Every command's own help, as `rialto COMMAND --help` prints it. `rialto --version` prints the version.",
    '',
    '## Exit codes',
    '',
    ...table(['Code', 'Meaning'], rows),
    '',
    '`reconcile` and `replay` end with 1 only when something differs.',
    '',
    SHARED,
    '',
    ...program.commands.flatMap((command) => [
      `## ${nameOf(command)}`,
      '',
      ...sectionOf(command),
      ...command.commands.flatMap((below) => [`### ${nameOf(below)}`, '', ...sectionOf(below)]),
    ]),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function sectionOf(command: Command): string[] {
  let help = '';
  command.configureOutput({
    getOutHelpWidth: () => HELP_WIDTH,
    getOutHasColors: () => false,
    writeOut: (text) => (help += text),
  });
  command.outputHelp();
  return ['```', help.trim(), '```', ''];
}
