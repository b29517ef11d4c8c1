import type { Registry } from 'prom-client';
import { keyRingAt } from '../beacons/key-ring.ts';
import { UserCookies } from '../matching/user-cookies.ts';
import type { UserParts } from './user-matching.ts';
import { createUserMetrics } from './user-metrics.ts';

/** When the tests of user matching take place, Unix time in seconds. */
export const NOW_S = 1_800_000_000;

/** No two browsers of a test file have the same id. */
let browsers = 0;

/** The parts of user matching for tests, with keys and chance that are always the same. */
export function someUsers(registry: Registry, nowS: () => number = () => NOW_S): UserParts {
  const key = { id: 7, secret: Buffer.alloc(32, 7), sealsFromMs: 0 };
  const keys = { ring: keyRingAt([key], 1) };
  let drawn = 0;
  const drawNonce = (): Buffer => {
    drawn += 1;
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(drawn);
    return nonce;
  };
  return {
    cookies: new UserCookies({ keys, drawNonce, nowS }),
    keys,
    metrics: createUserMetrics(registry),
    exchangeUrl: 'https://exchange.example',
    drawBrowser: () => {
      browsers += 1;
      return browsers.toString(16).padStart(16, '0');
    },
    nowS,
  };
}
