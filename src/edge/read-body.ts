import type { IncomingMessage } from 'node:http';
import { inflateBody, textOf } from '../base/inflate.ts';

/** The body as one text, or why there is none. */
export type ReadBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  /** It is no gzip, or only a part of one. */
  | { readonly kind: 'broken' }
  /** The client went away before it had sent everything. */
  | { readonly kind: 'aborted' };

/** How much of a body is read, and what it came in. */
export interface BodyForm {
  /** Of what comes in, and of what comes out of gzip. */
  readonly bytesMax: number;
  readonly coding: 'plain' | 'gzip';
  /** What was taken off the request before, which then is paused. */
  readonly firstPiece?: Buffer | null;
}

/**
 * Reads a request's body up to a limit. What is longer is not read to its end: the rest is left in
 * the socket, and the connection closes after the answer. Gzip is inflated up to the same limit.
 */
export function readBody(
  request: IncomingMessage,
  { bytesMax, coding, firstPiece = null }: BodyForm,
): Promise<ReadBody> {
  if (request.readableEnded) return Promise.resolve({ kind: 'text', text: '' });
  if (request.destroyed) return Promise.resolve({ kind: 'aborted' });
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > bytesMax) {
    return Promise.resolve({ kind: 'too_large' });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        request.pause();
        resolve({ kind: 'too_large' });
      } else chunks.push(chunk);
    };
    request.on('data', take);
    if (firstPiece !== null) {
      request.resume();
      take(firstPiece);
    }
    request.on('end', () => {
      const [only] = chunks;
      const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
      if (coding === 'plain') resolve({ kind: 'text', text: textOf(whole) });
      else inflate(whole, bytesMax, resolve);
    });
    request.on('close', () => {
      // Also once all has come, while gzip may still be inflated.
      if (!request.readableEnded) resolve({ kind: 'aborted' });
    });
  });
}

function inflate(body: Buffer, bytesMax: number, resolve: (read: ReadBody) => void): void {
  inflateBody(body, bytesMax, (inflated) => {
    switch (inflated.kind) {
      case 'text':
        return resolve(inflated);
      case 'oversized':
        return resolve({ kind: 'too_large' });
      case 'broken':
        return resolve({ kind: 'broken' });
    }
  });
}
