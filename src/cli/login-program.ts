import type { Command } from 'commander';
import { addServer } from './api/program.ts';
import { addJson, placeOf, type Options, type ProgramTools } from './program-tools.ts';

/** `rialto login` and `rialto logout`. */
export function addLogin(program: Command, tools: ProgramTools): void {
  const login = program
    .command('login')
    .description('sign in at a server with the id and the secret of an application')
    .option('--client-id <ID>', "the application's id; asked for if unset [RIALTO_CLIENT_ID]")
    .option('--scope <SCOPE>', "read, or 'read write' (default: read write) [RIALTO_SCOPE]")
    .option('--forget-secret', 'keep the token alone: the sign-in ends with it, in an hour')
    .option('--allow-http', 'plain http to another machine is safe here [RIALTO_ALLOW_HTTP=1]')
    .addHelpText(
      'after',
      '\nThe secret is asked for, or taken from RIALTO_CLIENT_SECRET or the first line of the input:' +
        '\nnever from the command line, which every user of the machine can see.',
    );
  addServer(login);
  addJson(login);
  login.action(async ({ json, forgetSecret, allowHttp, ...options }: Options) => {
    const { signIn } = await import('./login.ts');
    const switches = {
      asJson: json === true,
      forgetsSecret: forgetSecret === true,
      allowsHttp: allowHttp === true,
    };
    tools.setExitCode(await signIn(switches, placeOf(options, tools)));
  });

  const logout = program
    .command('logout')
    .description('end a sign-in: its token is revoked, and nothing of it is kept');
  addServer(logout);
  addJson(logout);
  logout.action(async ({ json, ...options }: Options) => {
    const { logoutCommand } = await import('./logout.ts');
    tools.setExitCode(await logoutCommand(json === true, placeOf(options, tools)));
  });
}
