import { Command } from 'commander';

/**
 * Lets a command that is its group's default refuse what stands in the place of a command:
 * commander takes `bidders pause` for an argument of `bidders list`.
 */
export function refuseUnknownCommands(group: Command, fallback: Command): void {
  fallback.allowExcessArguments();
  fallback.hook('preAction', () => {
    if (fallback.args.length === 0) return;
    // A group without a default, which commander refuses with its guess at what was meant.
    const strict = new Command(group.name()).copyInheritedSettings(group);
    for (const command of group.commands) strict.command(command.name());
    strict.parse(fallback.args, { from: 'user' });
    // What stands behind the default's own name may be the name of another command.
    fallback.error(`too many arguments for '${fallback.name()}'`);
  });
}
