import { CommandError } from '../../base/errors.ts';
import { parseBaseUrl } from '../../settings/parsers.ts';

/** Where a control is by default. */
export const DEFAULT_URL = 'http://localhost:8080';

/**
 * Reads the address of a control.
 *
 * @param source what it was given by, for the message.
 * @throws CommandError when it is none.
 */
export function readServerUrl(text: string, source: string): string {
  const parsed = parseBaseUrl(text);
  if (parsed.ok) return parsed.value;
  throw new CommandError(`${source} is "${text}", but must be ${parsed.expected}.`, {
    exit: 'usage',
  });
}

/**
 * Secrets and tokens travel in clear over http: that is for this machine alone.
 *
 * @param isAllowed somebody said that the way there is safe.
 * @throws CommandError when it is plain http to elsewhere.
 */
export function refuseClearText(url: string, isAllowed: boolean): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isAllowed || isLoopback(hostname)) return;
  throw new CommandError(
    `${url} is plain http to another machine, where secrets can be read on the way: give its https ` +
      'address, or say --allow-http (RIALTO_ALLOW_HTTP=1) if that way is safe.',
    { exit: 'usage' },
  );
}

/** URL has brought every spelling of an IPv4 address to four decimal numbers. */
function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  return hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
