import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Logger } from 'pino';
import type { BuildState } from '../site/console/pending-page.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOOL = fileURLToPath(new URL('../../tools/build-console.ts', import.meta.url));

/** The first auctions go before: even at the lowest priority a build is in their way. */
const BEGIN_AFTER_MS = 2_000;
/** It holds nothing that has to be brought to an end. */
const STOP_WITHIN_MS = 500;
/** What of its output is kept: the end says why. */
const LINES_KEPT = 20;
const LINE_LENGTH_MAX = 300;

export interface ConsoleBuildOptions {
  readonly logger: Logger;
  /** There may be another console than before. */
  readonly onBuilt: () => void;
  /** For tests: another script than the one that builds, and no wait. */
  readonly tool?: string;
  readonly beginAfterMs?: number;
}

/**
 * Has the console built by a process of its own, where it is missing or its sources have changed. That
 * it fails is told, and changes nothing. The process ends with this one: it holds the other end of
 * its standard input.
 */
export class ConsoleBuild {
  readonly #options: ConsoleBuildOptions;
  #state: BuildState = { state: 'building' };
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | undefined;
  #ended: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(options: ConsoleBuildOptions) {
    this.#options = options;
  }

  get state(): BuildState {
    return this.#state;
  }

  /** Settled when no build is under way. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  start(): void {
    if (this.#timer !== undefined || this.#stopping) return;
    const { beginAfterMs = BEGIN_AFTER_MS } = this.#options;
    this.#timer = setTimeout(() => {
      this.#ended = this.#run();
    }, beginAfterMs);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    this.#child?.stdin?.end();
    const timer = setTimeout(() => killGroup(this.#child), STOP_WITHIN_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { logger, onBuilt, tool = TOOL } = this.#options;
    const lines: string[] = [];
    const keep = (line: string): void => {
      lines.push(...[shown(line)].filter((each) => each !== ''));
      lines.splice(0, lines.length - LINES_KEPT);
    };
    const failure = await new Promise<string | null>((resolve) => {
      this.#child = spawn(process.execPath, [tool, '--background'], {
        stdio: ['pipe', 'pipe', 'pipe'],
        // A signal of the terminal is for the supervisor; and what it starts ends with its group.
        detached: true,
      });
      const { stdin, stdout, stderr } = this.#child;
      stdin?.on('error', () => {});
      for (const input of [stdout, stderr]) {
        if (input !== null) createInterface({ input }).on('line', keep);
      }
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('close', (code, signal) =>
        resolve(code === 0 ? null : `it ended with ${code ?? signal}`),
      );
    });
    this.#child = null;
    if (this.#stopping) return;
    if (failure === null) {
      this.#state = { state: 'idle' };
      logger.debug({ output: lines }, 'the console is built');
    } else {
      this.#state = { state: 'failed', lines: lines.length === 0 ? [failure] : lines };
      logger.warn(
        { output: lines, reason: failure },
        'the console could not be built; the exchange goes on, and "npm run build" tries again',
      );
    }
    onBuilt();
  }
}

/** With all that the build has started: nobody else ends that. */
function killGroup(child: ChildProcess | null): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** People see it in a browser: where the checkout lies is not what they look for. */
function shown(line: string): string {
  const plain = stripVTControlCharacters(line).trimEnd();
  return plain.replaceAll(ROOT, '').slice(0, LINE_LENGTH_MAX);
}
