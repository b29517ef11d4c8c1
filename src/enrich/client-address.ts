import { parseIpAddress } from '../privacy/ip-address.ts';
import { isInRange, parseAddressRange, type AddressRange } from './address-range.ts';
import { BoundedCache } from '../base/bounded-cache.ts';

/** Who asks, and how the asker's connection was made. */
export interface ClientAddress {
  /** In canonical form, IPv4-mapped as IPv4; null when the connection's own is unreadable. */
  readonly ip: string | null;
  /** The client's own connection was https. */
  readonly secure: boolean;
}

/** Reads a request's address; header values are as Node gives them, several headers joined by ",". */
export type ReadClientAddress = (
  remoteAddress: string | undefined,
  xForwardedFor: string | undefined,
  xForwardedProto: string | undefined,
) => ClientAddress;

/** An address as it was read: canonical, and whether a proxy of the operator's stands there. */
interface Hop {
  readonly ip: string;
  readonly isTrusted: boolean;
}

/** Characters that are read of a forwarding header, counted from its end, where the proxies write. */
const HEADER_LENGTH_MAX = 1_024;

/** Characters of one address with brackets, zone and port. */
const ENTRY_LENGTH_MAX = 64;

const CACHE_ENTRIES_MAX = 8_192;

/**
 * Makes a reader for an exchange behind the proxies of `trustedProxies` (CIDR ranges and single
 * addresses, IPv4 and IPv6). The client is the right-most address that is not such a proxy: what
 * stands left of it was written by strangers. A malformed entry ends the walk at the last address
 * that was read, and without a trusted connection the headers say nothing at all.
 *
 * Throws when a range is malformed, naming each that is.
 */
export function createClientAddress(trustedProxies: readonly string[]): ReadClientAddress {
  const ranges = parseRanges(trustedProxies);
  const hops = new BoundedCache<Hop | null>(CACHE_ENTRIES_MAX);

  function hopOf(entry: string): Hop | null {
    if (entry.length > ENTRY_LENGTH_MAX) return null;
    let hop = hops.get(entry);
    if (hop === undefined) {
      hop = readHop(entry, ranges);
      hops.set(entry, hop);
    }
    return hop;
  }

  return (remoteAddress, xForwardedFor, xForwardedProto) => {
    let client = hopOf(remoteAddress ?? '');
    if (client === null) return { ip: null, secure: false };
    if (!client.isTrusted) return { ip: client.ip, secure: false };
    const entries = entriesOf(xForwardedFor);
    let hopsBehind = 0;
    while (client.isTrusted && hopsBehind < entries.length) {
      const next = hopOf(entries[entries.length - 1 - hopsBehind] ?? '');
      if (next === null) break;
      client = next;
      hopsBehind += 1;
    }
    return { ip: client.ip, secure: isSecure(entriesOf(xForwardedProto), hopsBehind) };
  };
}

/**
 * Where each proxy adds what it saw, the protocol of the client's connection stands as far from the
 * right as its address; where the first proxy writes it once and the others keep it, it is the only
 * one.
 */
function isSecure(protocols: readonly string[], hopsBehind: number): boolean {
  const index = Math.max(0, protocols.length - Math.max(1, hopsBehind));
  return protocols[index]?.toLowerCase() === 'https';
}

/** The entries of a list header, in order; of an overlong one the last that are whole. */
function entriesOf(header: string | undefined): string[] {
  if (header === undefined || header === '') return [];
  const entries = header.slice(-HEADER_LENGTH_MAX).split(',');
  if (header.length > HEADER_LENGTH_MAX) entries.shift();
  return entries.map((entry) => entry.trim());
}

function readHop(entry: string, ranges: readonly AddressRange[]): Hop | null {
  const address = parseIpAddress(bareAddress(entry));
  if (address === null) return null;
  return {
    ip: address.toString(),
    isTrusted: ranges.some((range) => isInRange(range, address)),
  };
}

/** Takes off what may stand around an address: `[…]`, `:port`, and the zone of a local one. */
function bareAddress(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry);
  const address = bracketed?.[1] ?? entry.replace(/^([^:]*):\d{1,5}$/, '$1');
  const zone = address.indexOf('%');
  return zone === -1 ? address : address.slice(0, zone);
}

function parseRanges(texts: readonly string[]): AddressRange[] {
  const ranges = texts.map(parseAddressRange);
  const malformed = texts.filter((_, index) => ranges[index] === null);
  if (malformed.length > 0) {
    throw new Error(
      `trusted proxies must be addresses or CIDR ranges, such as 10.0.0.0/8: ${malformed.join(', ')}`,
    );
  }
  return ranges.filter((range) => range !== null);
}
