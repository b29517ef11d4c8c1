import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isMailAddress } from '../base/mail-address.ts';

/** What a text means, or what would have been right: "a number from 1 to 10". */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly expected: string };

const PORT_MAX = 65_535;
const WORKERS_MAX = 256;
/** Of one process; it would not live to hold more. */
const AUCTIONS_MAX = 100_000;
const DAYS_MAX = 36_500;
/** Shorter secrets could be guessed over the network. */
const SECRET_LENGTH_MIN = 16;

/** A path, made absolute against the working directory. */
export function parsePath(text: string): Parsed<string> {
  return text === '' ? wrong('a path') : right(resolve(text));
}

export function parsePort(text: string): Parsed<number> {
  return parseWhole(text, 0, PORT_MAX);
}

/** How many processes; `auto` leaves one core to the rest of the node. */
export function parseWorkers(text: string): Parsed<number> {
  if (text === 'auto') return right(Math.max(1, availableParallelism() - 1));
  const parsed = parseWhole(text, 1, WORKERS_MAX);
  return parsed.ok ? parsed : wrong(`${parsed.expected}, or auto`);
}

/** How many auctions a process holds: so many that a slow bidder alone is no reason to refuse others. */
export function parseAuctions(text: string): Parsed<number> {
  return parseWhole(text, 1, AUCTIONS_MAX);
}

/** How many days something is kept, a century at most; 0 is for ever. */
export function parseDays(text: string): Parsed<number> {
  return parseWhole(text, 0, DAYS_MAX);
}

/** A numeric address to bind on; `localhost` is 127.0.0.1, no name is looked up. */
export function parseAddress(text: string): Parsed<string> {
  if (text === 'localhost') return right('127.0.0.1');
  return isIP(text) === 0 ? wrong('an IP address such as 0.0.0.0 or 127.0.0.1') : right(text);
}

/** Addresses and CIDR ranges, separated by commas. */
export function parseAddressRanges(text: string): Parsed<readonly string[]> {
  const ranges = listOf(text);
  return ranges.every((range) => isAddressRange(range))
    ? right(ranges)
    : wrong('IP addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,192.0.2.7');
}

/** An http or https address that paths can be put behind, without the slash at its end. */
export function parseBaseUrl(text: string): Parsed<string> {
  const expected = 'an address such as http://192.0.2.7:8080';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return wrong(expected);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return wrong(`${expected}, without user, query or fragment`);
  }
  return right(`${url.origin}${url.pathname}`.replace(/\/+$/, ''));
}

/** Addresses as `parseBaseUrl` takes them, separated by commas, each once. */
export function parseBaseUrls(text: string): Parsed<readonly string[]> {
  const urls: string[] = [];
  for (const each of listOf(text)) {
    const parsed = parseBaseUrl(each);
    if (!parsed.ok) return parsed;
    if (!urls.includes(parsed.value)) urls.push(parsed.value);
  }
  return right(urls);
}

/** The address of a PostgreSQL database; a socket's directory stands in its query, as `host`. */
export function parseDatabaseUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPostgres = url?.protocol === 'postgresql:' || url?.protocol === 'postgres:';
  const host = url?.searchParams.get('host') ?? url?.hostname ?? '';
  if (url === undefined || !isPostgres || host === '' || url.pathname.length < 2) {
    return wrong('an address such as postgresql://user:password@192.0.2.7:5432/rialto');
  }
  return right(text);
}

export function parseSecret(text: string): Parsed<string> {
  return /^[\x21-\x7e]+$/.test(text) && text.length >= SECRET_LENGTH_MIN
    ? right(text)
    : wrong(`at least ${SECRET_LENGTH_MIN} printable ASCII characters without spaces`);
}

/** The name of a host, or its IP address. */
export function parseHost(text: string): Parsed<string> {
  const isName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text);
  return isName || isIP(text) !== 0 ? right(text) : wrong('a host such as mail.example');
}

/** An address that mail can come from. */
export function parseMailAddress(text: string): Parsed<string> {
  return isMailAddress(text)
    ? right(text)
    : wrong('an e-mail address such as rialto@exchange.example');
}

/** Text on one line. */
export function parseText(text: string): Parsed<string> {
  return /^[^\p{Cc}]+$/u.test(text) ? right(text) : wrong('text on one line');
}

export function parseChoice<T extends string>(text: string, choices: readonly T[]): Parsed<T> {
  const choice = choices.find((candidate) => candidate === text);
  return choice === undefined ? wrong(`one of ${choices.join(', ')}`) : right(choice);
}

/** Choices separated by commas, each once; they come back in the order of `choices`. */
export function parseChoices<T extends string>(
  text: string,
  choices: readonly T[],
): Parsed<readonly T[]> {
  const named = listOf(text);
  const unknown = named.find((name) => !choices.some((choice) => choice === name));
  if (unknown !== undefined) {
    return wrong(`among ${choices.join(', ')}, and "${unknown}" is none of them`);
  }
  return named.length === 0
    ? wrong(`one or more of ${choices.join(', ')}, separated by commas`)
    : right(choices.filter((choice) => named.includes(choice)));
}

function parseWhole(text: string, min: number, max: number): Parsed<number> {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? right(value) : wrong(`a number from ${min} to ${max}`);
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || parseWhole(prefix, 0, family === 4 ? 32 : 128).ok;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function right<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

function wrong<T>(expected: string): Parsed<T> {
  return { ok: false, expected };
}
