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

/**
 * Reads a request's body up to a limit. What is longer is not read to its end: the rest is left in
 * the socket, and the connection closes after the answer. Gzip is inflated up to the same limit.
 *
 * Reading begins at once, so that the first piece can be looked at before it is known what becomes of the
 * request: to stop the stream in between, and to begin again, costs as much as the reading.
 */
export class BodyReader {
  readonly #request: IncomingMessage;
  /** Of what comes in, and of what comes out of gzip. */
  readonly #bytesMax: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #state: 'reading' | 'complete' | 'too_large' | 'aborted' = 'reading';
  /** Told of the first piece, which is null where none comes. */
  #onFirst: ((piece: Buffer | null) => void) | null = null;
  #onEnd: (() => void) | null = null;

  constructor(request: IncomingMessage, bytesMax: number) {
    this.#request = request;
    this.#bytesMax = bytesMax;
    if (request.readableEnded) this.#state = 'complete';
    else if (request.destroyed) this.#state = 'aborted';
    else if (Number(request.headers['content-length'] ?? 0) > bytesMax) this.#state = 'too_large';
    else {
      request.on('data', this.#take);
      request.on('end', this.#finish);
      // Also once all has come, while gzip may still be inflated.
      request.on('close', this.#finish);
    }
  }

  /** Has the first piece looked at in the turn in which it comes, before anybody else reads it. */
  first(look: (piece: Buffer | null) => void): void {
    if (this.#state === 'reading') this.#onFirst = look;
    else look(null);
  }

  /** Lets go what there is and what comes, so that the connection's next request can be read. */
  discard(): void {
    this.#chunks.length = 0;
    this.#request.off('data', this.#take);
    this.#request.resume();
  }

  /** All of it. */
  read(coding: 'plain' | 'gzip'): Promise<ReadBody> {
    return new Promise((resolve) => {
      if (this.#state === 'reading') this.#onEnd = () => this.#hand(coding, resolve);
      else this.#hand(coding, resolve);
    });
  }

  readonly #take = (chunk: Buffer): void => {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) {
      this.#request.pause();
      this.#end('too_large');
      return;
    }
    this.#chunks.push(chunk);
    if (this.#onFirst !== null) this.#showFirst(chunk);
  };

  readonly #finish = (): void => {
    this.#end(this.#request.readableEnded ? 'complete' : 'aborted');
  };

  #end(state: 'complete' | 'too_large' | 'aborted'): void {
    if (this.#state !== 'reading') return;
    this.#state = state;
    if (this.#onFirst !== null) this.#showFirst(null);
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.();
  }

  #showFirst(piece: Buffer | null): void {
    const look = this.#onFirst;
    this.#onFirst = null;
    look?.(piece);
  }

  #hand(coding: 'plain' | 'gzip', resolve: (read: ReadBody) => void): void {
    if (this.#state === 'aborted' || this.#state === 'too_large') {
      resolve({ kind: this.#state });
      return;
    }
    const [only] = this.#chunks;
    const isOne = this.#chunks.length === 1 && only !== undefined;
    const whole = isOne ? only : Buffer.concat(this.#chunks, this.#bytes);
    if (coding === 'plain') resolve({ kind: 'text', text: textOf(whole) });
    else inflate(whole, this.#bytesMax, resolve);
  }
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
