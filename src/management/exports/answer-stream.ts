import { PassThrough, Readable, pipeline, type Transform } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What of a stream is held before its reader has to take it. */
const HELD_BYTES = 64 * 1024;

/**
 * Answers with text as it is made: the next piece is asked for when the last one was taken, and none
 * any more when the client has gone. An error in the middle cuts the connection, so that nobody takes
 * a part for the whole.
 *
 * @param end called once, when nothing more is read.
 */
export function answerStream(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    pieces,
    end,
  }: { readonly pieces: AsyncGenerator<string, void, void>; readonly end: () => void },
): FastifyReply {
  const source = Readable.from(pieces, { objectMode: false, highWaterMark: HELD_BYTES });
  const target: Transform = takesGzip(request)
    ? createGzip({ level: constants.Z_BEST_SPEED })
    : new PassThrough({ highWaterMark: HELD_BYTES });
  reply.header('vary', 'accept-encoding');
  if (takesGzip(request)) reply.header('content-encoding', 'gzip');
  // As long as nothing was sent the answer becomes an error, which is not compressed.
  source.once('error', () => {
    reply.removeHeader('content-encoding');
  });
  // Either end takes the other one with it.
  pipeline(source, target, () => end());
  return reply.send(target);
}

/** RFC 9110 section 12.5.3, as far as it is about gzip by its name. */
function takesGzip({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding'];
  const codings = typeof accepted === 'string' ? accepted.split(',') : [];
  return codings.some((coding) =>
    /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(coding),
  );
}
