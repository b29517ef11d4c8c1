import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { CONNECTIONS_MAX, HTTP_OPTIONS } from '../base/http-server.ts';
import { BILLED, readBilled, readBillingNodes } from '../analytics/billed.ts';
import { createQuarantine } from '../analytics/quarantine.ts';
import { CommandError } from '../base/errors.ts';
import { compileSnapshot } from '../configuration/compile.ts';
import { createLeaseStore } from '../configuration/lease-store.ts';
import { createOffsetStore } from '../configuration/offset-store.ts';
import { offerFirstOperator } from '../configuration/one-time-link-store.ts';
import type { Database } from '../configuration/schema.ts';
import { createStoreRegister } from '../configuration/store-register.ts';
import { readVersion } from '../configuration/version.ts';
import { describeInFile } from '../control/apply-file.ts';
import {
  removeInternalAddress,
  writeInternalAddress,
  type InternalAddress,
} from '../control/internal-address.ts';
import { createInternalServer } from '../control/internal.ts';
import { registerCertificateMetrics } from '../control/certificate-metrics.ts';
import { registerGrantMetrics } from '../control/lease-metrics.ts';
import { LeaseSettlement } from '../control/lease-settlement.ts';
import { Leases } from '../control/leases.ts';
import { listenOn } from '../site/listen.ts';
import { loadedUntilMs } from '../control/loaded-until.ts';
import { registerLoaderMetrics } from '../control/loader-metrics.ts';
import { registerNodeMetrics } from '../control/node-metrics.ts';
import { NodeRegister } from '../control/node-register.ts';
import { createPresentSnapshot } from '../control/present-snapshot.ts';
import { createPublicServer } from '../site/public.ts';
import { SnapshotSource } from '../control/snapshot-source.ts';
import { snapshotPath } from '../courier/snapshot-file.ts';
import { LocalOperator } from '../identity/local-operator.ts';
import { linkUrl } from '../identity/one-time-links.ts';
import type { ExplainerParts } from '../management/auctions/explain-auction.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import { Analytics } from './analytics.ts';
import { createBidderCertificates } from './bidder-certificates.ts';
import { trimAuditLogDaily } from './audit-trim.ts';
import type { RoleContext } from './child.ts';
import { FileThreads } from './file-threads.ts';
import { createQuarantineService } from './quarantine-service.ts';
import { composeConsole } from './console.ts';
import { createBidderTester } from './bidder-tester.ts';
import { openConfigurationStore, readControlPlace, standForLeader } from './configuration-store.ts';
import { composeManagement } from './management.ts';
import { createManagementAsks } from './management-asks.ts';
import { purgeKeysDaily } from './key-purge.ts';
import { internalUrl, reachable } from './reachable.ts';
import { composeReporting } from './reporting.ts';
import { createConditionSources } from './condition-sources.ts';
import { startSubscriptions } from './subscription-service.ts';
import { readSmtpSettings } from './smtp-settings.ts';
import { createStatusService } from './status-service.ts';

/** A batch may come over a slow line: 4 MB at 1 Mbit/s. */
const INTERNAL_REQUEST_MS = 40_000;
/**
 * Opening the analytics store takes the processor for a fifth of a second, which is left to the
 * node's other processes while they start. A batch that comes before begins it.
 */
const ANALYTICS_AFTER_MS = 1_000;
/** Nodes report every two seconds: one that was not heard of for so long reports elsewhere, or not. */
const HEARD_S = 30;

/**
 * Composes control: opens the store, applies the file it was started with, compiles the snapshot,
 * and serves operators and couriers. Its public port answers from the beginning, so that whoever
 * watches `/readyz` sees it start. The analytics store is opened when all that is done.
 */
export async function startControl(context: RoleContext): Promise<void> {
  const { settings, logger, registry, listenFds } = context;
  if (settings.internalSecret === null) throw new Error('control was given no internal secret');
  const internalFd = listenFds['internal'];
  if (internalFd === undefined) throw new Error('control was given no internal socket');

  const db = await openStore(context);
  context.onDrain(() => db.destroy());
  const nodes = new NodeRegister(Date.now);
  // The nodes report to the control that loads what they record, and it alone can settle.
  const isPreferred = (): boolean =>
    nodes.nodes.some(({ atMs }) => nodes.ageSeconds(atMs) < HEARD_S);
  const candidacy = await standForLeader(settings, { isPreferred, logger });
  context.onDrain(() => candidacy.stop());
  const { leadership } = candidacy;
  const leases = new Leases({ store: createLeaseStore(db), leadership, now: Date.now });
  let compiledAtMs = 0;
  const source = new SnapshotSource({
    reader: { version: () => readVersion(db), compile: () => compileSnapshot(db, pause) },
    registry,
    logger,
    onCompiled: (entities) => {
      compiledAtMs = Date.now();
      leases.useCaps(entities);
    },
  });
  const { trustedProxies, exchangeUrl, trackerUrl, controlUrl: authUrl } = settings;
  if (authUrl === null) throw new Error('control was not told its own address');
  const publicServer = createPublicServer({
    logger,
    isReady: () => source.current !== undefined,
    console: composeConsole(context, { authUrl, exchangeUrl }),
  });
  context.onDrain(() => publicServer.close());
  const place = readControlPlace(settings);
  const offsets = createOffsetStore(db, place);
  const quarantine = createQuarantine(join(context.dataDirectory, 'quarantine'));
  const { dataDirectory } = context;
  const register = createStoreRegister(db, place);
  const analytics = new Analytics({
    dataDirectory,
    offsets,
    register,
    quarantine,
    loadedUntilMs: () => loadedUntilMs(nodes.nodes, Date.now()),
    logger,
  });
  context.onDrain(() => analytics.close());
  composeReporting(publicServer, { db, openedStore: () => analytics.opened(), logger });
  const explainer: ExplainerParts = {
    findAuction: (id) => analytics.findAuction(id),
    snapshot: createPresentSnapshot(source, pause),
    now: Date.now,
  };
  const tester = createBidderTester({ db, snapshot: explainer.snapshot });
  context.onDrain(() => tester.close());
  const certificates = createBidderCertificates({ db, logger, warnDays: settings.certificateDays });
  context.onDrain(() => certificates.stop());
  const readStatus = createStatusService({
    certificates: certificates.register,
    source,
    nodes,
    analytics,
    quarantine,
    compiledAtMs: () => compiledAtMs,
  });
  const { testBidder } = tester;
  const quarantineService = createQuarantineService({ db, quarantine, analytics, now: Date.now });
  const local = new LocalOperator();
  const files = new FileThreads(settings);
  context.onDrain(() => files.close());
  const smtp = await readSmtpSettings(settings);
  const asks = createManagementAsks({
    db,
    analytics,
    nodes,
    explainer,
    exchangeUrl,
    sendsEmail: smtp !== null,
    testBidder,
    readStatus,
    quarantine: quarantineService,
    files,
  });
  const addresses = { trustedProxies, authUrl, trackerUrl };
  composeManagement(publicServer, { db, logger, registry, local, ...addresses, asks });
  await listenOn(publicServer, context.listenFd, {
    requestTimeout: HTTP_OPTIONS.requestTimeout,
    connectionsMax: CONNECTIONS_MAX.control,
  });

  if (settings.applyFile !== null) await applyAtStart(files, settings.applyFile, logger);
  // Not in a control that takes another's place: the link that was printed stays good.
  const link = context.startsNode ? await offerFirstOperator(db, Date.now()) : null;
  if (link !== null) context.offerFirstOperator(linkUrl(authUrl, link));
  await source.start();
  await candidacy.start();
  registerNodeMetrics(registry, nodes);
  registerGrantMetrics(registry, leases);
  registerCertificateMetrics(registry, certificates.register);
  registerLoaderMetrics(registry, {
    counters: () => analytics.loader?.counters ?? null,
    isStoreKnown: () => analytics.state === 'known',
    isHeld: () => analytics.isHeld,
    quarantined: () => quarantine.figures(),
  });
  const internalServer = createInternalServer({
    logger,
    secret: settings.internalSecret,
    source,
    load: (batch) => analytics.load(batch),
    giveUp: (batch) => analytics.giveUp(batch),
    nodes,
    grant: (report) => leases.answer(report),
    forget: (incarnation, segments) => offsets.forget(incarnation, segments),
    lacks: (incarnation, acknowledged) => offsets.lacks(incarnation, acknowledged),
    reofferedAt: () => register.reofferedAt(),
    isStoreStrange: () => analytics.state !== 'known',
    reoffer: async () => ({ before: await analytics.reoffer() }),
    storeReader: analytics,
  });
  const settlement = new LeaseSettlement({
    leases,
    nodes,
    hasOthers: settings.databaseUrl !== null,
    readBilled: async (question) => readBilled(await analytics.filled(BILLED), question),
    readBillingNodes: async (date) => readBillingNodes(await analytics.filled(BILLED), date),
    reofferedAt: () => register.reofferedAt(),
    logger,
    now: Date.now,
  });
  context.onDrain(trimAuditLogDaily({ db, days: settings.auditDays, logger, now: Date.now }));
  context.onDrain(purgeKeysDaily({ db, logger, now: Date.now }));
  context.onDrain(() => settlement.stop());
  await listenInternally(context, internalServer, internalFd);
  await leaveAddress(context, internalServer, {
    url: `http://${reachable(settings.host)}:${portOf(publicServer.server)}`,
    token: local.token,
  });
  context.ready();
  setTimeout(() => analytics.open(), ANALYTICS_AFTER_MS);
  settlement.start();
  certificates.start();
  const sources = createConditionSources({
    db,
    asks,
    leases,
    analytics,
    certificates: certificates.register,
  });
  context.onDrain(
    startSubscriptions({ db, leadership, sources, logger, smtp, controlUrl: authUrl }),
  );
}

/**
 * Opens the configuration store.
 *
 * @throws CommandError, which ends the start, on a node that has nothing else to serve from.
 * @throws Error where it has a snapshot: it serves without control, which is tried again.
 */
async function openStore({ settings, dataDirectory }: RoleContext): Promise<Kysely<Database>> {
  try {
    return await openConfigurationStore(settings);
  } catch (error) {
    if (!(error instanceof CommandError) || !existsSync(snapshotPath(dataDirectory))) throw error;
    throw new Error(error.message, { cause: error });
  }
}

/** Listens for the node's couriers, and for the commands that compare or repair stores. */
async function listenInternally(
  context: RoleContext,
  server: FastifyInstance,
  fd: number,
): Promise<void> {
  context.onDrain(() => server.close());
  const connectionsMax = CONNECTIONS_MAX.internal;
  await listenOn(server, fd, { requestTimeout: INTERNAL_REQUEST_MS, connectionsMax });
}

/** Tells commands of this machine where control is, and how they are let in. */
async function leaveAddress(
  context: RoleContext,
  server: FastifyInstance,
  api: InternalAddress['api'],
): Promise<void> {
  const { settings, dataDirectory, logger } = context;
  const url = internalUrl(settings.internalHost, portOf(server.server));
  context.onDrain(() => removeInternalAddress(dataDirectory));
  // Commands that cannot find this control are no reason not to serve.
  await writeInternalAddress(dataDirectory, { supervisor: process.ppid, url, api }).catch(
    (error: unknown) => logger.warn({ err: error }, 'the address of control cannot be written'),
  );
}

/** Lets what others ask of control run between two slices of work. */
function pause(): Promise<void> {
  return nextTurn();
}

async function applyAtStart(files: FileThreads, file: string, logger: Logger): Promise<void> {
  const { created, updated, unchanged, version, notes } = await files.applyAtStart(file);
  logger.info(
    { file, created, updated, unchanged, version: versionKey(version) },
    'configuration file applied',
  );
  for (const note of notes) logger.warn(describeInFile(file, note));
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not bound to a port');
  return address.port;
}
