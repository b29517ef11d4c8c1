import { types, type ClientConfig, type CustomTypesConfig } from 'pg';
import { messageOf } from '../base/unknown-error.ts';

/** A name that does not resolve, or a machine that does not answer. */
const CONNECT_MS = 3_000;
const KEEP_ALIVE_AFTER_MS = 5_000;

const INT8: number = types.builtins.INT8;
const NUMERIC: number = types.builtins.NUMERIC;

/** What all connections to a PostgreSQL server have in common. */
export function postgresOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'rialto',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: NUMBERS,
  };
}

/** How messages name the database that an address leads to. */
export function postgresPlace(url: string): string {
  return `the PostgreSQL database ${postgresName(url)}`;
}

/** The database that an address leads to: `HOST:PORT/DATABASE`, without user and secrets. */
export function postgresName(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const number = searchParams.get('port') ?? (port === '' ? '5432' : port);
  return `${host}:${number}${pathname}`;
}

/** Why a connection was not made. Node tells it of each address of a name, in an error without words. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) {
    return error.errors.map((each: unknown) => reasonOf(each)).join('; ');
  }
  return messageOf(error);
}

/**
 * Counts and sums come as 64 bits or more, which pg leaves as text. Whatever this store holds is a
 * safe integer; something else is a fault, and not to be rounded.
 */
const NUMBERS: CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === INT8 || type === NUMERIC ? safeInteger : types.getTypeParser(type, format),
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is not an integer that is exact as a number`);
}
