import { LOG_LEVELS, type LogLevel } from '../base/logger.ts';
import {
  parseAddress,
  parseAddressRanges,
  parseAuctions,
  parseBaseUrl,
  parseBaseUrls,
  parseChoice,
  parseChoices,
  parseDatabaseUrl,
  parseDays,
  parseHost,
  parseMailAddress,
  parsePath,
  parsePort,
  parseSecret,
  parseText,
  parseWorkers,
  type Parsed,
} from './parsers.ts';

/** The roles that a node can have, in the order in which they are started. */
export const ROLE_NAMES = ['control', 'courier', 'tracker', 'exchange'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** What control does with the web console: builds it when it is missing or old, only serves it, neither. */
export const CONSOLE_MODES = ['build', 'serve', 'off'] as const;
export type ConsoleMode = (typeof CONSOLE_MODES)[number];

/** How mail is protected on its way to the server. */
export const SMTP_TLS_MODES = ['starttls', 'tls', 'off'] as const;
export type SmtpTlsMode = (typeof SMTP_TLS_MODES)[number];

/** Everything that a node is told from outside, checked. */
export interface Settings {
  readonly dataDirectory: string;
  /** A PostgreSQL database for the configuration store; null is SQLite in the data directory. */
  readonly databaseUrl: string | null;
  readonly applyFile: string | null;
  readonly roles: readonly RoleName[];
  readonly workers: number;
  /** Auctions that each exchange process holds at a time. */
  readonly auctionsMax: number;
  readonly host: string;
  readonly controlPort: number;
  readonly exchangePort: number;
  readonly trackerPort: number;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly internalHost: string;
  readonly internalPort: number;
  /** Where the courier reaches the controls; none is the node's own control. */
  readonly internalUrls: readonly string[];
  /** Null until control has made one in the data directory. */
  readonly internalSecret: string | null;
  /** Addresses that others see; null is the bound port on localhost. Without a slash at the end. */
  readonly controlUrl: string | null;
  readonly exchangeUrl: string | null;
  readonly trackerUrl: string | null;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` and `-Proto` are believed. */
  readonly trustedProxies: readonly string[];
  /** An MMDB file of countries; null is the installed one. */
  readonly geoDatabase: string | null;
  /** Patterns of spiders' user agents, one a line; null is the installed list. */
  readonly spiderList: string | null;
  /** Addresses and CIDR ranges of data centers, one a line; null knows none. */
  readonly dataCenterList: string | null;
  readonly console: ConsoleMode;
  /** Days that entries of the audit log are kept; 0 is for ever. */
  readonly auditDays: number;
  /** How many days before its end a bidder's certificate is told of. */
  readonly certificateDays: number;
  /** The mail server; null sends no e-mail. */
  readonly smtpHost: string | null;
  readonly smtpPort: number;
  readonly smtpTls: SmtpTlsMode;
  readonly smtpFrom: string | null;
  readonly smtpUser: string | null;
  /** Holds the password; it is nowhere else. */
  readonly smtpPasswordFile: string | null;
  readonly logLevel: LogLevel;
}

/** One row of the table: how an option is given, read and described. */
export interface Setting<T> {
  /** Null: environment only, because a command line is visible to every user of the machine. */
  readonly flag: string | null;
  /** What the option takes, as the help shows it. */
  readonly argument: string;
  readonly environment: string;
  readonly description: string;
  /** The default as it would be typed; null is none. */
  readonly fallback: string | null;
  readonly parse: (text: string) => Parsed<T>;
}

/** Every option of `rialto start`; `docs/reference/configuration.md` lists the same rows. */
export const SETTINGS: { readonly [K in keyof Settings]: Setting<NonNullable<Settings[K]>> } = {
  dataDirectory: {
    flag: '--data',
    argument: 'DIR',
    environment: 'RIALTO_DATA',
    description: 'the data directory, made if it is missing',
    fallback: 'data',
    parse: parsePath,
  },
  databaseUrl: {
    flag: null,
    argument: 'URL',
    environment: 'RIALTO_DATABASE_URL',
    description:
      'the PostgreSQL database that holds the configuration store; SQLite in the data directory if unset',
    fallback: null,
    parse: parseDatabaseUrl,
  },
  applyFile: {
    flag: '--apply',
    argument: 'FILE',
    environment: 'RIALTO_APPLY',
    description: 'a configuration file that is live before the node says that it is ready',
    fallback: null,
    parse: parsePath,
  },
  roles: {
    flag: '--roles',
    argument: 'LIST',
    environment: 'RIALTO_ROLES',
    description: 'what this node does',
    fallback: ROLE_NAMES.join(','),
    parse: (text) => parseChoices(text, ROLE_NAMES),
  },
  workers: {
    flag: '--workers',
    argument: 'N',
    environment: 'RIALTO_WORKERS',
    description: 'exchange processes; auto is one less than there are cores, at least 1',
    fallback: 'auto',
    parse: parseWorkers,
  },
  auctionsMax: {
    flag: '--auctions-max',
    argument: 'N',
    environment: 'RIALTO_AUCTIONS_MAX',
    description:
      'auctions that an exchange process holds at a time; what comes on top is refused, because each takes up to 50 KB of memory',
    fallback: '2000',
    parse: parseAuctions,
  },
  host: {
    flag: '--host',
    argument: 'IP',
    environment: 'RIALTO_HOST',
    description: 'the address that the public ports are bound on',
    fallback: '0.0.0.0',
    parse: parseAddress,
  },
  controlPort: {
    flag: '--control-port',
    argument: 'PORT',
    environment: 'RIALTO_CONTROL_PORT',
    description: 'the port of the management API; 0 takes a free one',
    fallback: '8080',
    parse: parsePort,
  },
  exchangePort: {
    flag: '--exchange-port',
    argument: 'PORT',
    environment: 'RIALTO_EXCHANGE_PORT',
    description: 'the port of ad requests; 0 takes a free one',
    fallback: '8081',
    parse: parsePort,
  },
  trackerPort: {
    flag: '--tracker-port',
    argument: 'PORT',
    environment: 'RIALTO_TRACKER_PORT',
    description: 'the port of win, impression, view and click beacons; 0 takes a free one',
    fallback: '8082',
    parse: parsePort,
  },
  metricsHost: {
    flag: '--metrics-host',
    argument: 'IP',
    environment: 'RIALTO_METRICS_HOST',
    description: 'the address that the metrics of all processes of the node are bound on',
    fallback: '127.0.0.1',
    parse: parseAddress,
  },
  metricsPort: {
    flag: '--metrics-port',
    argument: 'PORT',
    environment: 'RIALTO_METRICS_PORT',
    description: 'the port of the metrics; 0 takes a free one',
    fallback: '9464',
    parse: parsePort,
  },
  internalHost: {
    flag: '--internal-host',
    argument: 'IP',
    environment: 'RIALTO_INTERNAL_HOST',
    description: "the address of control's listener for couriers of other nodes",
    fallback: '127.0.0.1',
    parse: parseAddress,
  },
  internalPort: {
    flag: '--internal-port',
    argument: 'PORT',
    environment: 'RIALTO_INTERNAL_PORT',
    description: "the port of control's listener for couriers; 0 takes a free one",
    fallback: '0',
    parse: parsePort,
  },
  internalUrls: {
    flag: '--internal-url',
    argument: 'LIST',
    environment: 'RIALTO_INTERNAL_URL',
    description:
      'where the courier reaches control, of several the one that loads first; needed on a node without control',
    fallback: '',
    parse: parseBaseUrls,
  },
  internalSecret: {
    flag: null,
    argument: 'SECRET',
    environment: 'RIALTO_INTERNAL_SECRET',
    description:
      'what couriers and control share; made by control in DIR/secrets/internal if unset',
    fallback: null,
    parse: parseSecret,
  },
  controlUrl: {
    flag: '--control-url',
    argument: 'URL',
    environment: 'RIALTO_CONTROL_URL',
    description: 'the address of control that others see',
    fallback: null,
    parse: parseBaseUrl,
  },
  exchangeUrl: {
    flag: '--exchange-url',
    argument: 'URL',
    environment: 'RIALTO_EXCHANGE_URL',
    description: 'the address of the exchange that others see',
    fallback: null,
    parse: parseBaseUrl,
  },
  trackerUrl: {
    flag: '--tracker-url',
    argument: 'URL',
    environment: 'RIALTO_TRACKER_URL',
    description: 'the address of the tracker that others see',
    fallback: null,
    parse: parseBaseUrl,
  },
  trustedProxies: {
    flag: '--trusted-proxies',
    argument: 'LIST',
    environment: 'RIALTO_TRUSTED_PROXIES',
    description: 'addresses and CIDR ranges whose X-Forwarded-For and -Proto are believed',
    fallback: '',
    parse: parseAddressRanges,
  },
  geoDatabase: {
    flag: '--geo-database',
    argument: 'FILE',
    environment: 'RIALTO_GEO_DATABASE',
    description: 'an MMDB file that names the country of an address, instead of the installed one',
    fallback: null,
    parse: parsePath,
  },
  spiderList: {
    flag: '--spider-list',
    argument: 'FILE',
    environment: 'RIALTO_SPIDER_LIST',
    description: "patterns of spiders' user agents, one a line, instead of the installed list",
    fallback: null,
    parse: parsePath,
  },
  dataCenterList: {
    flag: '--data-center-list',
    argument: 'FILE',
    environment: 'RIALTO_DATA_CENTER_LIST',
    description: 'addresses and CIDR ranges of data centers, one a line; without it none is known',
    fallback: null,
    parse: parsePath,
  },
  console: {
    flag: '--console',
    argument: 'MODE',
    environment: 'RIALTO_CONSOLE',
    description:
      'build: control serves the web console, and builds it when it is missing or its sources have changed; serve: it serves what is built; off: there is none',
    fallback: 'build',
    parse: (text) => parseChoice(text, CONSOLE_MODES),
  },
  auditDays: {
    flag: '--audit-days',
    argument: 'N',
    environment: 'RIALTO_AUDIT_DAYS',
    description: 'days that control keeps the entries of the audit log; 0 keeps them for ever',
    fallback: '730',
    parse: parseDays,
  },
  certificateDays: {
    flag: '--certificate-days',
    argument: 'N',
    environment: 'RIALTO_CERTIFICATE_DAYS',
    description:
      "how many days before its end control tells of a bidder's TLS certificate; 0 tells once it has expired",
    fallback: '14',
    parse: parseDays,
  },
  smtpHost: {
    flag: '--smtp-host',
    argument: 'HOST',
    environment: 'RIALTO_SMTP_HOST',
    description: 'the mail server that control hands e-mail to; without it none is sent',
    fallback: null,
    parse: parseHost,
  },
  smtpPort: {
    flag: '--smtp-port',
    argument: 'PORT',
    environment: 'RIALTO_SMTP_PORT',
    description: 'its port: 587 for STARTTLS, 465 for TLS from the first byte, 25 for a relay',
    fallback: '587',
    parse: parsePort,
  },
  smtpTls: {
    flag: '--smtp-tls',
    argument: 'MODE',
    environment: 'RIALTO_SMTP_TLS',
    description:
      'starttls: the server must offer it; tls: from the first byte; off: mail goes in the clear, to a relay of your own network',
    fallback: 'starttls',
    parse: (text) => parseChoice(text, SMTP_TLS_MODES),
  },
  smtpFrom: {
    flag: '--smtp-from',
    argument: 'ADDRESS',
    environment: 'RIALTO_SMTP_FROM',
    description: 'the e-mail address that mail comes from; needed with a mail server',
    fallback: null,
    parse: parseMailAddress,
  },
  smtpUser: {
    flag: '--smtp-user',
    argument: 'NAME',
    environment: 'RIALTO_SMTP_USER',
    description: 'who signs in to the mail server; without it nobody does',
    fallback: null,
    parse: parseText,
  },
  smtpPasswordFile: {
    flag: null,
    argument: 'FILE',
    environment: 'RIALTO_SMTP_PASSWORD_FILE',
    description: 'a file with the password for the mail server, read when control starts',
    fallback: null,
    parse: parsePath,
  },
  logLevel: {
    flag: '--log-level',
    argument: 'LEVEL',
    environment: 'RIALTO_LOG_LEVEL',
    description: `one of ${LOG_LEVELS.join(', ')}`,
    fallback: 'info',
    parse: (text) => parseChoice(text, LOG_LEVELS),
  },
};
