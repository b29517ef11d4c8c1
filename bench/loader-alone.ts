import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { BATCH_MEDIA_TYPE, BATCH_PATHS, encodeManifest } from '../src/ports/batch-wire.ts';
import { BATCH_BYTES_MAX } from '../src/ports/batch.ts';
import { SCHEMA_OF } from '../src/journal/segment.ts';
import { send } from './exchange.ts';
import { startHelper } from './processes.ts';
import { portOf, withNode } from './with-node.ts';

/** What one loader does, by how many nodes send to it at a time. */
export interface LoaderSpeed {
  readonly nodes: number;
  readonly recordsPerCoreSecond: number;
}

const BIDDERS = 3;
const NODES = [1, 8] as const;
const NEWLINE = 0x0a;
/** Batches of all nodes together. */
const BATCHES = 48;
const WARM_UP_BATCHES = 8;

/**
 * How many auctions of three bidders a loader takes for each second of a core that it uses: receiving,
 * hashing, inserting, counting and merging, without courier and exchange. The records are those of a node.
 */
export async function measureLoader(): Promise<readonly LoaderSpeed[]> {
  const records = await recordsOfNode();
  const speeds: LoaderSpeed[] = [];
  for (const nodes of NODES) {
    const recordsPerCoreSecond = await measureWith(nodes, records);
    speeds.push({ nodes, recordsPerCoreSecond });
    console.log(
      `loader, ${nodes} nodes: ${recordsPerCoreSecond.toFixed(0)} records a second of a core`,
    );
  }
  return speeds;
}

/** One batch of auctions, as an exchange has written them. */
function recordsOfNode(): Promise<Buffer> {
  return withNode(BIDDERS, async ({ node }) => {
    await send(`${node.urls.exchange}/openrtb2/auction`, 4_000);
    const journal = join(node.dataDirectory, 'journal');
    const names = readdirSync(journal).filter((name) => name.startsWith('money-'));
    const lines = names.flatMap((name) =>
      readFileSync(join(journal, name), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"kind":"auction"')),
    );
    const all = Buffer.from(`${lines.join('\n')}\n`);
    const end = Math.min(all.length, BATCH_BYTES_MAX);
    return all.subarray(0, all.lastIndexOf(NEWLINE, end - 1) + 1);
  });
}

async function measureWith(nodes: number, records: Buffer): Promise<number> {
  const helper = await startHelper('loader.ts', []);
  try {
    const url = `http://127.0.0.1:${portOf(helper.ready)}${BATCH_PATHS.money}`;
    const count = records.toString('latin1').split('\n').length - 1;
    let sent = 0;
    const sendAll = async (batches: number): Promise<void> => {
      const perNode = batches / nodes;
      const senders = Array.from({ length: nodes }, async (_, node) => {
        for (let index = 0; index < perNode; index += 1) {
          await sendBatch(url, records, { node, start: sent + index * records.length });
        }
      });
      await Promise.all(senders);
      sent += perNode * records.length;
    };
    await sendAll(WARM_UP_BATCHES);
    const before = cpuOf(await helper.ask('fill'));
    await sendAll(BATCHES);
    const usedUs = cpuOf(await helper.ask('fill')) - before;
    return (count * BATCHES * 1e6) / usedUs;
  } finally {
    helper.child.stdin?.end();
  }
}

async function sendBatch(
  url: string,
  records: Buffer,
  { node, start }: { readonly node: number; readonly start: number },
): Promise<void> {
  const segment = { segment: 'money-bench.ndjson', start, end: start + records.length };
  const incarnation = String(node).padStart(16, '0');
  const manifest = { incarnation, schema: SCHEMA_OF.money, segments: [segment] };
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': BATCH_MEDIA_TYPE },
    body: Buffer.concat([encodeManifest(manifest), records]),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`the loader answered ${statusCode}: ${text}`);
}

function cpuOf(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null || !('cpuUs' in answer)) {
    throw new Error('the loader did not say what it used');
  }
  return Number(answer.cpuUs);
}
