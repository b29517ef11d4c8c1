import type { Settings } from '../config/settings.ts';
import { metricsUrl } from './node-settings.ts';

/**
 * Tells the person at the terminal that the node is ready, and where.
 *
 * @param firstOperatorUrl where the first operator is made; null where there is one.
 */
export function announce(settings: Settings, firstOperatorUrl: string | null): void {
  const { roles, dataDirectory, workers } = settings;
  const lines = ['Rialto is ready.'];
  if (roles.includes('exchange')) {
    const processes = workers === 1 ? '1 process' : `${workers} processes`;
    lines.push(`  exchange  ${settings.exchangeUrl}/openrtb2/auction  (${processes})`);
  }
  if (roles.includes('tracker')) lines.push(`  tracker   ${settings.trackerUrl}`);
  if (roles.includes('control')) lines.push(`  control   ${settings.controlUrl}`);
  if (roles.includes('control') && settings.console !== 'off') {
    lines.push(`  console   ${settings.controlUrl}/`);
  }
  lines.push(`  metrics   ${metricsUrl(settings)}`);
  lines.push(`  data      ${dataDirectory}`);
  if (firstOperatorUrl !== null) {
    lines.push(
      'Nobody manages this exchange yet. Create the first operator at this address, which',
    );
    lines.push(`works once, for 24 hours:\n  ${firstOperatorUrl}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
