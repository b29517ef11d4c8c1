import type { Command } from 'commander';
import { addPresentData } from '../program-tools.ts';

/** Adds the options by which a server is chosen, for commands over the management API. */
export function addServer(command: Command): void {
  command
    .option('--url <URL>', 'the address of control [RIALTO_URL]')
    .option('--profile <NAME>', 'the sign-in to use (default: default) [RIALTO_PROFILE]');
}

/** The same for commands that ask this machine's node where no server is meant. */
export function addNode(command: Command): void {
  addServer(command);
  addPresentData(command);
}
