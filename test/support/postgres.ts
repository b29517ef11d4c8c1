import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts';

const START_MS = 20_000;
const LOOK_MS = 10;

/**
 * Runs the server until its own input ends, which is when the process that started it does, however
 * that comes about; then nothing of it is left.
 */
const KEEPER = `directory=$1; shift
"$@" & server=$!
while read -r word; do
  case $word in
    down) kill -INT $server; wait $server ;;
    up) "$@" & server=$! ;;
  esac
done
kill -QUIT $server; wait $server; rm -rf "$directory"`;

/** What makes it quick, and nothing that a test asks for: durability is not tested here. */
const QUICK = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];
const SMALL = ['shared_buffers=16MB', 'max_wal_senders=0', 'wal_level=minimal'];

/** A PostgreSQL server of this process, on a socket in the file system. */
export interface PostgresServer {
  /** The address of one of its databases. */
  url(database: string): string;
  /** Runs SQL as the superuser, outside of any transaction. */
  run(sql: string, database?: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends the server, and every session with it. */
  down(): Promise<void>;
  /** Starts it again with what it has on its disk. */
  up(): Promise<void>;
}

let running: Promise<PostgresServer> | undefined;
let databases = 0;

/** The server of this process, started when it is first asked for. It ends with the process. */
export function postgres(): Promise<PostgresServer> {
  running ??= start();
  return running;
}

/** Makes a database, and gives its address. */
export async function createDatabase(template = 'template0'): Promise<string> {
  const server = await postgres();
  databases += 1;
  const name = `test_${databases}`;
  await server.run(`create database ${name} template ${template} strategy file_copy`);
  return server.url(name);
}

/** Removes a database, whoever is connected: each takes 7 MB of the disk. */
export async function dropDatabase(url: string): Promise<void> {
  const server = await postgres();
  await server.run(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

async function start(): Promise<PostgresServer> {
  const binaries = findPostgres();
  const user = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), 'rialto-pg-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  initialise(binaries, directory, user);
  const keeper = keep(binaries, directory, user);
  const server = new Server(directory, keeper);
  await server.ready();
  return server;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): Pick<SpawnOptions, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Texts are ordered as English does, unlike SQLite, so that a test sees who relies on either. */
function initialise(
  { directory: bin, env }: PostgresBinaries,
  directory: string,
  user: SpawnOptions,
): void {
  const args = ['--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8'];
  const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const { status, stderr } = spawnSync(
    join(bin, 'initdb'),
    [`--pgdata=${join(directory, 'data')}`, ...args, ...locale, '--wal-segsize=1'],
    { ...user, env, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

function keep(
  { directory: bin, env }: PostgresBinaries,
  directory: string,
  user: SpawnOptions,
): ChildProcess {
  const settings = [
    ...QUICK,
    ...SMALL,
    'listen_addresses=',
    `unix_socket_directories=${directory}`,
  ];
  const log = openSync(join(directory, 'log'), 'a');
  const keeper = spawn(
    '/bin/sh',
    [
      '-c',
      KEEPER,
      'keeper',
      directory,
      join(bin, 'postgres'),
      '-D',
      join(directory, 'data'),
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { ...user, env, stdio: ['pipe', 'ignore', log] },
  );
  closeSync(log);
  // The tests end when they are through, and not when their server is.
  keeper.unref();
  if (
    keeper.stdin !== null &&
    'unref' in keeper.stdin &&
    typeof keeper.stdin.unref === 'function'
  ) {
    keeper.stdin.unref();
  }
  return keeper;
}

/** The database that there is from the start. */
const FIRST = 'postgres';

interface Session {
  readonly client: Client;
  readonly socket: Socket;
}

class Server implements PostgresServer {
  readonly #directory: string;
  readonly #keeper: ChildProcess;
  #session: Promise<Session> | null = null;

  constructor(directory: string, keeper: ChildProcess) {
    this.#directory = directory;
    this.#keeper = keeper;
  }

  url(database: string): string {
    return `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(this.#directory)}`;
  }

  /** In a session of its own, but for what is asked in the first database: sessions cost more than statements. */
  async run(sql: string, database = FIRST): Promise<readonly Record<string, unknown>[]> {
    if (database === FIRST) return this.#runInFirst(sql);
    const client = newClient(this.url(database));
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async #runInFirst(sql: string): Promise<readonly Record<string, unknown>[]> {
    this.#session ??= this.#begin();
    const session = this.#session;
    try {
      const { client, socket } = await session;
      socket.ref();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        // The tests end when they are through, and not when this session is.
        socket.unref();
      }
    } catch (error) {
      if (this.#session === session) this.#session = null;
      throw error;
    }
  }

  async #begin(): Promise<Session> {
    const socket = new Socket();
    const client = newClient(this.url(FIRST), () => socket);
    await client.connect();
    return { client, socket };
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + START_MS;
    for (;;) {
      try {
        await this.run('select 1');
        return;
      } catch (error) {
        if (performance.now() < deadline) await delay(LOOK_MS);
        else throw new Error(`no PostgreSQL: ${this.#log()}`, { cause: error });
      }
    }
  }

  async down(): Promise<void> {
    this.#keeper.stdin?.write('down\n');
    for (;;) {
      try {
        await this.run('select 1');
      } catch {
        return;
      }
      await delay(LOOK_MS);
    }
  }

  async up(): Promise<void> {
    this.#keeper.stdin?.write('up\n');
    await this.ready();
  }

  #log(): string {
    return readFileSync(join(this.#directory, 'log'), 'utf8');
  }
}

function newClient(connectionString: string, stream?: () => Socket): Client {
  const client = new Client({ connectionString, ...(stream === undefined ? {} : { stream }) });
  // A server that is stopped says so to every session; whoever asks hears of it by the answer.
  client.on('error', () => {});
  return client;
}
