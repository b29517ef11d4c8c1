import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { assertLoopback } from '../sim/loopback.ts';
import { createRandom } from '../sim/random.ts';
import { requestOf, TMAX_MS } from './fixture.ts';
import { quantile } from './statistics.ts';

/**
 * Sends ad requests at their times, whatever becomes of those before, on plain sockets: 10 µs a request,
 * where a client would take several times as much and not keep up with ten times of what an exchange does.
 *
 * Usage: node bench/open-loop.ts URL; prints `{}` when it is ready, and for each line
 * `{"rates": [REQUESTS PER SECOND OF EACH PUBLISHER], "seconds": N}` what came of it ({@link OpenLoop}).
 */
export interface OpenLoop {
  readonly publishers: readonly Seen[];
  readonly acceptedP99Ms: number;
  readonly refusedP99Ms: number;
  /** When the last refusal came, in milliseconds since the beginning; 0 without one. */
  readonly lastRefusalMs: number;
  /** Requests that left late, or never: for so many the rate was not kept. */
  readonly notInTime: number;
  readonly sent: number;
}

/** What one publisher saw. */
export interface Seen {
  sent: number;
  /** Answered in time. */
  good: number;
  refused: number;
  /** Answered too late, otherwise, or not at all. */
  bad: number;
}

export interface Load {
  readonly rates: readonly number[];
  readonly seconds: number;
}

/** What leaves later after its time was not sent as it should have been. */
const LATE_MS = 10;
/** What is answered later is of no use to a publisher. */
const USEFUL_MS = TMAX_MS + 30;
const CONNECTIONS = 800;
/** After the last request, for answers. */
const AFTER_MS = 1_000;
/** Before its neighbours on the same core: bidders that are late change less than a rate that is not kept. */
const PRIORITY = -10;

interface Sent {
  readonly publisher: number;
  readonly dueMs: number;
}

/** One connection, on which one request is under way at a time. */
class Line {
  readonly socket: Socket;
  sent: Sent | null = null;
  readonly #onAnswer: (line: Line, sent: Sent, status: number) => void;
  #status = 0;
  /** Bytes of the answer that are still to come; negative before its head. */
  #left = -1;

  constructor(url: URL, onAnswer: (line: Line, sent: Sent, status: number) => void) {
    this.#onAnswer = onAnswer;
    this.socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    this.socket.on('data', (piece: Buffer) => this.#read(piece));
    this.socket.on('error', () => {});
  }

  /** The head of an answer is whole in its first piece: it is written at once. */
  #read(piece: Buffer): void {
    if (this.#left < 0) {
      const head = piece.toString('latin1', 0, 1_024);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0';
      this.#status = Number(head.slice(9, 12));
      this.#left = head.indexOf('\r\n\r\n') + 4 + Number(length);
    }
    this.#left -= piece.length;
    const { sent } = this;
    if (this.#left > 0 || sent === null) return;
    this.#left = -1;
    this.sent = null;
    this.#onAnswer(this, sent, this.#status);
  }
}

/** What has been seen of one load. */
class Run {
  readonly publishers: readonly Seen[];
  readonly #startMs = performance.now();
  readonly #acceptedMs: number[] = [];
  readonly #refusedMs: number[] = [];
  #lastRefusalMs = 0;
  notInTime = 0;

  constructor({ rates }: Load) {
    this.publishers = rates.map(() => ({ sent: 0, good: 0, refused: 0, bad: 0 }));
  }

  get elapsedMs(): number {
    return performance.now() - this.#startMs;
  }

  take({ publisher, dueMs }: Sent, status: number): void {
    const seen = this.publishers[publisher];
    if (seen === undefined) throw new Error(`no publisher ${publisher}`);
    const nowMs = this.elapsedMs;
    const latencyMs = nowMs - dueMs;
    if (status === 503) {
      seen.refused += 1;
      this.#refusedMs.push(latencyMs);
      this.#lastRefusalMs = nowMs;
      return;
    }
    this.#acceptedMs.push(latencyMs);
    if ((status === 200 || status === 204) && latencyMs <= USEFUL_MS) seen.good += 1;
    else seen.bad += 1;
  }

  end(underWay: Iterable<Line>): OpenLoop {
    for (const { sent } of underWay) {
      const seen = sent === null ? undefined : this.publishers[sent.publisher];
      if (seen !== undefined) seen.bad += 1;
    }
    return {
      publishers: this.publishers,
      acceptedP99Ms: this.#acceptedMs.length === 0 ? 0 : quantile(this.#acceptedMs, 0.99),
      refusedP99Ms: this.#refusedMs.length === 0 ? 0 : quantile(this.#refusedMs, 0.99),
      lastRefusalMs: this.#lastRefusalMs,
      notInTime: this.notInTime,
      sent: this.publishers.reduce((sum, { sent }) => sum + sent, 0),
    };
  }
}

if (import.meta.main) await serve(assertLoopback(process.argv[2] ?? ''));

async function serve(url: URL): Promise<void> {
  setPriority(PRIORITY);
  const lines = new Set<Line>();
  const idle: Line[] = [];
  let run = new Run({ rates: [], seconds: 0 });
  const onAnswer = (line: Line, sent: Sent, status: number): void => {
    idle.push(line);
    run.take(sent, status);
  };
  /** A connection that is free, or a new one; undefined where there are too many. */
  const take = (): Line | undefined => {
    for (let line = idle.pop(); line !== undefined; line = idle.pop()) {
      if (!line.socket.closed) return line;
      lines.delete(line);
    }
    if (lines.size === CONNECTIONS) return undefined;
    const line = new Line(url, onAnswer);
    lines.add(line);
    return line;
  };
  console.log('{}');
  for await (const text of createInterface({ input: process.stdin })) {
    const load: Load = JSON.parse(text);
    run = new Run(load);
    await send(run, load, { url, take });
    await new Promise((resolve) => {
      setTimeout(resolve, AFTER_MS);
    });
    const result = run.end(lines);
    // What is answered after this belongs to no run.
    for (const line of lines) {
      if (line.sent === null) continue;
      line.socket.destroy();
      lines.delete(line);
    }
    console.log(JSON.stringify(result));
  }
  process.exit(0);
}

/** Sends all that is due, every millisecond. */
function send(
  run: Run,
  { rates, seconds }: Load,
  { url, take }: { readonly url: URL; readonly take: () => Line | undefined },
): Promise<void> {
  const random = createRandom('open loop');
  const senders = rates.map((rate, publisher) => ({
    publisher,
    bytes: httpRequest(url, requestOf(publisher)),
    dueMs: 0,
    next(): number {
      return (-Math.log(1 - random.next()) * 1_000) / rate;
    },
  }));
  for (const sender of senders) sender.dueMs = sender.next();
  return new Promise((resolve) => {
    const tick = (): void => {
      const nowMs = run.elapsedMs;
      for (const sender of senders) {
        const seen = run.publishers[sender.publisher];
        if (seen === undefined) throw new Error(`no publisher ${sender.publisher}`);
        for (; sender.dueMs <= Math.min(nowMs, seconds * 1_000); sender.dueMs += sender.next()) {
          seen.sent += 1;
          const line = take();
          if (nowMs - sender.dueMs > LATE_MS || line === undefined) run.notInTime += 1;
          if (line === undefined) {
            seen.bad += 1;
            continue;
          }
          line.sent = { publisher: sender.publisher, dueMs: sender.dueMs };
          line.socket.write(sender.bytes);
        }
      }
      if (nowMs >= seconds * 1_000) resolve();
      else setTimeout(tick, 1);
    };
    tick();
  });
}

function httpRequest({ host, pathname }: URL, body: string): Buffer {
  return Buffer.from(
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
