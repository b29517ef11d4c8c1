import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { createClient } from '@clickhouse/client';

import { ClientStore } from '../analytics/client-store.ts';
import { CommandError } from '../base/errors.ts';
import {
  AnalyticsStoreError,
  type AnalyticsStore,
  type SqlParameter,
  type StoreRow,
} from '../ports/analytics-store.ts';
import { connect } from './chdb-connection.ts';
import { ChdbDefinitions } from './chdb-definitions.ts';
import { lockFile } from './chdb-lock.ts';
import { repairDeduplicationLogs } from './chdb-repair.ts';
import { streamRows } from './chdb-stream.ts';

export interface ChdbOptions {
  /** Belongs to the store alone; made when missing. */
  readonly directory: string;
  /** How long to wait for a process before this one to let go of the directory; 10 s by default. */
  readonly lockWaitMs?: number;
  /** Told of parts that a killed process had announced and not made; see `chdb-repair.ts`. */
  readonly onRepair?: (parts: readonly string[]) => void;
  /** Statements that the engine is told each time it is opened, before anybody else asks it anything. */
  readonly atOpening?: () => readonly string[];
  /** Told of tables and views whose definitions were broken; see `chdb-definitions.ts`. */
  readonly onRedefine?: (names: readonly string[]) => void;
}

/** Statements that change definitions. */
const DEFINES = /^(?:CREATE|ALTER|DROP|RENAME|EXCHANGE)\b/;

/** A control process that is being replaced ends within this time. */
const LOCK_WAIT_MS = 10_000;

/**
 * Opens ClickHouse in this process. A process can have one at a time, and a directory one process.
 * All calls go to threads, so the event loop goes on. Killing the process leaves the data whole.
 *
 * @throws CommandError when chdb does not run on this system, or the directory is in use.
 */
export async function openChdb(options: ChdbOptions): Promise<AnalyticsStore> {
  const problem = platformProblem(process.platform, process.arch, glibcVersion());
  if (problem !== null) throw new CommandError(problem);
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const release = await lockFile(
    join(options.directory, 'lock.sqlite'),
    options.lockWaitMs ?? LOCK_WAIT_MS,
  );
  try {
    const store = new ChdbStore(options, release);
    await store.open();
    return store;
  } catch (error) {
    release();
    throw error;
  }
}

/** Why chdb cannot run here, or null: it is built for glibc (not musl) and macOS, not for Windows. */
export function platformProblem(
  platform: string,
  arch: string,
  glibc: string | null,
): string | null {
  const ending = 'run the control role on Linux with glibc, or on macOS (x64 or arm64)';
  if (platform !== 'linux' && platform !== 'darwin') {
    return `The built-in analytics store does not run on ${platform}; ${ending}.`;
  }
  if (arch !== 'x64' && arch !== 'arm64') {
    return `The built-in analytics store does not run on ${arch}; ${ending}.`;
  }
  if (platform === 'linux' && glibc === null) {
    return `The built-in analytics store needs glibc, and this system has musl; ${ending}.`;
  }
  return null;
}

/** Null where the process was not linked against glibc. */
function glibcVersion(): string | null {
  const report: unknown = process.report.getReport();
  if (typeof report !== 'object' || report === null || !('header' in report)) return null;
  const { header } = report;
  if (typeof header !== 'object' || header === null) return null;
  return 'glibcVersionRuntime' in header ? String(header.glibcVersionRuntime) : null;
}

class ChdbStore implements AnalyticsStore {
  readonly #options: ChdbOptions;
  readonly #release: () => void;
  readonly #definitions: ChdbDefinitions;
  #client: ClientStore | null = null;
  /** What is running; `recover` and `close` wait for it. */
  readonly #running = new Set<Promise<unknown>>();
  /** Ends the streams that are open when the engine is shut; whoever reads them is told. */
  #shutting = new AbortController();
  /** Set while the engine is being opened anew: whoever comes then waits for it. */
  #opening: Promise<void> | null = null;
  #closed = false;

  constructor(options: ChdbOptions, release: () => void) {
    this.#options = options;
    this.#release = release;
    this.#definitions = new ChdbDefinitions(this.#directory);
  }

  async open(): Promise<void> {
    const directory = this.#directory;
    const repaired = await repairDeduplicationLogs(directory);
    if (repaired.length > 0) this.#options.onRepair?.(repaired);
    const redefined = await this.#definitions.repair();
    if (redefined.length > 0) this.#options.onRedefine?.(redefined);
    const client = new ClientStore(createClient({ connection: await connect(directory) }));
    this.#client = client;
    this.#shutting = new AbortController();
    try {
      for (const sql of this.#options.atOpening?.() ?? []) await client.command(sql);
    } catch (error) {
      // Nobody may find it open without them.
      await this.#shut();
      throw error;
    }
    await this.#definitions.keep();
  }

  get #directory(): string {
    return join(this.#options.directory, 'data');
  }

  command(sql: string): Promise<void> {
    return this.#run(async (client) => {
      if (!DEFINES.test(sql)) return client.command(sql);
      await this.#definitions.reserveRoom();
      await client.command(sql);
      await this.#definitions.keep();
    });
  }

  query(sql: string, parameters?: Readonly<Record<string, SqlParameter>>): Promise<StoreRow[]> {
    return this.#run((client) => client.query(sql, parameters));
  }

  async *stream(sql: string): AsyncGenerator<readonly StoreRow[]> {
    await this.#opened();
    yield* streamRows(this.#directory, sql, this.#shutting.signal);
  }

  insert(sql: string, records: Uint8Array): Promise<void> {
    return this.#run((client) => client.insert(sql, records));
  }

  /** The engine holds its deduplication logs in memory: it reads them anew when it is opened anew. */
  async recover(): Promise<void> {
    this.#assertNotClosed();
    this.#opening ??= this.#shut()
      .then(() => this.open())
      .finally(() => {
        this.#opening = null;
      });
    await this.#opening;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#opening?.catch(() => {});
    await this.#shut();
    this.#release();
  }

  /** Ends the engine after what is running; closing it under a statement would abort the process. */
  async #shut(): Promise<void> {
    this.#shutting.abort();
    await Promise.allSettled(this.#running);
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    await client.close();
    const { drainPending } = await import('chdb');
    await drainPending();
  }

  async #run<T>(work: (client: ClientStore) => Promise<T>): Promise<T> {
    const running = work(await this.#opened());
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #opened(): Promise<ClientStore> {
    this.#assertNotClosed();
    await this.#opening;
    // The last recovery failed, on a full disk, say: whoever asks next tries it again.
    if (this.#client === null) await this.recover();
    if (this.#client === null) throw new AnalyticsStoreError('The store is not open.', null);
    return this.#client;
  }

  #assertNotClosed(): void {
    if (this.#closed) throw new AnalyticsStoreError('The analytics store is closed.', null);
  }
}
