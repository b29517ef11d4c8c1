import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Audience } from '../../sim/audience.ts';
import { startBidder, type SimBidder } from '../../sim/bidder.ts';
import { DURATION_MAX_MS, runOpenLoop } from '../../sim/load.ts';
import { ROLE_NAMES } from '../../src/settings/settings.ts';
import { openChdb } from '../../src/adapters/chdb.ts';
import { fillRollups } from '../stores/loader-fixture.ts';
import type { ReconcileReport } from '../../src/commands/reconcile-section.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { atEnd } from './at-end.ts';
import { SEED } from './effort.ts';
import { patient } from './exchange.ts';
import { billedAt, INSISTENT, moneyOf, PATIENCE, Requests } from './ledgers.ts';
import { runRialto, startNode, type CommandResult, type StartedNode } from './node.ts';
import type { OwnDisk } from './own-disk.ts';
import { until } from './wait.ts';

const EXAMPLE = new URL('../../examples/exchange.yaml', import.meta.url);
const RATE_PER_SECOND = 25;
const DRAINED_MS = 60_000;
/** A try that a killed courier lost is made again after ten seconds, and once more after that. */
const NOTIFIED_MS = 60_000;
/** So many auctions show that the node serves. */
const SERVED = 10;
const PORTS = ['control', 'exchange', 'tracker', 'metrics'] as const;

export interface FaultyNodeOptions {
  /** By default a temporary directory. */
  readonly disk?: OwnDisk | null;
  /** Of every start and command. */
  readonly env?: Readonly<Record<string, string>>;
  /** Days of which there are records, YYYY-MM-DD, by the node's clock. */
  readonly dates: () => readonly string[];
}

/**
 * A node to which everything may happen, its bidders and publishers, and what these know: traffic goes
 * on from the start to the end, whoever is away, at ports that stay.
 */
export class FaultyNode {
  readonly requests = new Requests();
  readonly audience = new Audience({ seed: SEED, behaviour: INSISTENT, patience: PATIENCE });
  readonly bidders: readonly SimBidder[];
  /** The node's data directory, as this process finds it. */
  readonly files: string;
  readonly #t: TestContext;
  readonly #options: FaultyNodeOptions;
  /** As the node finds it. */
  readonly #directory: string;
  readonly #file: string;
  #ports: readonly string[] = [];
  /** By their lines. */
  readonly #records = new Map<string, MoneyRecord>();
  #node: StartedNode | null = null;
  #load: Promise<void> | null = null;
  readonly #stopping = new AbortController();

  private constructor(
    t: TestContext,
    options: FaultyNodeOptions,
    place: {
      readonly bidders: readonly SimBidder[];
      readonly path: string;
      readonly files: string;
    },
  ) {
    this.#t = t;
    this.#options = options;
    this.bidders = place.bidders;
    this.files = join(place.files, 'data');
    this.#directory = join(place.path, 'data');
    this.#file = join(place.path, 'exchange.yaml');
  }

  /** Starts it, and the traffic. */
  static async open(t: TestContext, options: FaultyNodeOptions): Promise<FaultyNode> {
    const { disk = null } = options;
    const own = disk === null ? mkdtempSync(join(tmpdir(), 'rialto-faults-')) : null;
    if (own !== null) atEnd(t, () => rmSync(own, { recursive: true }));
    const place = disk ?? { path: own ?? '', files: own ?? '' };
    const acme = await startBidder({ profile: { name: 'Acme', seats: ['acme-1'] }, seed: 'acme' });
    const bolt = await startBidder({ profile: { name: 'Bolt', seats: ['bolt-1'] }, seed: 'bolt' });
    atEnd(t, () => Promise.all([acme.close(), bolt.close()]));
    const yaml = readFileSync(EXAMPLE, 'utf8')
      .replace('http://127.0.0.1:9101/bid', acme.url)
      .replace('http://127.0.0.1:9102/bid', bolt.url);
    writeFileSync(join(place.files, 'exchange.yaml'), patient(yaml));
    const bidders = [acme, bolt];
    const faulty = new FaultyNode(t, options, { ...place, bidders });
    atEnd(t, () => faulty.#end());
    await faulty.start({ file: faulty.#file });
    faulty.#startTraffic();
    await faulty.serving();
    return faulty;
  }

  get node(): StartedNode {
    assert.ok(this.#node !== null, 'the node runs');
    return this.#node;
  }

  /** @throws Error when the node ends before it is ready. */
  async start(
    options: { readonly file?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ): Promise<void> {
    const { disk = null, env = {} } = this.#options;
    this.#node = await startNode({
      dataDirectory: this.#directory,
      ...options,
      env: { ...env, ...options.env },
      args: this.#ports,
      prefix: disk?.prefix ?? [],
    });
    const { urls } = this.#node;
    this.#ports = PORTS.map((role) => `--${role}-port=${new URL(urls[role]).port}`);
  }

  async stop(): Promise<void> {
    assert.deepEqual(await this.node.stop(), { code: 0, signal: null });
  }

  /** Runs a command on the data directory. */
  run(command: string, ...args: readonly string[]): Promise<CommandResult> {
    const { disk = null, env = {} } = this.#options;
    return runRialto([command, `--data=${this.#directory}`, ...args], env, disk?.prefix ?? []);
  }

  /** Waits until every process serves: all are there and ready, and auctions are held. */
  async serving(withinMs = DRAINED_MS): Promise<void> {
    const { node, requests } = this;
    const before = requests.answered.size;
    await until('every process serves', withinMs, async () => {
      if (ROLE_NAMES.some((role) => node.pids(role).length === 0)) return false;
      const urls = [node.urls.control, node.urls.exchange, node.urls.tracker];
      const ready = await Promise.all(urls.map((url) => isReady(url)));
      return ready.every(Boolean) && requests.answered.size >= before + SERVED;
    });
  }

  /** Waits until journal, raw records, reports and notices agree; once traffic has ended, with nothing on its way. */
  async settled(): Promise<void> {
    let differs = '';
    const agrees = until('all is loaded, and agrees', DRAINED_MS, async () => {
      const runs = this.#options
        .dates()
        .map((date) => this.run('reconcile', `--date=${date}`, '--json'));
      const isOver = this.#stopping.signal.aborted;
      const bad = (await Promise.all(runs)).filter(
        ({ code, stdout }) => code !== 0 || (isOver && waitingIn(stdout) > 0),
      );
      differs = bad.map(({ stdout, stderr }) => stdout + stderr).join('\n');
      return bad.length === 0;
    });
    await agrees.catch((cause: unknown) => {
      throw new Error(differs, { cause });
    });
  }

  /** Waits until no record is on its way, whether or not everything agrees; traffic must have ended. */
  async loaded(): Promise<void> {
    await until('all is loaded', DRAINED_MS, async () => {
      const runs = this.#options
        .dates()
        .map((date) => this.run('reconcile', `--date=${date}`, '--json'));
      return (await Promise.all(runs)).every(
        ({ stdout }) => stdout.startsWith('{') && waitingIn(stdout) === 0,
      );
    });
  }

  /** Ends the traffic, and waits for the beacons of what it brought and the notices of these. */
  async endTraffic(): Promise<void> {
    this.#stopping.abort();
    await this.#load;
    await this.audience.settled();
    const { billable } = moneyOf(await this.records());
    await until('every billing notice has arrived', NOTIFIED_MS, () => {
      return billedAt(this.bidders) >= billable.length;
    });
  }

  /**
   * Every record of the journal, also what an earlier call found and was removed since: a full disk takes
   * what is acknowledged. Damaged ones are left out.
   */
  async records(): Promise<readonly MoneyRecord[]> {
    const directory = join(this.files, 'journal');
    for await (const { text } of readJournal({ directory, stream: 'money', onDamage: () => {} })) {
      this.#records.set(text, JSON.parse(text));
    }
    return [...this.#records.values()];
  }

  /**
   * Stops the node once everything agrees, and gives all records. A notice that is called meanwhile leaves
   * a record that may or may not be loaded: then the node starts once more.
   */
  async stopSettled(): Promise<readonly MoneyRecord[]> {
    for (;;) {
      const before = await this.records();
      await this.settled();
      await this.stop();
      const after = await this.records();
      if (after.length === before.length) return after;
      await this.start();
    }
  }

  /** Opens a copy of the stopped node's analytics store in this process, which sees other disks. */
  async openStore(): Promise<AnalyticsStore> {
    const copy = mkdtempSync(join(tmpdir(), 'rialto-faults-store-'));
    cpSync(join(this.files, 'analytics'), copy, { recursive: true, verbatimSymlinks: true });
    const store = await openChdb({ directory: copy });
    atEnd(this.#t, async () => {
      await store.close();
      rmSync(copy, { recursive: true });
    });
    // What was loaded last is counted by the next process that opens it.
    await fillRollups(store);
    return store;
  }

  /** Keeps a copy of a part of the data directory, beside it, while the node is stopped. */
  keepCopy(parts: readonly string[]): void {
    for (const part of parts) this.#copy(part, 'data', 'kept');
  }

  /** Puts the copies back in the place of what is there, while the node is stopped. */
  putBack(parts: readonly string[]): void {
    for (const part of parts) {
      rmSync(join(this.files, part), { recursive: true, force: true });
      this.#copy(part, 'kept', 'data');
    }
  }

  #copy(part: string, from: string, to: string): void {
    const [source, target] = [from, to].map((name) => join(this.files, '..', name, part));
    if (source === undefined || target === undefined || !existsSync(source)) return;
    rmSync(target, { recursive: true, force: true });
    mkdirSync(join(target, '..'), { recursive: true });
    cpSync(source, target, { recursive: true, verbatimSymlinks: true });
  }

  #startTraffic(): void {
    const { requests, audience } = this;
    const { signal } = this.#stopping;
    const url = `${this.node.urls.exchange}/openrtb2/auction`;
    const send = async (): Promise<void> => {
      // A run is bounded.
      while (!signal.aborted) {
        await runOpenLoop({
          url,
          ratePerSecond: RATE_PER_SECOND,
          durationMs: DURATION_MAX_MS,
          signal,
          next: () => requests.next(),
          audience,
          onResponse: (body, status) => requests.take(body, status),
          onError: (_body, code) => requests.fail(code),
        });
      }
    };
    this.#load = send();
  }

  async #end(): Promise<void> {
    this.#stopping.abort();
    await this.#load;
    await this.audience.close();
    await this.#node?.stop();
    if (!this.#t.passed) console.error(`The node wrote:\n${this.#node?.output()}`);
  }
}

/** Records that are on their way, in a report of `rialto reconcile --json`. */
function waitingIn(stdout: string): number {
  const { sections }: ReconcileReport = JSON.parse(stdout);
  const lines = sections.find(({ title }) => title.startsWith('Journal'))?.lines ?? [];
  return lines.reduce((sum, { figures }) => sum + Number(figures[1] ?? 0), 0);
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).status === 200;
  } catch {
    return false;
  }
}
