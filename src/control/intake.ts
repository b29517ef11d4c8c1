import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { LoadResult } from '../analytics/load-result.ts';
import { RialtoError } from '../base/errors.ts';
import { streamOf, type Batch, type BatchStream } from '../ports/batch.ts';
import {
  BATCH_BODY_BYTES_MAX,
  BATCH_MEDIA_TYPE,
  BATCH_PATHS,
  decodeBatch,
  GIVEN_UP_BYTES_MAX,
  GIVEN_UP_PATH,
  GivenUpSchema,
  type BatchAnswer,
  type GivenUp,
  type GivenUpAnswer,
} from '../ports/batch-wire.ts';

/** Bytes of batches that are held at a time: some are loaded together, the others wait for that. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;
/** Those of traces among them: they must not take the room of money. */
const HELD_TRACE_BYTES_MAX = 8 * 1024 * 1024;
/** However small they are. */
const BATCHES_HELD_MAX = 500;
/** What a courier is asked to wait before it offers its batch again, in seconds. */
const RETRY_AFTER_SECONDS = '1';

const STATUS: Readonly<Record<BatchAnswer['kind'], number>> = {
  loaded: 200,
  already: 200,
  quarantined: 200,
  conflict: 409,
  failed: 503,
};

export interface IntakeOptions {
  /** Rejects with a TypeError what is no batch; see `Loader.load`. */
  readonly load: (batch: Batch) => Promise<LoadResult>;
  /** See `Loader.giveUp`. */
  readonly giveUp: (batch: GivenUp) => Promise<GivenUpAnswer>;
  readonly logger: Logger;
}

/**
 * `POST /internal/batches`, and `/internal/batches/trace` for traces: a batch of a node's journal (see
 * `ports/batch-wire.ts`). It is answered once the batch is in the analytics store for good, or held for
 * a person to look at, or neither. `POST /internal/batches/given-up` is for one that its node cannot make
 * again.
 */
export function registerIntake(app: FastifyInstance, options: IntakeOptions): void {
  const { load, logger } = options;
  const held = { money: new HeldBodies(), trace: new HeldBodies() };
  const loading = new Set<IncomingMessage>();
  const isFull = (stream: BatchStream): boolean =>
    held.money.count + held.trace.count >= BATCHES_HELD_MAX ||
    held.money.bytes + held.trace.bytes >= HELD_BYTES_MAX ||
    (stream === 'trace' && held.trace.bytes >= HELD_TRACE_BYTES_MAX);
  app.register(async (scope) => {
    scope.addContentTypeParser(
      BATCH_MEDIA_TYPE,
      { parseAs: 'buffer', bodyLimit: BATCH_BODY_BYTES_MAX },
      async (_request: unknown, body: Buffer) => body,
    );
    // Before the body is read, so that what is refused takes no memory.
    scope.addHook('onRequest', async (request, reply) => {
      const { raw } = request;
      const stream = request.routeOptions.url === BATCH_PATHS.trace ? 'trace' : 'money';
      if (isFull(stream)) {
        return answer(reply, { kind: 'failed', reason: 'control is loading too many batches' });
      }
      held[stream].add(raw, request.headers['content-length']);
      // A courier that gives up while its batch is loaded does not make room for another one.
      reply.raw.once('close', () => {
        if (!loading.has(raw)) held[stream].delete(raw);
      });
    });
    for (const stream of ['money', 'trace'] as const) {
      scope.post<{ Body: unknown }>(BATCH_PATHS[stream], async ({ raw, body }, reply) => {
        loading.add(raw);
        try {
          const batch = Buffer.isBuffer(body) ? decodeBatch(body) : null;
          if (batch === null || streamOf(batch.manifest) !== stream) {
            throw refusal(`begins with the manifest of a batch of ${stream}, then its records`);
          }
          const result = await load(batch).catch(refuseWhatIsNoBatch);
          tell(logger, batch, result);
          return await answer(reply, result);
        } finally {
          loading.delete(raw);
          held[stream].delete(raw);
        }
      });
    }
  });
  registerGivenUp(app, options);
}

/** Bodies that are read or kept, with their sizes. */
class HeldBodies {
  bytes = 0;
  readonly #sizes = new Map<IncomingMessage, number>();

  get count(): number {
    return this.#sizes.size;
  }

  /** @param length as its header has it; without one it may be as large as any. */
  add(body: IncomingMessage, length: string | undefined): void {
    const size = length === undefined ? BATCH_BODY_BYTES_MAX : Number(length);
    this.#sizes.set(body, size);
    this.bytes += size;
  }

  delete(body: IncomingMessage): void {
    this.bytes -= this.#sizes.get(body) ?? 0;
    this.#sizes.delete(body);
  }
}

/** A batch that a node gives up: what of it is in the store. */
function registerGivenUp(app: FastifyInstance, { giveUp, logger }: IntakeOptions): void {
  app.post<{ Body: GivenUp }>(
    GIVEN_UP_PATH,
    { schema: { body: GivenUpSchema }, bodyLimit: GIVEN_UP_BYTES_MAX },
    async ({ body }, reply) => {
      const result = await giveUp(body);
      const { incarnation: node, segments } = body.manifest;
      if (result.kind === 'failed') {
        logger.warn({ node, reason: result.reason }, 'a batch cannot be given up yet');
        return reply.code(STATUS.failed).header('retry-after', RETRY_AFTER_SECONDS).send(result);
      }
      const details = {
        node,
        segments,
        readable: body.marks.length,
        loaded: result.present.length,
      };
      logger.error(details, 'a batch was given up, which its node cannot make again');
      return reply.send(result);
    },
  );
}

function answer(reply: FastifyReply, result: BatchAnswer): FastifyReply {
  if (result.kind === 'failed') reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply.code(STATUS[result.kind]).send(result);
}

function refuseWhatIsNoBatch(error: unknown): never {
  throw error instanceof TypeError ? refusal(error.message) : error;
}

function refusal(message: string): RialtoError {
  return new RialtoError('invalid_request', [{ pointer: '', message }]);
}

function tell(logger: Logger, { manifest }: Batch, result: LoadResult): void {
  const node = manifest.incarnation;
  switch (result.kind) {
    case 'quarantined': {
      const { records, refused, missing, reason } = result;
      const segments = manifest.segments.map(({ segment }) => segment);
      logger.error(
        { node, segments, records, refused, missing, reason },
        'records of a batch are in quarantine',
      );
      break;
    }
    case 'failed':
      logger.warn({ node, reason: result.reason }, 'a batch could not be loaded; it comes again');
      break;
    case 'conflict':
      logger.warn({ node, offsets: result.offsets }, 'a batch does not follow on what was loaded');
      break;
    case 'loaded':
    case 'already':
      logger.debug({ node, ...result }, 'a batch is loaded');
      break;
  }
}
