import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RialtoError } from '../base/errors.ts';

/** 128 bits: enough that no two forms of a resource are taken for one. */
const LENGTH = 22;

/** The strong entity tag of a resource as it is shown (RFC 9110 section 8.8.3). */
export function etagOf(shown: object): string {
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
  return `"${hash.slice(0, LENGTH)}"`;
}

/**
 * Answers with a resource and its tag; with 304 and nothing when the client has it already
 * (RFC 9110 section 13.1.2).
 */
export function answerTagged(request: FastifyRequest, reply: FastifyReply, shown: object): unknown {
  const etag = etagOf(shown);
  reply.header('etag', etag);
  if (!isListed(request.headers['if-none-match'], etag, 'weak')) return shown;
  return reply.code(304).send();
}

/**
 * Holds a change back from what its client has not seen (RFC 9110 sections 13.1.1 and 13.1.2); one
 * without `If-Match` changes whatever is there. `If-None-Match: *` only makes what is not there.
 *
 * @param shown the resource as it is now; null where there is none, which no tag matches.
 * @throws RialtoError when the client names another tag.
 */
export function requireMatch({ headers }: FastifyRequest, shown: object | null): void {
  const etag = shown === null ? null : etagOf(shown);
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers;
  const isWanted = wanted === undefined || (etag !== null && isListed(wanted, etag, 'strong'));
  const isUnwanted = unwanted !== undefined && etag !== null && isListed(unwanted, etag, 'weak');
  if (!isWanted || isUnwanted) throw new RialtoError('precondition_failed');
}

/** Tags have no commas of ours in them; `*` is any. A weak tag matches only where that is enough. */
function isListed(
  header: string | undefined,
  etag: string,
  comparison: 'weak' | 'strong',
): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim());
  return tags.some(
    (tag) => tag === '*' || (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === etag,
  );
}
