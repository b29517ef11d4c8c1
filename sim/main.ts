import { Command, InvalidArgumentError } from 'commander';
import { startBidder, type SimBidder } from './bidder.ts';
import { readCatalogue } from './catalogue.ts';
import { DURATION_MAX_MS, runOpenLoop } from './load.ts';
import { assertLoopback } from './loopback.ts';
import { personalityOf } from './personalities.ts';
import { createTraffic, type Traffic } from './publisher.ts';
import { createRandom } from './random.ts';

const program = new Command('sim')
  .description('Seeded simulators of bidders and publishers, on this machine only.')
  .addHelpText(
    'after',
    '\nEvery command ends on SIGTERM, SIGINT and when its stdin closes; bidders --as-configured reads no stdin.',
  );

program
  .command('bidders')
  .description('starts a bidder for every demand partner that has one')
  .requiredOption('--config <file>', 'exchange file, such as examples/exchange.yaml')
  .option('--seed <seed>', 'what all chance follows from', '1')
  .option('--as-configured', 'listens where the file says, instead of on free ports', false)
  .action(runBidders);

program
  .command('publishers')
  .description("sends the ad requests of the file's publishers")
  .requiredOption('--config <file>', 'exchange file, such as examples/exchange.yaml')
  .requiredOption('--url <url>', 'address of the exchange, such as http://127.0.0.1:8081')
  .option('--seed <seed>', 'what all chance follows from', '1')
  .option('--rate <number>', 'requests per second', positive, 20)
  .option('--duration <seconds>', 'how long; until it is stopped when left out', positive)
  .action(runPublishers);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`sim: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  // An open stdin would keep the process alive after its work is done.
  process.stdin.destroy();
}

interface BiddersOptions {
  readonly config: string;
  readonly seed: string;
  readonly asConfigured: boolean;
}

/** Prints one line of JSON when all bidders listen: where each one takes bid requests. */
async function runBidders({ config, seed, asConfigured }: BiddersOptions): Promise<void> {
  const stop = stopSignal(!asConfigured);
  const random = createRandom(seed);
  const bidders = new Map<string, SimBidder>();
  try {
    for (const [index, partner] of readCatalogue(config).partners.entries()) {
      const options = {
        profile: personalityOf(partner, index, random.fork(partner.id)),
        seed: `${seed}/${partner.id}`,
        ...(asConfigured ? listeningAt(partner.endpoint) : {}),
      };
      bidders.set(partner.id, await startBidder(options));
    }
    const endpoints = Object.fromEntries([...bidders].map(([id, { url }]) => [id, url]));
    process.stdout.write(`${JSON.stringify({ ready: true, endpoints })}\n`);
    await aborted(stop);
  } finally {
    await Promise.all([...bidders.values()].map((bidder) => bidder.close()));
  }
}

/** Where a bidder has to listen to be reached at an endpoint, whose path must be the bidder's. */
function listeningAt(endpoint: string): { host: string; port: number } {
  const { hostname, port, pathname } = assertLoopback(endpoint);
  if (pathname !== '/bid') throw new RangeError(`a simulated bidder answers at /bid: ${endpoint}`);
  // Port 80 is not written in an address, and a host in brackets is an IPv6 one.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

interface PublishersOptions {
  readonly config: string;
  readonly url: string;
  readonly seed: string;
  readonly rate: number;
  readonly duration?: number;
}

/** Prints a line of JSON a second and one at the end, each with the totals since the start. */
async function runPublishers(options: PublishersOptions): Promise<void> {
  const stop = stopSignal(true);
  const traffic = createTraffic({ catalogue: readCatalogue(options.config), seed: options.seed });
  const totals = { sent: 0, filled: 0, unfilled: 0, failed: 0 };
  const print = (): void => void process.stdout.write(`${JSON.stringify(totals)}\n`);
  const timer = setInterval(print, 1000);
  try {
    await sendTraffic(options, { traffic, totals, stop });
  } finally {
    clearInterval(timer);
  }
  print();
}

interface Sending {
  readonly traffic: Traffic;
  readonly totals: { sent: number; filled: number; unfilled: number; failed: number };
  readonly stop: AbortSignal;
}

async function sendTraffic(options: PublishersOptions, { traffic, totals, stop }: Sending) {
  let leftMs = (options.duration ?? Number.POSITIVE_INFINITY) * 1000;
  // A run is bounded; an endless one is a row of bounded ones.
  while (leftMs > 0 && !stop.aborted) {
    const durationMs = Math.min(leftMs, DURATION_MAX_MS);
    await runOpenLoop({
      url: new URL('/openrtb2/auction', options.url).href,
      ratePerSecond: options.rate,
      durationMs,
      signal: stop,
      timeoutMs: 2000,
      next() {
        totals.sent += 1;
        return traffic.next();
      },
      onResponse(_, status) {
        if (status === 200) totals.filled += 1;
        else if (status === 204) totals.unfilled += 1;
        else totals.failed += 1;
      },
      onError() {
        totals.failed += 1;
      },
    });
    leftMs -= durationMs;
  }
}

/**
 * Aborted when somebody wants this process to end, or when its parent has gone.
 *
 * @param readsStdin false for one that a person starts in the background of a shell, where reading
 *   would stop it.
 */
function stopSignal(readsStdin: boolean): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  // The parent holds the other end of both pipes, so that it cannot be outlived.
  if (readsStdin) process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
  process.stdout.on('error', stop);
  return controller.signal;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give a number above 0.');
}
