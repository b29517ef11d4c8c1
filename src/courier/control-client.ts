import { Agent, request } from 'undici';

const CONNECT_MS = 2_000;
/** Leases of many line items to many processes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export interface ControlClientOptions {
  /** Address of control's internal listener. */
  readonly url: string;
  readonly secret: string;
}

export interface ControlRequest {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
  /** One absolute limit for the whole of it. */
  readonly withinMs: number;
}

export interface ControlAnswer {
  readonly status: number;
  readonly text: string;
  /** What control asks to wait before the next try; 0 when it asks for nothing. */
  readonly retryAfterMs: number;
}

/** How the courier tells control something. */
export class ControlClient {
  readonly #options: ControlClientOptions;
  readonly #agent = new Agent({
    connect: { timeout: CONNECT_MS },
    // The absolute limit of each request takes the place of these.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  readonly #closing = new AbortController();

  constructor(options: ControlClientOptions) {
    this.#options = options;
  }

  /** @throws when there is no whole answer in time, and when this client is closed meanwhile. */
  async post({ path, type, body, withinMs }: ControlRequest): Promise<ControlAnswer> {
    const { url, secret } = this.#options;
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(`${url}${path}`, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${secret}`, 'content-type': type },
      body,
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(withinMs)]),
    });
    const retryAfterSeconds = Number(headers['retry-after'] ?? 0);
    return {
      status: statusCode,
      text: await answer.text(),
      retryAfterMs: retryAfterSeconds > 0 ? retryAfterSeconds * 1000 : 0,
    };
  }

  /** Lets go of what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }
}
