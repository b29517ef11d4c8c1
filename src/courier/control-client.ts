import { Agent, request } from 'undici';

const CONNECT_MS = 2_000;
/** Of a control that another one has to be asked instead of. */
const UNAVAILABLE = 503;
/** Leases of many line items to many processes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export interface ControlClientOptions {
  /** Addresses of the controls' internal listeners: one at least, the one that loads first. */
  readonly urls: readonly string[];
  readonly secret: string;
}

export interface ControlRequest {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
  /** One absolute limit for the whole of it. */
  readonly withinMs: number;
  /** Whether the next control is asked where one cannot answer; otherwise the first alone is. */
  readonly ofAny?: boolean;
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
  /** Which control has answered last of those that may be asked. */
  #present = 0;

  constructor(options: ControlClientOptions) {
    this.#options = options;
  }

  /** @throws when there is no whole answer in time, and when this client is closed meanwhile. */
  async post(question: ControlRequest): Promise<ControlAnswer> {
    const { urls } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(question.withinMs)]);
    if (question.ofAny !== true) return this.#postTo(0, question, signal);
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === urls.length;
      try {
        const answer = await this.#postTo(this.#present, question, signal);
        if (answer.status !== UNAVAILABLE) return answer;
        this.#present = (this.#present + 1) % urls.length;
        if (isLast) return answer;
      } catch (error) {
        this.#present = (this.#present + 1) % urls.length;
        if (isLast || signal.aborted) throw error;
      }
    }
  }

  async #postTo(
    index: number,
    { path, type, body }: ControlRequest,
    signal: AbortSignal,
  ): Promise<ControlAnswer> {
    const { urls, secret } = this.#options;
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(`${urls[index] ?? ''}${path}`, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${secret}`, 'content-type': type },
      body,
      signal,
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
