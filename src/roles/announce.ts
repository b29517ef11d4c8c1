import type { Settings } from '../settings/settings.ts';
import { metricsUrl } from './reachable.ts';

/** How a node has started. */
export interface NodeStart {
  /** Where the first operator is made; null where there is one. */
  readonly firstOperatorUrl: string | null;
  /** False for a node that serves from the snapshot on its disk until control is there. */
  readonly controlServes: boolean;
}

/** Tells the person at the terminal that the node is ready, and where. */
export function announce(settings: Settings, start: NodeStart): void {
  const { roles, dataDirectory, workers } = settings;
  const lines = ['Rialto is ready.'];
  if (roles.includes('exchange')) {
    const processes = workers === 1 ? '1 process' : `${workers} processes`;
    lines.push(`  exchange  ${settings.exchangeUrl}/openrtb2/auction  (${processes})`);
  }
  if (roles.includes('tracker')) lines.push(`  tracker   ${settings.trackerUrl}`);
  if (roles.includes('control')) {
    const state = start.controlServes
      ? ''
      : '  (does not serve yet: its log says why; it is tried again)';
    lines.push(`  control   ${settings.controlUrl}${state}`);
  }
  if (roles.includes('control') && settings.console !== 'off') {
    lines.push(`  console   ${settings.controlUrl}/`);
  }
  lines.push(`  metrics   ${metricsUrl(settings)}`);
  lines.push(`  data      ${dataDirectory}`);
  process.stdout.write(`${lines.join('\n')}\n`);
  if (start.firstOperatorUrl !== null) announceFirstOperator(start.firstOperatorUrl);
}

/** Tells where the first operator is made. */
export function announceFirstOperator(url: string): void {
  process.stdout.write(
    'Nobody manages this exchange yet. Create the first operator at this address, which\n' +
      `works once, for 24 hours:\n  ${url}\n`,
  );
}
