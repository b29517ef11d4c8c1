import { fileURLToPath } from 'node:url';
import type { ConsoleParts } from '../site/console/routes.ts';
import { ConsoleSource } from '../site/console/source.ts';
import type { RoleContext } from './child.ts';
import { ConsoleBuild } from './console-build.ts';

const DIST = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** Composes the web console; null where the node's settings say that there is none. */
export function composeConsole(
  context: Pick<RoleContext, 'settings' | 'logger' | 'onDrain' | 'onNodeReady'>,
  addresses: Pick<ConsoleParts, 'authUrl' | 'exchangeUrl'>,
): ConsoleParts | null {
  const { settings, logger } = context;
  if (settings.console === 'off') return null;
  const source = new ConsoleSource({
    directory: DIST,
    now: () => performance.now(),
    onUnreadable: (error) => logger.error({ err: error }, 'the console cannot be read'),
  });
  if (settings.console === 'serve') {
    return { ...addresses, source, buildState: () => ({ state: 'idle' }) };
  }
  const build = new ConsoleBuild({ logger, onBuilt: () => source.lookAgain() });
  context.onNodeReady(() => build.start());
  context.onDrain(() => build.stop());
  return { ...addresses, source, buildState: () => build.state };
}
