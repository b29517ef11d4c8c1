import ipaddr from 'ipaddr.js';

/** The only block out of which the world's unicast IPv6 addresses are given (RFC 4291, IANA). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Which addresses the exchange may connect to when a partner names them: those that are unicast
 * and global, and those within the ranges given. Everything else is inside somebody's network:
 * private, shared, loopback, link-local with the cloud's metadata, multicast, reserved, and the
 * forms of IPv6 that lead to an IPv4 address by a gateway (6to4, Teredo, NAT64). An IPv4 address
 * mapped into IPv6 is judged as the IPv4 address that it is; what is no address is refused.
 *
 * @param allowPrivateAddresses ranges in CIDR notation, such as `127.0.0.0/8`
 * @throws when a range is not CIDR notation
 */
export function createAddressPolicy(
  allowPrivateAddresses: readonly string[],
): (ip: string) => boolean {
  const ranges = allowPrivateAddresses.map((range) => ipaddr.parseCIDR(range));
  return (ip) => {
    const spelled = withoutDottedPart(ip);
    if (!ipaddr.isValid(spelled)) return false;
    const address = ipaddr.process(spelled);
    return isGlobal(address) || ranges.some((range) => contains(range, address));
  };
}

/**
 * IPv6 in hexadecimal throughout. ipaddr.js takes `::1.2.3.4` for the mapped form of that address,
 * the system for a host of its own: what is checked must be what is connected to.
 */
function withoutDottedPart(ip: string): string {
  if (!ip.includes(':') || !ip.includes('.')) return ip;
  return URL.parse(`http://[${ip}]/`)?.hostname.slice(1, -1) ?? '';
}

function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address);
}

function contains(
  range: [ipaddr.IPv4 | ipaddr.IPv6, number],
  address: ipaddr.IPv4 | ipaddr.IPv6,
): boolean {
  return range[0].kind() === address.kind() && address.match(range);
}
