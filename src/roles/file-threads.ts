import { Worker } from 'node:worker_threads';
import { CommandError } from '../base/errors.ts';
import { TaskQueue } from '../base/task-queue.ts';
import type { AppliedFile } from '../control/apply-file.ts';
import type { FileAnswer, FileService, SentFile } from '../management/configuration/file-answer.ts';
import type { StorePlace } from '../settings/read-settings.ts';

/** What a thread is to do with a whole configuration. */
export type FileTask =
  | { readonly kind: 'check'; readonly file: string }
  | ({ readonly kind: 'apply'; readonly place: StorePlace } & SentFile)
  | { readonly kind: 'apply at start'; readonly place: StorePlace; readonly file: string }
  | { readonly kind: 'export'; readonly place: StorePlace };

/** What each task comes to. */
export interface FileResults {
  check: void;
  apply: FileAnswer;
  'apply at start': Omit<AppliedFile, 'changes'>;
  export: string;
}

/**
 * Reads, checks and compares whole configurations in threads, one after the other, so that this process
 * goes on answering: a file of 26,000 resources takes seconds of a processor.
 */
export class FileThreads implements FileService {
  readonly #place: StorePlace;
  readonly #queue = new TaskQueue();
  #running: Worker | null = null;
  #isClosed = false;

  constructor({ dataDirectory, databaseUrl }: StorePlace) {
    this.#place = { dataDirectory, databaseUrl };
  }

  apply(file: SentFile): Promise<FileAnswer> {
    return this.#run({ kind: 'apply', place: this.#place, ...file });
  }

  /** As `applyConfigurationFile` does. */
  applyAtStart(file: string): Promise<FileResults['apply at start']> {
    return this.#run({ kind: 'apply at start', place: this.#place, file });
  }

  export(): Promise<string> {
    return this.#run({ kind: 'export', place: this.#place });
  }

  /** Ends what runs, and refuses what waits; the store takes back what was not committed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.terminate();
  }

  #run<Task extends FileTask>(task: Task): Promise<FileResults[Task['kind']]> {
    return this.#queue.run(async () => {
      if (this.#isClosed) throw new Error('no more is done with files: the process ends');
      const { worker, result } = begin(task);
      this.#running = worker;
      try {
        return await result;
      } finally {
        this.#running = null;
      }
    });
  }
}

/** As `checkConfigurationFile` does, without leaving what it takes of memory in this process. */
export function checkInThread(file: string): Promise<void> {
  return begin({ kind: 'check', file }).result;
}

/** What a thread says when it is done: what it came to, or the words of a `CommandError`. */
export type FileOutcome<Task extends FileTask = FileTask> =
  | { readonly result: FileResults[Task['kind']] }
  | { readonly refusal: string };

function begin<Task extends FileTask>(
  task: Task,
): { readonly worker: Worker; readonly result: Promise<FileResults[Task['kind']]> } {
  const worker = new Worker(new URL('./file-thread.ts', import.meta.url), { workerData: task });
  const { promise, resolve, reject } = Promise.withResolvers<FileResults[Task['kind']]>();
  worker.once('message', (outcome: FileOutcome<Task>) => {
    if ('refusal' in outcome) reject(new CommandError(outcome.refusal));
    else resolve(outcome.result);
  });
  worker.once('error', reject);
  // After a message this changes nothing.
  worker.once('exit', (code) => reject(new Error(`the thread ended with ${code} before its task`)));
  return { worker, result: promise };
}
