import nodeFs from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { createNoticeHttpClient } from '../adapters/notice-http.ts';
import { createAddressPolicy } from '../base/address-policy.ts';
import { makeDirectory } from '../base/make-directory.ts';
import { ControlClient } from '../courier/control-client.ts';
import { JournalNews } from '../courier/journal-news.ts';
import { JournalKeeper } from '../courier/journal-keeper.ts';
import { JournalSegments } from '../courier/journal-segments.ts';
import { LeaseRelay } from '../courier/lease-relay.ts';
import { NoticeRunner } from '../courier/notice-runner.ts';
import { Shipper } from '../courier/shipper.ts';
import { SnapshotFeed } from '../courier/snapshot-feed.ts';
import { StatusReporter } from '../courier/status-reporter.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal } from '../journal/journal.ts';
import type { NodeProcess } from '../ports/node-status.ts';
import type { RoleContext } from './child.ts';
import { lockFile } from './file-lock.ts';

/** Connections to one destination of notices, and how many may be on their way on each. */
const NOTICE_CONNECTIONS_MAX = 16;
const NOTICE_PIPELINING_MAX = 16;
/** Notices on their way to all destinations together. */
const NOTICES_MAX = 1_024;
/** How long a node with a snapshot waits for a control of its own that fails, and for one that is silent. */
const CONTROL_FAILS_MS = 1_000;
const CONTROL_SILENT_MS = 5_000;
/** How long an ending courier waits for the answers to its notices. */
const NOTICE_GRACE_MS = 1_000;

/**
 * Composes the courier. On a node with control it is ready once it has what control has, so that
 * an exchange started after it never serves an older configuration; when control stays away, once
 * that is known, if there is a snapshot on disk. Elsewhere it is ready after its first question,
 * answered or not, because the node serves what it has on disk when control is away.
 *
 * @throws Error when the supervisor did not say where control is.
 */
export async function startCourier(context: RoleContext): Promise<void> {
  const { settings, logger, dataDirectory } = context;
  const { internalUrls, internalSecret, roles } = settings;
  if (internalUrls.length === 0 || internalSecret === null) {
    throw new Error('the courier was not told where control is');
  }
  let isAddressAllowed = createAddressPolicy([]);
  const settingsKnown = Promise.withResolvers<void>();
  const feed = new SnapshotFeed({
    urls: internalUrls,
    secret: internalSecret,
    dataDirectory,
    logger,
    onNews: (news) => context.announceSnapshot(news),
    onSettings: ({ allowPrivateAddresses }) => {
      isAddressAllowed = createAddressPolicy(allowPrivateAddresses);
      settingsKnown.resolve();
    },
  });
  context.onDrain(() => feed.stop());
  const serveFromDisk = (): void => {
    if (feed.knownVersion !== '') context.ready();
  };
  const startMs = performance.now();
  const silent = setTimeout(serveFromDisk, CONTROL_SILENT_MS);
  context.onDrain(async () => clearTimeout(silent));
  feed.start((answered) => {
    settingsKnown.resolve();
    if (answered || !roles.includes('control')) context.ready();
    else if (performance.now() - startMs >= CONTROL_FAILS_MS) serveFromDisk();
  });
  const control = new ControlClient({ urls: internalUrls, secret: internalSecret });
  const journal = openNodeJournal(dataDirectory);
  const relay = relayLeases(context, control, journal.incarnation);
  const news = new JournalNews();
  context.onGrowth(() => news.tell());
  const notices = prepareNotices(context, { ...journal, news }, (ip) => isAddressAllowed(ip));
  // No notice is called before the configuration says whom one may call. A store that cannot be read
  // any more rejects this, unhandled, which ends the process.
  void settingsKnown.promise.then(() => notices.run());
  await startShipping(context, {
    journal,
    news,
    control,
    notices,
    snapshot: () => feed.knownVersion,
  });
  // Registered last and run first: it has a last message for control.
  context.onDrain(() => relay.stop());
}

/** The journal of the node, which every role of it writes to. */
interface NodeJournal {
  readonly directory: string;
  readonly incarnation: string;
}

function openNodeJournal(dataDirectory: string): NodeJournal {
  const directory = join(dataDirectory, 'journal');
  makeDirectory(directory);
  return { directory, incarnation: readIncarnation(directory, nodeFs) };
}

/** From here on the reports of the exchange processes go to control, and their leases come back. */
function relayLeases(
  context: RoleContext,
  control: ControlClient,
  incarnation: string,
): LeaseRelay {
  const relay = new LeaseRelay({
    incarnation,
    workers: context.settings.workers,
    control,
    deliver: (leases) => context.deliverLeases(leases),
    logger: context.logger,
  });
  context.onLeaseReport((report) => relay.take(report));
  return relay;
}

/** What calls the notices that the journal makes due, one courier of the node at a time. */
function prepareNotices(
  context: RoleContext,
  { directory: journalDirectory, incarnation, news }: NodeJournal & { readonly news: JournalNews },
  isAddressAllowed: (ip: string) => boolean,
): NoticeRunner {
  const { dataDirectory, logger } = context;
  const now = Date.now;
  const monotonic = (): number => performance.now();
  const client = createNoticeHttpClient({
    isAddressAllowed,
    connectionsMax: NOTICE_CONNECTIONS_MAX,
    pipeliningMax: NOTICE_PIPELINING_MAX,
    inFlightMax: NOTICES_MAX,
    now: monotonic,
  });
  const onFailure = (error: Error): never => {
    logger.fatal({ err: error }, 'the journal could not be brought to the disk');
    process.exit(1);
  };
  const directory = join(dataDirectory, 'courier');
  makeDirectory(directory);
  const notices = new NoticeRunner({
    dataDirectory,
    journalDirectory,
    incarnation,
    lock: () => lockFile(join(directory, 'notices.lock')),
    openJournal: () =>
      openJournal({
        directory: journalDirectory,
        stream: 'money',
        writer: 'courier',
        now,
        durable: { onFailure },
        onGrowth: () => news.tell(),
      }),
    client,
    news,
    logger,
    now,
    monotonic,
  });
  context.onDrain(async () => {
    await notices.stop(NOTICE_GRACE_MS);
    await client.close();
  });
  return notices;
}

interface Shipping {
  readonly journal: NodeJournal;
  readonly news: JournalNews;
  readonly control: ControlClient;
  readonly notices: NoticeRunner;
  /** The configuration that the node has, `EPOCH.SEQ`. */
  readonly snapshot: () => string;
}

/** What carries the journal out, keeps it within its limits, and tells control of both. */
async function startShipping(
  context: RoleContext,
  { journal, news, control, notices, snapshot }: Shipping,
): Promise<void> {
  const { logger, dataDirectory } = context;
  const { directory: journalDirectory, incarnation } = journal;
  const now = Date.now;
  const segments = new JournalSegments({ directory: journalDirectory, incarnation, logger, now });
  const shipping = { dataDirectory, journalDirectory, incarnation, segments, control, news, now };
  const shipper = await Shipper.open({ ...shipping, stream: 'money', logger });
  const traces = await Shipper.open({
    ...shipping,
    stream: 'trace',
    logger: logger.child({ stream: 'trace' }),
    givesWay: () => shipper.hasBacklog,
  });
  const keeper = new JournalKeeper({
    journalDirectory,
    segments,
    shipper,
    traces,
    notices,
    logger,
    now,
  });
  const { version } = packageJson;
  let processes: readonly NodeProcess[] = [];
  context.onProcesses((told) => (processes = told));
  const reporter = new StatusReporter({
    incarnation,
    version,
    snapshot,
    shipper,
    traces,
    keeper,
    notices,
    segments,
    processes: () => processes,
    control,
    logger,
    now,
  });
  context.onDrain(async () => {
    const ends = [shipper, traces, keeper, reporter].map((each) => each.stop());
    await Promise.all([control.close(), ...ends]);
  });
  keeper.start();
  reporter.start();
  // The first failed fsync rejects these, unhandled, which ends the process.
  void shipper.run();
  void traces.run();
}
