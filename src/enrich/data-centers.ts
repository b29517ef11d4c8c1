import { parseAddressRange, type AddressRange } from './address-range.ts';
import { AddressSet } from './address-set.ts';
import { readListFile, type ReadLine } from './list-file.ts';

/** What is known without a list: none that is kept up has a licence that lets us hand it on. */
export const NO_DATA_CENTERS = new AddressSet([]);

/**
 * Reads a list of data centers' addresses: a CIDR range or a single address a line, IPv4 or IPv6.
 *
 * @throws CommandError when the file cannot be read, or a line is no range.
 */
export async function readDataCenterList(path: string): Promise<AddressSet> {
  return new AddressSet(await readListFile('list of data centers', path, readRange));
}

function readRange(line: string): ReadLine<AddressRange> {
  const range = parseAddressRange(line);
  if (range === null) {
    return {
      ok: false,
      fault: `"${line}" is no address or CIDR range such as 192.0.2.0/24 or 2001:db8::/32`,
    };
  }
  if (range.prefixBits === 0) return { ok: false, fault: `"${line}" has every address` };
  return { ok: true, entry: range };
}
