import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Reader, type CountryResponse } from 'mmdb-lib';
import { CommandError } from '../base/errors.ts';
import { parseIpAddress, type IpAddress } from '../privacy/ip-address.ts';
import { BoundedCache } from '../base/bounded-cache.ts';
import { alpha3FromAlpha2 } from './country-codes.ts';

/** The country of an IP address, as ISO 3166-1 alpha-2 in capitals; null when it is not known. */
export type CountryLookup = (ip: string) => string | null;

/** The file is held in memory, of which an exchange process has 256 MB for everything. */
const DATABASE_BYTES_MAX = 64 * 1024 * 1024;

const CACHE_ENTRIES_MAX = 16_384;

/** How many addresses, spread over IPv4, are looked up to see what a database is about. */
const PROBES = 256;

/**
 * Opens a country database in MaxMind's format (MMDB): the one at `path`, whose records may name
 * the country as `country_code` or as `country.iso_code`, or by default the one that is installed.
 * Throws a CommandError when the file is missing, too large or no country database.
 */
export function openCountryLookup(path?: string): CountryLookup {
  const reader = openReader(path ?? installedDatabase());
  const cache = new BoundedCache<string | null>(CACHE_ENTRIES_MAX);
  return (ip) => {
    const cached = cache.get(ip);
    if (cached !== undefined) return cached;
    const address = parseIpAddress(ip);
    if (address === null) return null;
    const country = lookUp(reader, address);
    cache.set(ip, country);
    return country;
  };
}

/** The file with IPv4 and IPv6: 8 MB of memory, where the one with IPv4 alone takes 3. */
function installedDatabase(): string {
  return fileURLToPath(
    import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
  );
}

function lookUp(reader: Reader<CountryResponse>, address: IpAddress): string | null {
  // Databases hold countries for private and reserved addresses too, by accident.
  if (address.range() !== 'unicast') return null;
  // In a tree for IPv4 the first bits of an IPv6 address would find some other address.
  if (address.kind() === 'ipv6' && reader.metadata.ipVersion !== 6) return null;
  return countryOf(recordAt(reader, address.toString()));
}

/** A damaged database must not end an auction: what cannot be read is not known. */
function recordAt(reader: Reader<CountryResponse>, ip: string): unknown {
  try {
    return reader.get(ip);
  } catch {
    return null;
  }
}

function countryOf(record: unknown): string | null {
  const code = fieldOf(record, 'country_code') ?? fieldOf(fieldOf(record, 'country'), 'iso_code');
  if (typeof code !== 'string') return null;
  const alpha2 = code.toUpperCase();
  // Some databases put continents and "unknown" among the countries.
  return alpha3FromAlpha2(alpha2) === null ? null : alpha2;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function openReader(file: string): Reader<CountryResponse> {
  let reader: Reader<CountryResponse>;
  const bytes = readDatabase(file);
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

function readDatabase(file: string): Buffer {
  try {
    const { size } = statSync(file);
    if (size <= DATABASE_BYTES_MAX) return readFileSync(file);
  } catch (cause) {
    throw new CommandError(`country database ${file} cannot be read`, { cause });
  }
  throw new CommandError(
    `country database ${file} is larger than ${DATABASE_BYTES_MAX / 1024 / 1024} MB: use one of countries, without cities`,
  );
}

/** Tells a database of something else, such as networks, from one of few countries. */
function hasRecordsWithoutCountry(reader: Reader<CountryResponse>): boolean {
  const records = Array.from({ length: PROBES }, (_, index) => recordAt(reader, `${index}.8.8.8`));
  const found = records.filter((record) => record !== null);
  return found.length > 0 && found.every((record) => countryOf(record) === null);
}
