import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RialtoError } from '../../base/errors.ts';
import { answerOtherMethods } from '../../base/other-methods.ts';
import { chooseEncoding, takesHtml } from './accept.ts';
import { isPageAddress } from './addresses.ts';
import { ENCODINGS, type Asset } from './files.ts';
import { pendingPage, refreshSeconds, type BuildState } from './pending-page.ts';
import { contentSecurityPolicy, protectiveHeaders } from './policy.ts';
import type { ConsoleSource } from './source.ts';

export interface ConsoleParts {
  readonly source: Pick<ConsoleSource, 'current'>;
  /** Asked where there is no console to be served. */
  readonly buildState: () => BuildState;
  /** Control's address that others see. */
  readonly authUrl: string;
  /** The exchange's, whose frames show creatives; null where it is not known. */
  readonly exchangeUrl: string | null;
}

/** What stands in the page where each answer's own nonce belongs. */
const NONCE_PLACE = '__CSP_NONCE__';
const NONCE_BYTES = 16;

const PENDING_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The names of assets change with what is in them. */
const FOREVER = 'public, max-age=31536000, immutable';

/** `/assets/…`: what the console's page loads, from memory, compressed as the client understands it. */
export function registerConsoleAssets(app: FastifyInstance, parts: ConsoleParts): void {
  const headers = protectiveHeaders(parts.authUrl);
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const files = await parts.source.current();
    const asset = files?.assets.get(request.params['*']);
    if (asset === undefined) throw new RialtoError('not_found');
    reply.headers(headers).header('cache-control', FOREVER).type(asset.type);
    return sendEncoded(request, reply, asset);
  });
  answerOtherMethods(app, '/assets/*', ['GET']);
}

function sendEncoded(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  if (asset.encoded.size > 0) reply.header('vary', 'accept-encoding');
  const available = ENCODINGS.filter((encoding) => asset.encoded.has(encoding));
  const { 'accept-encoding': accepted } = request.headers;
  const encoding = chooseEncoding(textOf(accepted), available);
  if (encoding === null) return reply.send(asset.plain);
  return reply.header('content-encoding', encoding).send(asset.encoded.get(encoding));
}

/**
 * Answers addresses that belong to no other part of control: with the console's page where a browser
 * asks for one, else as addresses where nothing is.
 */
export function createConsolePages(
  parts: ConsoleParts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const headers = protectiveHeaders(parts.authUrl);
  const isLocal = LOCAL_HOST.test(new URL(parts.authUrl).hostname);
  return async (request, reply) => {
    if (!asksForPage(request)) throw new RialtoError('not_found');
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerMethod(request, reply);
    reply.headers(headers).type('text/html; charset=utf-8');
    const files = await parts.source.current();
    return files === null
      ? sendPending(reply, parts.buildState(), isLocal)
      : sendIndex(request, reply, { index: files.index, exchangeUrl: parts.exchangeUrl });
  };
}

function asksForPage({ url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1);
  return takesHtml(headers.accept) && isPageAddress(path);
}

function answerMethod({ method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('allow', 'GET, HEAD, OPTIONS');
  if (method === 'OPTIONS') return reply.code(204).send();
  throw new RialtoError('method_not_allowed');
}

/** Of this machine: who looks at such an address has a shell here, and is building perhaps. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** What a build says may name files and users of the machine, and the page needs no sign-in. */
function sendPending(reply: FastifyReply, build: BuildState, isLocal: boolean): FastifyReply {
  const shown: BuildState =
    build.state === 'failed' && !isLocal ? { state: 'failed', lines: [] } : build;
  return reply
    .code(503)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': PENDING_POLICY,
      'retry-after': String(refreshSeconds(build)),
    })
    .send(pendingPage(shown));
}

interface Page {
  readonly index: string;
  readonly exchangeUrl: string | null;
}

/**
 * No cache but the browser's own may keep it: a nonce is one browser's. The entity tag is a weak one, of the page and its policy without the nonce. An answer that a
 * browser's copy is still good carries no policy: the copy's nonce is that of the policy it came with.
 */
function sendIndex(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { index, exchangeUrl } = page;
  const hash = createHash('sha256').update(contentSecurityPolicy({ nonce: null, exchangeUrl }));
  const etag = `W/"${hash.update(index).digest('base64url')}"`;
  reply.headers({ 'cache-control': 'private, no-cache', etag, vary: 'accept' });
  const { 'if-none-match': known } = request.headers;
  if (known?.split(',').some((each) => each.trim() === etag)) return reply.code(304).send();
  const nonce = index.includes(NONCE_PLACE) ? randomBytes(NONCE_BYTES).toString('base64url') : null;
  reply.header('content-security-policy', contentSecurityPolicy({ nonce, exchangeUrl }));
  return reply.send(nonce === null ? index : index.replaceAll(NONCE_PLACE, nonce));
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(',');
}
