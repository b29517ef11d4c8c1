import { Command, InvalidArgumentError } from 'commander';
import { startBidder, type SimBidder } from './bidder.ts';
import { readCatalogue } from './catalogue.ts';
import { assertLoopback } from './loopback.ts';
import { DEFAULT_BEHAVIOUR } from './page.ts';
import { personalityOf } from './personalities.ts';
import { runPublishers } from './publishers-run.ts';
import { createRandom } from './random.ts';
import { runSite } from './site.ts';
import { aborted, stopSignal } from './stop-signal.ts';

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
  .description(
    "sends the ad requests of the file's publishers, and the beacons of the ads that come",
  )
  .requiredOption('--config <file>', 'exchange file, such as examples/exchange.yaml')
  .requiredOption('--url <url>', 'address of the exchange, such as http://127.0.0.1:8081')
  .option('--seed <seed>', 'what all chance follows from', '1')
  .option('--rate <number>', 'requests per second', positive, 20)
  .option('--duration <seconds>', 'how long; until it is stopped when left out', positive)
  .option('--decides <share>', 'requests in which the publisher decides', share, 0.1)
  .option('--take <share>', 'of those, ads that it takes', share, DEFAULT_BEHAVIOUR.takeRate)
  .option('--show <share>', 'ads that are shown', share, DEFAULT_BEHAVIOUR.showRate)
  .option('--view <share>', 'shown ads that are seen', share, DEFAULT_BEHAVIOUR.viewRate)
  .option('--click <share>', 'shown ads that are clicked', share, DEFAULT_BEHAVIOUR.clickRate)
  .option('--repeat <share>', 'beacons sent once more', share, DEFAULT_BEHAVIOUR.repeatRate)
  .option('--no-beacons', 'only asks for ads')
  .action(runPublishers);

program
  .command('site')
  .description("serves the front page of the file's first site, with the exchange's tag")
  .requiredOption('--config <file>', 'exchange file, such as examples/demo.yaml')
  .requiredOption('--url <url>', 'address of the exchange, such as http://localhost:8081')
  .option('--port <number>', 'where it listens; 0 for a free port', Number, 0)
  .action(runSite);

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

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give a number above 0.');
}

function share(text: string): number {
  const value = Number(text);
  if (text !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('Give a share from 0 to 1.');
}
