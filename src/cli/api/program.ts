import type { Command } from 'commander';

/** Adds the options by which a server is chosen, for commands over the management API. */
export function addServer(command: Command): void {
  command
    .option('--url <URL>', 'the address of control [RIALTO_URL]')
    .option('--profile <NAME>', 'the sign-in to use (default: default) [RIALTO_PROFILE]');
}
