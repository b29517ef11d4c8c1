import { IP_LENGTH_MAX, parseIpAddress } from '../privacy/ip-address.ts';
import type { AddressSet } from './address-set.ts';
import { BoundedCache } from '../base/bounded-cache.ts';
import { UA_LENGTH_MAX } from './device.ts';
import type { IsSpider } from './spiders.ts';

/** What nobody looks at: a spider by its user agent, or a data center by its address. */
export type InvalidTraffic = 'spider' | 'datacenter';

/** Tells invalid traffic by user agent and address, null where one is not known. It never throws. */
export type FindInvalidTraffic = (ua: string | null, ip: string | null) => InvalidTraffic | null;

export interface TrafficLists {
  readonly isSpider: IsSpider;
  readonly dataCenters: AddressSet;
}

/**
 * Makes a finder that remembers up to `cacheEntriesMax` user agents, and as many addresses (an even
 * number). An address in a data center says less than a name, so that a spider there is a spider.
 */
export function createInvalidTrafficFinder(
  { isSpider, dataCenters }: TrafficLists,
  cacheEntriesMax: number,
): FindInvalidTraffic {
  const spiders = remember(cacheEntriesMax, UA_LENGTH_MAX, isSpider);
  const inDataCenter = remember(cacheEntriesMax, IP_LENGTH_MAX, (ip) => {
    const address = parseIpAddress(ip);
    return address !== null && dataCenters.has(address);
  });
  return (ua, ip) => {
    if (ua !== null && spiders(ua)) return 'spider';
    return ip !== null && inDataCenter(ip) ? 'datacenter' : null;
  };
}

/** What is longer than anything real is not looked into, and not kept. */
function remember(
  entriesMax: number,
  lengthMax: number,
  find: (key: string) => boolean,
): (key: string) => boolean {
  const cache = new BoundedCache<boolean>(entriesMax);
  return (key) => {
    if (key.length > lengthMax) return false;
    let found = cache.get(key);
    if (found === undefined) {
      found = find(key);
      cache.set(key, found);
    }
    return found;
  };
}
