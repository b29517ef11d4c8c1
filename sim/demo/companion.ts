import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CommandError } from '../../src/base/errors.ts';

/** How long a companion may take to say that it is ready, and to end once it is asked to. */
const READY_WITHIN_MS = 20_000;
const END_WITHIN_MS = 3_000;

/**
 * A script that runs beside a command and ends with it: it holds the other end of the script's
 * standard input, which closes however the command ends.
 */
export class Companion {
  readonly #child: ChildProcess;
  /** Settled when it has ended, or could not be started. */
  readonly ended: Promise<void>;

  /** @param errorsTo where its error output goes, a descriptor. */
  constructor(script: string, args: readonly string[], errorsTo: number) {
    this.#child = spawn(process.execPath, [script, ...args], {
      stdio: ['pipe', 'pipe', errorsTo],
      // Out of the terminal's process group: an interrupt is for the command, which ends it in turn.
      detached: true,
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      // A process that could not be started does not close.
      this.#child.once('error', (error) => {
        console.error(`${script} did not start: ${error.message}`);
        resolve();
      });
    });
    this.#child.stdin?.on('error', () => {});
  }

  /**
   * The first line that it prints; what follows is read and dropped.
   *
   * @throws CommandError when it ends before, or is silent for too long.
   */
  async firstLine(name: string): Promise<string> {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('a companion without its output');
    const lines = createInterface({ input: stdout });
    const line = await Promise.race([
      new Promise<string>((resolve) => {
        lines.once('line', resolve);
      }),
      this.ended,
      new Promise<void>((resolve) => {
        setTimeout(resolve, READY_WITHIN_MS).unref();
      }),
    ]);
    if (line === undefined) throw new CommandError(`${name} did not start.`);
    return line;
  }

  /** Reads and drops what it prints. */
  drain(): void {
    this.#child.stdout?.resume();
  }

  /** Ends it: politely, then not. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_WITHIN_MS);
    await this.ended;
    clearTimeout(timer);
  }
}
