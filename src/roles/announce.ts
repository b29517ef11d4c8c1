import type { Settings } from '../config/settings.ts';

/** Tells the person at the terminal that the node is ready, and where. */
export function announce(settings: Settings): void {
  const { roles, dataDirectory, workers } = settings;
  const lines = ['Rialto is ready.'];
  if (roles.includes('exchange')) {
    const processes = workers === 1 ? '1 process' : `${workers} processes`;
    lines.push(`  exchange  ${settings.exchangeUrl}/openrtb2/auction  (${processes})`);
  }
  if (roles.includes('tracker')) lines.push(`  tracker   ${settings.trackerUrl}`);
  if (roles.includes('control')) lines.push(`  control   ${settings.controlUrl}`);
  lines.push(`  data      ${dataDirectory}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
