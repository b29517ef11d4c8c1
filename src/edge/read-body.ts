import type { IncomingMessage } from 'node:http';

/** The body as one text, or why there is none. */
export type ReadBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  /** The client went away before it had sent everything. */
  | { readonly kind: 'aborted' };

/**
 * Reads a request's body up to a limit. What is longer is not read to its end: the rest is left in
 * the socket, and the connection closes after the answer.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > bytesMax) {
    return Promise.resolve({ kind: 'too_large' });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        request.pause();
        resolve({ kind: 'too_large' });
      } else chunks.push(chunk);
    });
    request.on('end', () => {
      const [only] = chunks;
      const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
      resolve({ kind: 'text', text: whole.toString('utf8') });
    });
    request.on('close', () => resolve({ kind: 'aborted' }));
  });
}
