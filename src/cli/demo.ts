import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { CommandError } from '../base/errors.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { readJournal } from '../journal/read.ts';
import { runSupervisor } from '../roles/supervisor.ts';
import { DemoFeed } from './demo-feed.ts';
import { Companion } from './companion.ts';

/** What `rialto demo` can be told beyond the settings of a node. */
export interface DemoOptions {
  /** Ad requests a second. */
  readonly rate: number;
  /** All traffic and all bids follow from it. */
  readonly seed: string;
  /** The settings of the node, by flag. */
  readonly flags: Readonly<Record<string, string | undefined>>;
}

const SIMULATOR = fileURLToPath(new URL('../../sim/main.ts', import.meta.url));
const CONFIGURATION = fileURLToPath(new URL('../../examples/demo.yaml', import.meta.url));
const EXIT_USAGE = 2;

/**
 * Runs an exchange with simulated bidders and publishers on a fresh data directory, and prints its
 * auctions as they are recorded. Everything that it starts ends with it.
 *
 * @returns the exit code.
 * @throws CommandError when a part cannot start.
 */
export async function demoCommand(
  options: DemoOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-demo-'));
  const bidders = new Companion(SIMULATOR, [
    'bidders',
    '--config',
    CONFIGURATION,
    '--seed',
    options.seed,
  ]);
  const companions = [bidders];
  const ended = new AbortController();
  try {
    const endpoints = readEndpoints(await bidders.firstLine('the simulated bidders'));
    const file = join(directory, 'demo.yaml');
    writeFileSync(file, configure(endpoints));
    const read = readSettings(
      {
        '--log-level': 'warn',
        ...options.flags,
        '--data': join(directory, 'data'),
        '--apply': file,
      },
      environment,
    );
    if (!read.ok) {
      for (const problem of read.problems) console.error(problem);
      return EXIT_USAGE;
    }
    const feeding: Promise<void>[] = [];
    const code = await runSupervisor(read.settings, (settings) => {
      printWelcome(settings, options);
      companions.push(sendTraffic(settings, file, options));
      feeding.push(printAuctions(settings, file, ended.signal).catch(reportFeed));
    });
    ended.abort();
    await Promise.all(feeding);
    return code;
  } finally {
    ended.abort();
    await Promise.all(companions.map((companion) => companion.stop()));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The demo's configuration with the addresses of the simulated bidders put in. */
function configure(endpoints: ReadonlyMap<number, string>): string {
  const document: unknown = parse(readFileSync(CONFIGURATION, 'utf8'), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('bidder' in value)) return value;
    const endpoint = 'id' in value ? endpoints.get(Number(value.id)) : undefined;
    if (endpoint === undefined) return value;
    return { ...value, bidder: { ...Object(value.bidder), endpoint } };
  });
  return stringify(document);
}

/** By demand partner id. */
function readEndpoints(line: string): ReadonlyMap<number, string> {
  const ready: unknown = JSON.parse(line);
  if (typeof ready !== 'object' || ready === null || !('endpoints' in ready)) {
    throw new CommandError(`The simulated bidders said ${line} instead of their addresses.`);
  }
  return new Map(
    Object.entries(Object(ready.endpoints)).map(([id, url]) => [Number(id), String(url)]),
  );
}

function printWelcome(
  { exchangeUrl, controlUrl, dataDirectory }: Settings,
  options: DemoOptions,
): void {
  console.log(
    [
      '',
      'Rialto demo: a whole exchange with simulated partners, on this machine only.',
      `  ad requests  ${exchangeUrl}/openrtb2/auction`,
      `  metrics      ${exchangeUrl}/metrics, ${controlUrl}/metrics`,
      `  data         ${dataDirectory} (removed at the end)`,
      `  traffic      ${options.rate} ad requests a second, seed ${options.seed}; Ctrl-C ends the demo`,
      '',
    ].join('\n'),
  );
}

function sendTraffic(settings: Settings, file: string, options: DemoOptions): Companion {
  const port = new URL(settings.exchangeUrl ?? '').port;
  const publishers = new Companion(SIMULATOR, [
    'publishers',
    '--config',
    file,
    '--url',
    `http://127.0.0.1:${port}`,
    '--rate',
    String(options.rate),
    '--seed',
    options.seed,
  ]);
  publishers.drain();
  return publishers;
}

/** Prints each auction when its record is in the journal, and a sum of it all now and then. */
async function printAuctions(settings: Settings, file: string, ended: AbortSignal): Promise<void> {
  const feed = new DemoFeed(readFileSync(file, 'utf8'));
  const directory = join(settings.dataDirectory, 'journal');
  for await (const { text } of readJournal({ directory, stream: 'money', follow: ended })) {
    console.log(feed.describe(JSON.parse(text)));
    const sum = feed.sumWhenDue(performance.now());
    if (sum !== null) console.log(sum);
  }
  console.log(feed.sum());
}

/** The exchange goes on without its feed. */
function reportFeed(error: unknown): void {
  console.error(`The auctions can no longer be shown: ${String(error)}`);
}
