import { fileURLToPath } from 'node:url';
import { Reader, type CountryResponse } from 'mmdb-lib';
import { CommandError } from '../base/errors.ts';
import { ConnectionType } from '../openrtb/device-lists.ts';
import { parseIpAddress, type IpAddress } from '../privacy/ip-address.ts';
import { BoundedCache } from '../base/bounded-cache.ts';
import { alpha3FromAlpha2 } from '../resources/country-codes.ts';
import { readOperatorFile } from './operator-file.ts';

/** What an address tells of where and how it is connected; null where nothing is known. */
export interface Network {
  /** ISO 3166-1 alpha-2 in capitals. */
  readonly country: string | null;
  /** Cellular or nothing: whether a household is reached by cable no database can tell from Wi-Fi. */
  readonly connectiontype: ConnectionType | null;
  /** The carrier, or the provider. */
  readonly carrier: string | null;
}

/** Tells the network of an IP address. It never throws. */
export type NetworkLookup = (ip: string) => Network;

/**
 * The file is held in the memory of each exchange process: a database of countries has below 10 MB,
 * one of cities (of which the country alone is read) up to about 130.
 */
const GEO_DATABASE_BYTES_MAX = 256 * 1024 * 1024;

const CACHE_ENTRIES_MAX = 16_384;
/** How many addresses, spread over IPv4, are looked up to see what a database is about. */
const PROBES = 256;
const CARRIER_LENGTH_MAX = 128;

export const UNKNOWN_NETWORK: Network = Object.freeze({
  country: null,
  connectiontype: null,
  carrier: null,
});

/**
 * Opens a database in MaxMind's format (MMDB): the one at `path`, or by default the installed one.
 *
 * @throws CommandError when the file cannot be read, is too large, or no database of countries.
 */
export async function openNetworkLookup(path = installedDatabase()): Promise<NetworkLookup> {
  const bytes = await readOperatorFile('country database', path, GEO_DATABASE_BYTES_MAX);
  return readGeoDatabase(bytes, path);
}

/** The file with IPv4 and IPv6: 8 MB of memory, where the one with IPv4 alone takes 3. */
function installedDatabase(): string {
  return fileURLToPath(
    import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
  );
}

/**
 * Checks the bytes of a database, and makes them answer. The country is read as GeoLite2, GeoIP2 and
 * DB-IP have it (`country.iso_code`), as IPinfo has it (`country_code`, or a code under `country`)
 * and as ip-location-db has it (`country_code`), in databases of countries and of cities. Nothing
 * else of a place is read. Where a database has them, the connection and the carrier are.
 *
 * @param file named in errors.
 * @throws CommandError when it is damaged, or no database of countries.
 */
export function readGeoDatabase(bytes: Buffer, file: string): NetworkLookup {
  const reader = openReader(bytes, file);
  const cache = new BoundedCache<Network>(CACHE_ENTRIES_MAX);
  return (ip) => {
    const cached = cache.get(ip);
    if (cached !== undefined) return cached;
    const address = parseIpAddress(ip);
    if (address === null) return UNKNOWN_NETWORK;
    const network = lookUp(reader, address);
    cache.set(ip, network);
    return network;
  };
}

function lookUp(reader: Reader<CountryResponse>, address: IpAddress): Network {
  // Databases hold countries for private and reserved addresses too, by accident.
  if (address.range() !== 'unicast') return UNKNOWN_NETWORK;
  // In a tree for IPv4 the first bits of an IPv6 address would find some other address.
  if (address.kind() === 'ipv6' && reader.metadata.ipVersion !== 6) return UNKNOWN_NETWORK;
  return networkOf(recordAt(reader, address.toString()));
}

/** A damaged database must not end an auction: what cannot be read is not known. */
function recordAt(reader: Reader<CountryResponse>, ip: string): unknown {
  try {
    return reader.get(ip);
  } catch {
    return null;
  }
}

function networkOf(record: unknown): Network {
  const country = countryOf(record);
  const carrier = carrierOf(record);
  const connectiontype = isCellular(record) ? ConnectionType.CellularUnknown : null;
  if (country === null && carrier === null && connectiontype === null) return UNKNOWN_NETWORK;
  return { country, connectiontype, carrier };
}

function countryOf(record: unknown): string | null {
  const country = fieldOf(record, 'country');
  const codes = [fieldOf(record, 'country_code'), fieldOf(country, 'iso_code'), country];
  const code = codes.find((each) => typeof each === 'string');
  if (typeof code !== 'string') return null;
  const alpha2 = code.toUpperCase();
  // Some databases put continents and "unknown" among the countries.
  return alpha3FromAlpha2(alpha2) === null ? null : alpha2;
}

/** GeoIP2 and DB-IP: `traits.isp`, or at the top where a database has nothing else; IPinfo: `carrier`. */
function carrierOf(record: unknown): string | null {
  const traits = fieldOf(record, 'traits');
  const names = [fieldOf(record, 'carrier'), fieldOf(traits, 'isp'), fieldOf(record, 'isp')];
  const name = names.find((each) => typeof each === 'string' && each !== '');
  return typeof name === 'string' ? name.slice(0, CARRIER_LENGTH_MAX).toWellFormed() : null;
}

function isCellular(record: unknown): boolean {
  const inTraits = fieldOf(fieldOf(record, 'traits'), 'connection_type');
  const type = inTraits ?? fieldOf(record, 'connection_type');
  return typeof type === 'string' && type.toLowerCase() === 'cellular';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function openReader(bytes: Buffer, file: string): Reader<CountryResponse> {
  let reader: Reader<CountryResponse>;
  try {
    reader = new Reader<CountryResponse>(bytes);
  } catch (cause) {
    throw new CommandError(`country database ${file} is not an MMDB file`, { cause });
  }
  const { nodeCount, ipVersion, searchTreeSize } = reader.metadata;
  const isWhole = nodeCount > 0 && (ipVersion === 4 || ipVersion === 6);
  if (!isWhole || searchTreeSize > bytes.length) {
    throw new CommandError(`country database ${file} is not an MMDB file, or not all of it`);
  }
  if (hasRecordsWithoutCountry(reader)) {
    throw new CommandError(
      `country database ${file} names no country (country_code or country.iso_code): it is a ${reader.metadata.databaseType} database`,
    );
  }
  return reader;
}

/** Tells a database of something else, such as networks, from one of few countries. */
function hasRecordsWithoutCountry(reader: Reader<CountryResponse>): boolean {
  const records = Array.from({ length: PROBES }, (_, index) => recordAt(reader, `${index}.8.8.8`));
  const found = records.filter((record) => record !== null);
  return found.length > 0 && found.every((record) => countryOf(record) === null);
}
