import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Leadership } from '../ports/leadership.ts';
import { postgresOptions, reasonOf } from './postgres-address.ts';
import { ADVISORY_CLASS, ADVISORY_LOCKS } from './postgres-locks.ts';

/** How often the leader makes sure that it is, and others whether there is one. */
const LOOK_MS = 500;
const ANSWER_MS = 2_000;
/** A leader that has heard nothing for so long leads no more; its server lets go of it later. */
const CONFIRMED_FOR_MS = 3_000;
/** The server ends a session that has been silent for so long, and its locks with it. */
const SILENT_MAX_MS = 5_000;
/** Who stepped aside leaves this much time to the one that asked for it. */
const ASIDE_MS = 3_000;

export interface PostgresLeadershipOptions {
  /** The address of the database. */
  readonly url: string;
  /** Whether this control should rather lead than one that should not. */
  readonly isPreferred: () => boolean;
  readonly logger: Logger;
}

/**
 * One leader among all controls of a database: who holds its lock, in a session of its own. The server
 * lets go of the lock when the session ends, however the process came to its end; one that hangs is
 * cut off. So another leads within seconds, and not before this one has stopped.
 *
 * A control that is preferred, and finds that one leads which is not, takes a second lock; the leader
 * sees that it is taken and steps aside.
 */
export class PostgresLeadership implements Leadership {
  readonly #options: PostgresLeadershipOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #client: Client | undefined;
  #terms = 0;
  #leads = false;
  #claims = false;
  /** When the last question was sent that the server has answered. */
  #confirmedMs = Number.NEGATIVE_INFINITY;
  #asideUntilMs = Number.NEGATIVE_INFINITY;
  #failing = false;

  constructor(options: PostgresLeadershipOptions) {
    this.#options = options;
  }

  get term(): number | null {
    const isConfirmed = performance.now() - this.#confirmedMs < CONFIRMED_FOR_MS;
    return this.#leads && isConfirmed ? this.#terms : null;
  }

  /** Takes part until `stop`. Resolves when it is known for the first time who leads. */
  async start(): Promise<void> {
    await this.#look();
    this.#running ??= this.#run();
  }

  /** Lets another one lead. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    const client = this.#client;
    this.#letGo();
    await client?.end().catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect());
      const askedMs = performance.now();
      await (this.#leads ? this.#stay(client) : this.#compete(client));
      this.#confirmedMs = askedMs;
      this.#tell(true);
    } catch (error) {
      const client = this.#client;
      this.#letGo();
      // One that hangs is not waited for.
      client?.end().catch(() => {});
      this.#tell(false, error);
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      ...postgresOptions(this.#options.url),
      query_timeout: ANSWER_MS,
      statement_timeout: ANSWER_MS,
    });
    const lost = (): void => {
      if (this.#client === client) this.#letGo();
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    await client.query(`set idle_session_timeout = ${SILENT_MAX_MS}`);
    this.#client = client;
    return client;
  }

  /** The session is over, or about to be: nothing is held any more. */
  #letGo(): void {
    if (this.#leads) this.#options.logger.warn('this control does not lead any more');
    this.#client = undefined;
    this.#leads = false;
    this.#claims = false;
  }

  async #compete(client: Client): Promise<void> {
    const isPreferred = this.#options.isPreferred();
    if (!isPreferred && performance.now() < this.#asideUntilMs) {
      await client.query('select 1');
      return;
    }
    const leads = await tryLock(client, 'leader');
    if (!leads && isPreferred) this.#claims ||= await tryLock(client, 'claimant');
    if (this.#claims && (leads || !isPreferred)) {
      await unlock(client, 'claimant');
      this.#claims = false;
    }
    // The session may have ended while it was asked.
    if (!leads || this.#client !== client) return;
    this.#terms += 1;
    this.#leads = true;
    this.#options.logger.info('this control leads');
  }

  /** Whatever is asked tells the server that this session lives. */
  async #stay(client: Client): Promise<void> {
    if (this.#options.isPreferred()) {
      await client.query('select 1');
      return;
    }
    if (await tryLock(client, 'claimant')) {
      await unlock(client, 'claimant');
      return;
    }
    this.#leads = false;
    this.#asideUntilMs = performance.now() + ASIDE_MS;
    this.#options.logger.info('this control steps aside for one that the nodes report to');
    await unlock(client, 'leader');
  }

  /** Says once that the server cannot be asked, and once that it can again. */
  #tell(works: boolean, error?: unknown): void {
    const { logger } = this.#options;
    if (works && this.#failing) logger.info('it is known again which control leads');
    if (!works && !this.#failing) {
      logger.warn({ reason: reasonOf(error) }, 'it is not known which control leads');
    }
    this.#failing = !works;
  }
}

type LockName = keyof typeof ADVISORY_LOCKS;

async function tryLock(client: Client, name: LockName): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock($1, $2) as held',
    [ADVISORY_CLASS, ADVISORY_LOCKS[name]],
  );
  return rows[0]?.held === true;
}

async function unlock(client: Client, name: LockName): Promise<void> {
  await client.query('select pg_advisory_unlock($1, $2)', [ADVISORY_CLASS, ADVISORY_LOCKS[name]]);
}
