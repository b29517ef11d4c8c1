import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** The levels that a log may be set to, most telling first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What stands in the place of a secret. */
const REDACTED = '[redacted]';

/** Names whose values are secret wherever they stand: headers, body fields, query parameters. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'client_secret',
  'access_token',
  'refresh_token',
  'token',
  'account_auth_token',
  'internalsecret',
]);

/** Deeper parts of a logged object are left out: a log line is no dump. */
const DEPTH_MAX = 6;

/** `?account_auth_token=…` within any text, also as it stands inside a JSON string. */
const SECRET_PARAMETER = new RegExp(
  `([?&;](?:${[...SECRET_NAMES].filter((name) => !name.includes('-')).join('|')})=)[^&;#\\s"'\\\\]+`,
  'gi',
);
/** Credentials of the user part of a URL, and of an Authorization header quoted in a text. */
const USER_INFO = /(\bhttps?:\/\/)[^/?#@\s"\\]+@/gi;
const CREDENTIALS = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g;

export interface LoggerSettings {
  readonly level: LogLevel;
  /** Which process writes, beside its process id. */
  readonly role: string;
  readonly worker?: number;
  /** Where its lines go, a descriptor; the standard output if nothing is said. */
  readonly fd?: number;
}

/**
 * The log of one process: JSON lines, written before the call returns, so that
 * the line which explains a crash is there. Secrets are taken out twice: by name from what is
 * logged, at any depth, and by pattern from the finished line, which covers messages and stacks.
 */
export function createLogger(settings: LoggerSettings, destination?: DestinationStream): Logger {
  const { level, role, worker, fd = 1 } = settings;
  const options: LoggerOptions = {
    level,
    base: { pid: process.pid, role, ...(worker === undefined ? {} : { worker }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (object) => redactRecord(object, 0),
    },
    // `formatters.log` has already made plain objects of errors.
    serializers: { err: (value: unknown) => value },
    hooks: { streamWrite: redactText },
  };
  return pino(options, destination ?? pino.destination({ fd, sync: true }));
}

/** A URL, or a path with its query string, without the secrets in it. */
export function redactUrl(url: string): string {
  return redactText(url);
}

function redactText(text: string): string {
  return text
    .replace(SECRET_PARAMETER, `$1${REDACTED}`)
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(CREDENTIALS, `$1 ${REDACTED}`);
}

function redactRecord(record: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    copy[name] = SECRET_NAMES.has(name.toLowerCase()) ? REDACTED : redactValue(value, depth + 1);
  }
  return copy;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) return '[too deep]';
  if (value instanceof Error) return redactRecord(pino.stdSerializers.err(value), depth);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  if (value instanceof Map || value instanceof Set) return `[${value.constructor.name}]`;
  if (value instanceof Date || ArrayBuffer.isView(value)) return value;
  return redactRecord(value, depth);
}
