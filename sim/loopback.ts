import { isIPv4 } from 'node:net';

/**
 * The address of a server on this machine. Throws a RangeError for anything else, so that no
 * simulator can be turned on somebody's real server.
 */
export function assertLoopback(address: string): URL {
  const url = loopbackUrl(address);
  if (url === undefined) {
    throw new RangeError(`load is sent to http on this machine only, not to ${address}`);
  }
  return url;
}

/** The same, or undefined for anything else. */
export function loopbackUrl(address: string): URL | undefined {
  const url = URL.parse(address);
  // URL has normalised the host: `127.1` and `0x7f.1` arrive here as `127.0.0.1`.
  const host = url?.hostname ?? '';
  const local =
    host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
  return url !== null && url.protocol === 'http:' && local ? url : undefined;
}
