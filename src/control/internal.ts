import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import Type, { type Static } from 'typebox';
import { RialtoError } from '../base/errors.ts';
import { NodeLeaseReportSchema, type NodeLeaseReport, type NodeLeases } from '../ports/leases.ts';
import { NodeStatusSchema, type NodeStatus, type StatusAnswer } from '../ports/node-status.ts';
import { createHttpApp } from './http-app.ts';
import { registerIntake, type IntakeOptions } from './intake.ts';
import type { NodeRegister } from './node-register.ts';
import { answerProblems } from './problem-details.ts';
import { registerReconcile, type StoreReader } from './reconcile.ts';
import { registerReplay, type RecordedReader } from './replay.ts';
import type { ReofferAnswer } from './reoffer.ts';
import type { SnapshotSource } from './snapshot-source.ts';

/** How long a courier's question is held when there is nothing new. */
const LONG_POLL_MS = 25_000;
/** What the processes of a node say of their limits; many line items in many processes fill it. */
const LEASE_REPORT_BYTES_MAX = 64 * 1024 * 1024;

export interface InternalServerOptions {
  readonly logger: Logger;
  readonly secret: string;
  readonly source: SnapshotSource;
  readonly load: IntakeOptions['load'];
  readonly giveUp: IntakeOptions['giveUp'];
  readonly nodes: NodeRegister;
  /** Rejects when nothing can be granted. */
  readonly grant: (report: NodeLeaseReport) => Promise<NodeLeases>;
  /** Forgets segments that a node has removed from its disk. */
  readonly forget: (incarnation: string, segments: readonly string[]) => Promise<void>;
  /** Whether segments were acknowledged further than the configuration store knows. */
  readonly lacks: (
    incarnation: string,
    acknowledged: Readonly<Record<string, number>>,
  ) => Promise<boolean>;
  /** When the journals were last asked for again; see `ports/store-register.ts`. */
  readonly reofferedAt: () => Promise<number>;
  /** Whether the analytics store is not the one that was loaded into. */
  readonly isStoreStrange: () => boolean;
  /** For `rialto reoffer`. */
  readonly reoffer: () => Promise<ReofferAnswer>;
  /** For `rialto reconcile` and `rialto replay`. */
  readonly storeReader: StoreReader & RecordedReader;
}

const SnapshotQuery = Type.Object({
  /** The version that the courier has, `EPOCH.SEQ`; absent or empty when it has none. */
  after: Type.Optional(Type.String({ maxLength: 200 })),
  /** How long to hold the question when there is nothing new; 0 asks for an answer at once. */
  wait_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: LONG_POLL_MS })),
});

/**
 * Control's listener for couriers, bound on loopback by default and closed to all who do not know
 * the shared secret.
 *
 * `GET /internal/snapshot?after=EPOCH.SEQ` answers 200 with the snapshot (see `snapshot/wire.ts`)
 * as soon as it is another one than the courier has, 304 when it has not changed for `wait_ms`,
 * 25 s if that is left out. `POST /internal/batches`: see `intake.ts`. `POST /internal/nodes/status`
 * takes what a courier says of its node, and answers when the journals were last asked for again (see
 * `ports/node-status.ts`), which `POST /internal/reoffer` does. `POST /internal/leases` answers
 * what its exchange processes say with leases (see `ports/leases.ts`). `POST /internal/reconcile`: see
 * `reconcile.ts`.
 */
export function createInternalServer(options: InternalServerOptions): FastifyInstance {
  const { logger, secret, source, load, giveUp, nodes, grant, forget } = options;
  const app = createHttpApp();
  answerProblems(app, logger);
  const expected = digest(`Bearer ${secret}`);
  app.addHook('onRequest', async (request) => {
    const given = digest(request.headers.authorization ?? '');
    if (!timingSafeEqual(given, expected)) throw new RialtoError('unauthorized');
  });
  // A courier that waits is answered at once when this process has to end.
  app.addHook('preClose', async () => source.stop());

  app.get<{ Querystring: Static<typeof SnapshotQuery> }>(
    '/internal/snapshot',
    { schema: { querystring: SnapshotQuery } },
    async (request, reply) => {
      const { after = '', wait_ms: waitMs = LONG_POLL_MS } = request.query;
      const snapshot = await source.other(after, waitMs);
      if (snapshot === undefined) return reply.code(304).send();
      return reply
        .header('etag', `"${snapshot.key}"`)
        .type('application/x-ndjson')
        .send(snapshot.text);
    },
  );
  app.post<{ Body: NodeStatus }>(
    '/internal/nodes/status',
    { schema: { body: NodeStatusSchema } },
    async ({ body: status }, reply) => {
      nodes.take(status);
      await forget(status.incarnation, status.gone);
      const answer: StatusAnswer = {
        reofferedAt: await options.reofferedAt(),
        isBehind: await options.lacks(status.incarnation, status.acknowledged ?? {}),
        isStoreStrange: options.isStoreStrange(),
      };
      return reply.send(answer);
    },
  );
  app.post<{ Body: NodeLeaseReport }>(
    '/internal/leases',
    { schema: { body: NodeLeaseReportSchema }, bodyLimit: LEASE_REPORT_BYTES_MAX },
    async ({ body: report }) => grant(report),
  );
  app.post('/internal/reoffer', async (_request, reply) => reply.send(await options.reoffer()));
  registerIntake(app, { load, giveUp, logger });
  registerReconcile(app, options.storeReader);
  registerReplay(app, options.storeReader);
  return app;
}

/** Digests are of one length whatever was sent, so that the comparison takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
