import ipaddr from 'ipaddr.js';

/** An address as its numbers. IPv4-mapped IPv6 is IPv4 here: both name the same machine. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The longest text of an IP address: six groups and a dotted IPv4 tail. */
export const IP_LENGTH_MAX = 45;

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const IPV6_CHARACTERS = /^[0-9a-fA-F:.]+$/;

/**
 * Reads an IP address in its strict form; null for anything else. Octal, hexadecimal and shortened
 * IPv4 (`010.0.0.1`, `0x7f.1`, `127.1`) are refused, because programs disagree about what they
 * mean; so are zones, ports and brackets.
 */
export function parseIpAddress(text: string): IpAddress | null {
  if (text.length > IP_LENGTH_MAX) return null;
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

/** The dotted form of an IPv4 or IPv4-mapped address; null for IPv6 and for what is no address. */
export function ipv4Of(text: string): string | null {
  // The common case by far needs no parsing.
  if (text.length <= IP_LENGTH_MAX && IPV4.test(text)) return text;
  const address = parseIpAddress(text);
  return address?.kind() === 'ipv4' ? address.toString() : null;
}

/**
 * The network that an address stands in, so that it no longer names one household: the first 24
 * bits of IPv4, the first 48 of IPv6, the rest zero. Null for what is no address.
 */
export function truncateIp(text: string): string | null {
  if (text.length <= IP_LENGTH_MAX && IPV4.test(text)) {
    return `${text.slice(0, text.lastIndexOf('.'))}.0`;
  }
  const address = parseIpAddress(text);
  if (address === null) return null;
  const bytes = address.toByteArray();
  return ipaddr.fromByteArray(bytes.fill(0, bytes.length === 4 ? 3 : 6)).toString();
}

function parseIpv4(text: string): ipaddr.IPv4 | null {
  return IPV4.test(text) ? new ipaddr.IPv4(text.split('.').map(Number)) : null;
}

function parseIpv6(text: string): IpAddress | null {
  if (!IPV6_CHARACTERS.test(text)) return null;
  // The library would read a dotted tail by the lax rules that are refused above.
  if (text.includes('.') && !IPV4.test(text.slice(text.lastIndexOf(':') + 1))) return null;
  if (!ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
