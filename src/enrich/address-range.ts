import ipaddr from 'ipaddr.js';
import { parseIpAddress, type IpAddress } from '../privacy/ip-address.ts';

/** All addresses that begin with the same bits. */
export interface AddressRange {
  readonly network: IpAddress;
  readonly prefixBits: number;
}

/** Reads a CIDR range or a single address, IPv4 or IPv6; null for anything else. */
export function parseAddressRange(text: string): AddressRange | null {
  const [address = '', bits, ...rest] = text.split('/');
  const network = parseIpAddress(address);
  if (network === null || rest.length > 0) return null;
  const bitsMax = network.kind() === 'ipv4' ? 32 : 128;
  const prefixBits = bits === undefined ? bitsMax : prefixOf(bits);
  return prefixBits === null || prefixBits > bitsMax ? null : { network, prefixBits };
}

function prefixOf(text: string): number | null {
  return /^\d{1,3}$/.test(text) ? Number(text) : null;
}

/** Whether an address stands in a range. For many ranges see `AddressSet`. */
export function isInRange({ network, prefixBits }: AddressRange, address: IpAddress): boolean {
  if (network instanceof ipaddr.IPv4) {
    return address instanceof ipaddr.IPv4 && address.match(network, prefixBits);
  }
  return address instanceof ipaddr.IPv6 && address.match(network, prefixBits);
}
