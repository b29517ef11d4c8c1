import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { answerError } from './answer.ts';
import { DOCUMENT_HEADERS, FRAME_DOCUMENT } from './html-document.ts';
import { TAG_SCRIPT } from './tag-script.ts';

/** A file that is the same for everybody. */
interface TagFile {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** So long a change of the tag may take to reach a browser, in seconds; then it asks by ETag. */
const MAX_AGE_S = 600;

const FILES: Readonly<Record<string, TagFile>> = {
  '/tag.js': {
    text: TAG_SCRIPT,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
    },
  },
  '/frame.html': { text: FRAME_DOCUMENT, headers: DOCUMENT_HEADERS },
};

/**
 * `GET /tag.js`, the tag for web pages, and `GET /frame.html`, the document in whose frames it
 * renders ads. Any page may load both, also one that isolates itself (`Cross-Origin-Embedder-Policy`).
 *
 * @returns false when the path is neither.
 */
export function answerTagFile(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const file = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (file === undefined) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    answerError(response, 'method_not_allowed');
    return true;
  }
  const { gzip, etag } = packed(file);
  response.setHeader('cache-control', `public, max-age=${MAX_AGE_S}`);
  response.setHeader('etag', etag);
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  if (request.headers['if-none-match']?.includes(etag) === true) {
    response.writeHead(304).end();
    return true;
  }
  const packs = /\bgzip\b/.test(String(request.headers['accept-encoding']));
  const body = packs ? gzip : Buffer.from(file.text);
  response.writeHead(200, {
    ...file.headers,
    ...(packs ? { 'content-encoding': 'gzip' } : {}),
    'content-length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  return true;
}

const PACKED = new Map<TagFile, { readonly gzip: Buffer; readonly etag: string }>();

/** Computed once a process, when somebody asks first. The tag is weak: both encodings have it. */
function packed(file: TagFile): { readonly gzip: Buffer; readonly etag: string } {
  const known = PACKED.get(file);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(file.text).digest('base64url').slice(0, 16);
  const made = { gzip: gzipSync(file.text), etag: `W/"${hash}"` };
  PACKED.set(file, made);
  return made;
}
