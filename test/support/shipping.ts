import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startBidder, type SimBidder } from '../../sim/bidder.ts';
import { openChdb } from '../../src/adapters/chdb.ts';
import { fillRollups } from '../stores/loader-fixture.ts';
import { ROLE_NAMES } from '../../src/settings/settings.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { leased, patient } from './exchange.ts';
import { startNode, type StartedNode } from './node.ts';
import { until } from './wait.ts';

/** Longer than an auction takes. */
const QUIET_MS = 800;

const EXAMPLE = new URL('../../examples/exchange.yaml', import.meta.url);

/** A node with both of the example's bidders, whose data directory outlives it. */
export interface ShippingNode {
  readonly node: StartedNode;
  readonly bidders: readonly [SimBidder, SimBidder];
  /** Records in the journal, and what has been acknowledged of them. */
  backlog(): Promise<Backlog>;
  /** Every record of the journal. */
  records(): Promise<readonly MoneyRecord[]>;
  /**
   * Waits until every process runs again, nothing is recorded any more (requests that waited in the
   * kernel for a process that was killed are held late), and all of it has been acknowledged.
   */
  drained(withinMs: number): Promise<void>;
  /** Stops the node and opens its analytics store in this process, until the test ends. */
  stopAndOpen(): Promise<AnalyticsStore>;
}

export interface Backlog {
  /** Whole lines and headers. */
  readonly bytes: number;
  readonly acknowledgedBytes: number;
}

export async function startShippingNode(
  t: TestContext,
  args: readonly string[],
): Promise<ShippingNode> {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-shipping-'));
  const acme = await startBidder({ profile: { name: 'Acme', seats: ['acme-1'] }, seed: 'acme' });
  const bolt = await startBidder({ profile: { name: 'Bolt', seats: ['bolt-1'] }, seed: 'bolt' });
  const open: { node?: StartedNode; store?: AnalyticsStore } = {};
  // One after the other: the node stops before its bidders go, and its files go last.
  t.after(async () => {
    await open.node?.stop();
    if (!t.passed) console.error(`The node wrote:\n${open.node?.output()}`);
    await open.store?.close();
    await Promise.all([acme.close(), bolt.close()]);
    rmSync(directory, { recursive: true });
  });
  const file = join(directory, 'exchange.yaml');
  const yaml = readFileSync(EXAMPLE, 'utf8')
    .replace('http://127.0.0.1:9101/bid', acme.url)
    .replace('http://127.0.0.1:9102/bid', bolt.url);
  writeFileSync(file, patient(yaml));
  const dataDirectory = join(directory, 'data');
  const node = await startNode({ file, args, dataDirectory });
  open.node = node;
  await leased(node);
  const backlog = (): Promise<Backlog> => readBacklog(dataDirectory);
  return {
    node,
    bidders: [acme, bolt],
    backlog,
    records: async () => {
      const records: MoneyRecord[] = [];
      const journal = join(dataDirectory, 'journal');
      for await (const { text } of readJournal({ directory: journal, stream: 'money' })) {
        records.push(JSON.parse(text));
      }
      return records;
    },
    drained: async (withinMs) => {
      await until('the whole journal is acknowledged', withinMs, async () => {
        const before = await backlog();
        await delay(QUIET_MS);
        if (ROLE_NAMES.some((role) => node.pids(role).length === 0)) return false;
        const { bytes, acknowledgedBytes } = await backlog();
        return bytes === before.bytes && bytes === acknowledgedBytes;
      });
    },
    stopAndOpen: async () => {
      await node.stop();
      const store = await openChdb({ directory: join(dataDirectory, 'analytics') });
      open.store = store;
      // What was loaded last is counted by the next process that opens it.
      await fillRollups(store);
      return store;
    },
  };
}

/** Segments without a record count nothing: the courier does not offer a header alone. */
async function readBacklog(dataDirectory: string): Promise<Backlog> {
  const journal = join(dataDirectory, 'journal');
  const acknowledged = await readAcknowledged(dataDirectory);
  let [bytes, acknowledgedBytes] = [0, 0];
  for (const name of await readdir(journal)) {
    if (!name.startsWith('money-')) continue;
    const content = await readFile(join(journal, name));
    const end = content.lastIndexOf('\n') + 1;
    if (end > content.indexOf('\n') + 1) bytes += end;
    acknowledgedBytes += acknowledged[name]?.offset ?? 0;
  }
  return { bytes, acknowledgedBytes };
}

async function readAcknowledged(
  dataDirectory: string,
): Promise<Record<string, { offset: number } | undefined>> {
  try {
    const text = await readFile(join(dataDirectory, 'courier', 'shipping.json'), 'utf8');
    return JSON.parse(text).acknowledged;
  } catch {
    return {};
  }
}
