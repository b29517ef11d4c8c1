import { CommandError } from '../base/errors.ts';
import { contradictions } from './contradictions.ts';
import { SETTINGS, type Settings } from './settings.ts';

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  /** One sentence for every option that is wrong. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads the settings: a flag beats the environment, which beats the default.
 *
 * @param flags the options given on the command line, by flag (`--data`).
 */
export function readSettings(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsResult {
  const problems: string[] = [];
  const reader = new SettingReader(flags, environment, problems);
  const settings: Settings = {
    dataDirectory: reader.read('dataDirectory'),
    databaseUrl: reader.readOptional('databaseUrl'),
    applyFile: reader.readOptional('applyFile'),
    roles: reader.read('roles'),
    workers: reader.read('workers'),
    auctionsMax: reader.read('auctionsMax'),
    host: reader.read('host'),
    controlPort: reader.read('controlPort'),
    exchangePort: reader.read('exchangePort'),
    trackerPort: reader.read('trackerPort'),
    metricsHost: reader.read('metricsHost'),
    metricsPort: reader.read('metricsPort'),
    internalHost: reader.read('internalHost'),
    internalPort: reader.read('internalPort'),
    internalUrls: reader.read('internalUrls'),
    internalSecret: reader.readOptional('internalSecret'),
    controlUrl: reader.readOptional('controlUrl'),
    exchangeUrl: reader.readOptional('exchangeUrl'),
    trackerUrl: reader.readOptional('trackerUrl'),
    trustedProxies: reader.read('trustedProxies'),
    geoDatabase: reader.readOptional('geoDatabase'),
    spiderList: reader.readOptional('spiderList'),
    dataCenterList: reader.readOptional('dataCenterList'),
    console: reader.read('console'),
    auditDays: reader.read('auditDays'),
    certificateDays: reader.read('certificateDays'),
    smtpHost: reader.readOptional('smtpHost'),
    smtpPort: reader.read('smtpPort'),
    smtpTls: reader.read('smtpTls'),
    smtpFrom: reader.readOptional('smtpFrom'),
    smtpUser: reader.readOptional('smtpUser'),
    smtpPasswordFile: reader.readOptional('smtpPasswordFile'),
    logLevel: reader.read('logLevel'),
  };
  if (problems.length === 0) problems.push(...contradictions(settings));
  return problems.length === 0 ? { ok: true, settings } : { ok: false, problems };
}

/** Where the stores are. */
export type StorePlace = Pick<Settings, 'dataDirectory' | 'databaseUrl'>;

/**
 * Reads the settings for a command that cannot go on without them.
 *
 * @throws CommandError with a sentence for every one that is wrong.
 */
export function requireSettings(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const read = readSettings(flags, environment);
  if (read.ok) return read.settings;
  throw new CommandError(read.problems.join('\n'), { exit: 'usage' });
}

/**
 * Reads where the stores are, for a command that needs no more.
 *
 * @throws CommandError when it is wrong.
 */
export function readStorePlace(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): StorePlace {
  const problems: string[] = [];
  const reader = new SettingReader(flags, environment, problems);
  const place = {
    dataDirectory: reader.read('dataDirectory'),
    databaseUrl: reader.readOptional('databaseUrl'),
  };
  if (problems.length > 0) throw new CommandError(problems.join('\n'), { exit: 'usage' });
  return place;
}

/** Reads settings one by one, and notes all that is wrong. */
class SettingReader {
  readonly #flags: Readonly<Record<string, string | undefined>>;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #problems: string[];

  constructor(
    flags: Readonly<Record<string, string | undefined>>,
    environment: Readonly<Record<string, string | undefined>>,
    problems: string[],
  ) {
    this.#flags = flags;
    this.#environment = environment;
    this.#problems = problems;
  }

  /** A wrong value is noted and the default goes on, so that all problems are found in one pass. */
  read<K extends keyof Settings>(key: K): NonNullable<Settings[K]> {
    const value = this.readOptional(key);
    if (value !== null) return value;
    const { fallback, parse } = SETTINGS[key];
    const parsed = parse(fallback ?? '');
    if (!parsed.ok)
      throw new Error(`the default of ${key} is not valid: expected ${parsed.expected}`);
    return parsed.value;
  }

  readOptional<K extends keyof Settings>(key: K): NonNullable<Settings[K]> | null {
    const { flag, environment, parse } = SETTINGS[key];
    const flagged = flag === null ? undefined : this.#flags[flag];
    // An empty variable is an unset one, as in a shell or a container's configuration.
    const text = flagged ?? (this.#environment[environment] || undefined);
    if (text === undefined) return null;
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    const source = flagged === undefined ? environment : flag;
    const given = flag === null ? '' : ` is "${text}", but`;
    this.#problems.push(`${source}${given} must be ${parsed.expected}`);
    return null;
  }
}
