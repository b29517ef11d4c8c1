import type { Dispatcher } from 'undici';

import { errorCode } from '../base/inflate.ts';
import type { AnswerHeaders } from '../ports/bidder-client.ts';
import { HttpCall, type Carrier } from './http-call.ts';

/** Made once: these end a request inside undici, and nobody reads their stack. */
const EXPIRED = new Error('The deadline passed before the request was sent.');
const GIVEN_UP = new Error('The answer is too late or too large.');

/** A call as undici carries it: its handler, without a closure per event. */
export class UndiciCall extends HttpCall implements Dispatcher.DispatchHandler, Carrier {
  #controller: Dispatcher.DispatchController | null = null;

  abort(): void {
    this.#controller?.abort(GIVEN_UP);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A throw here drops the request alone; an abort would take the connection with it.
    if (!this.begin(this)) throw EXPIRED;
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
  ): void {
    // Statuses below 200 announce the answer that follows.
    if (status < 200) return;
    const coding = headers['content-encoding'] ?? '';
    const text = typeof coding === 'string' ? coding : coding.join(', ');
    this.head(status, text, Number(headers['content-length']), headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body(chunk);
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(errorCode(error));
  }
}
