import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { request } from 'undici';
import { startBidder, type SimBidder } from '../../sim/bidder.ts';
import { runOpenLoop } from '../../sim/load.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { readJournal } from '../../src/journal/read.ts';
import { effort, IS_SOAK } from '../support/effort.ts';
import { assertInvariants } from '../support/invariants.ts';
import { startNode, type StartedNode } from '../support/node.ts';
import { until } from '../support/wait.ts';

/** On a busy machine the healthy bidder takes longer as well. */
const TMAX_MS = effort(900, 300);
/** In the gate so few that those that wait for hanging bidders are not too many for a busy machine. */
const RATE = effort(20, 40);
/** So many answers before the bidders fall ill and after they are well again. */
const ANSWERS = RATE;
/** For what happens at some time: the machine may be busy with other tests. */
const SOON_MS = 60_000;
/** How soon breakers open and close; measured in soak, where nothing else runs. */
const OPENED_MS = IS_SOAK ? 2_500 : SOON_MS;
const READMITTED_MS = IS_SOAK ? 8_000 : SOON_MS;
/** Probes are counted until each bidder has had so many. */
const PROBES = effort(2, 6);
/** For one answer in a hundred: the load and all bidders run beside the exchange. */
const MACHINE_SLOW_MS = 100;

/** A bidder that can fall ill. */
interface Patient {
  readonly url: string;
  fall(): Promise<void> | void;
  heal(): Promise<void> | void;
  close(): Promise<void>;
}

test('a sick bidder of any kind is left alone and, when it is well, called again; the healthy one notices nothing', async (t) => {
  const healthy = await startBidder({ profile: { name: 'healthy', seats: ['s-1'] } });
  const patients: readonly Patient[] = [
    await processThatStops('s-2'),
    await bidderWith('hang', 's-3'),
    await bidderWith('drip', 's-4'),
    await bidderWith('reset', 's-5'),
    await bidderThatCloses('s-6'),
  ];
  t.after(() => Promise.all([healthy, ...patients].map((bidder) => bidder.close())));
  const node = await startWith(t, [healthy.url, ...patients.map(({ url }) => url)]);
  const enough = new AbortController();
  t.after(() => enough.abort());
  let answers = 0;
  const moreAnswers = (): Promise<unknown> => {
    const before = answers;
    return until('more answers', SOON_MS, () => answers >= before + ANSWERS);
  };
  const load = runOpenLoop({
    url: `${node.urls.exchange}/openrtb2/auction`,
    ratePerSecond: RATE,
    durationMs: 5 * SOON_MS,
    signal: enough.signal,
    next: () => AD_REQUEST,
    onResponse: () => {
      answers += 1;
    },
  });
  await moreAnswers();
  assert.deepEqual([...(await openBreakers(node))], []);

  for (const patient of patients) await patient.fall();
  const fellMs = performance.now();
  const opened = await watch(node, (open) => open.size === patients.length, OPENED_MS);
  t.diagnostic(`the last opened after ${Math.round(performance.now() - fellMs)} ms`);
  assert.ok(!opened.has('1001'));

  const [before, beforeMs] = [await probesOf(node), performance.now()];
  const probesEach = async (): Promise<number> => {
    return ((await probesOf(node)) - before) / patients.length;
  };
  await until(`${PROBES} probes each`, SOON_MS, async () => (await probesEach()) >= PROBES);
  const probes = await probesEach();
  const seconds = (performance.now() - beforeMs) / 1_000;
  assert.ok(probes < seconds + 1, `${probes} probes each in ${seconds} s`);
  if (IS_SOAK) assert.ok(probes > seconds - 2, `${probes} probes each in ${seconds} s`);

  for (const patient of patients) await patient.heal();
  const healedMs = performance.now();
  await watch(node, (open) => open.size === 0, READMITTED_MS);
  t.diagnostic(`the last closed after ${Math.round(performance.now() - healedMs)} ms`);
  await until('every call is made again', READMITTED_MS, async () => {
    const shares = [...(await metric(node, 'rialto_bidder_called_share')).values()];
    return shares.length > patients.length && shares.every((share) => share === 1);
  });
  await moreAnswers();
  await moreAnswers();
  enough.abort();
  const { statuses, latencyMs } = await load;
  t.diagnostic(`p99 ${Math.round(latencyMs.p99)} ms of ${TMAX_MS} ms`);
  assert.deepEqual(Object.keys(statuses), ['200']);
  if (IS_SOAK)
    assert.ok(latencyMs.p99 <= TMAX_MS + 20 + MACHINE_SLOW_MS, `p99 ${latencyMs.p99} ms`);

  const records = await auctionsOf(node);
  assertInvariants(records);
  assertHealthy(records);
  assertReadmitted(records);
  const warned = node.output().match(/a bidder fails and is only probed/g) ?? [];
  const calm = node.output().match(/answers its probes and is called again/g) ?? [];
  assert.deepEqual([warned.length, calm.length], [patients.length, patients.length]);
});

async function auctionsOf({ dataDirectory }: StartedNode): Promise<readonly AuctionRecord[]> {
  const auctions: AuctionRecord[] = [];
  const directory = join(dataDirectory, 'journal');
  for await (const { text } of readJournal({ directory, stream: 'money' })) {
    const record: MoneyRecord = JSON.parse(text);
    if (record.kind === 'auction') auctions.push(record);
  }
  return auctions;
}

/** Whether the partner that was well all the time got each call and answered it with a bid. */
function assertHealthy(records: readonly AuctionRecord[]): void {
  const outcomes = new Map<string, number>();
  for (const { calls } of records) {
    const call = calls.find(({ demand_partner_id: id }) => id === 1001);
    const key = call === undefined ? 'none' : call.outcome;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
  }
  const bids = outcomes.get('bid') ?? 0;
  const late = IS_SOAK ? 1 : 0.02 * records.length;
  assert.ok(bids >= records.length - late, JSON.stringify([...outcomes]));
}

/** All calls of the last second are made again, and are answered. */
function assertReadmitted(records: readonly AuctionRecord[]): void {
  const calls = records.slice(-RATE).flatMap((record) => record.calls);
  const bids = calls.filter(({ outcome }) => outcome === 'bid').length;
  assert.ok(bids > 0.95 * calls.length, `${bids} of ${calls.length}`);
}

const AD_REQUEST = {
  id: 'request-1',
  imp: [{ id: 'imp-1', tagid: '4001', banner: { w: 300, h: 250 } }],
  site: { id: '3001', publisher: { id: '2001' } },
  device: { ip: '8.8.8.8', ua: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36' },
  tmax: TMAX_MS,
};

/** A node whose demand partners have these bidders: ids and seats from 1001 on. */
async function startWith(t: TestContext, urls: readonly string[]): Promise<StartedNode> {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-health-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'exchange.yaml');
  // YAML takes JSON as it is.
  writeFileSync(
    file,
    JSON.stringify({
      exchange: { name: 'Health', allow_private_addresses: ['127.0.0.0/8'] },
      demand_partners: urls.map((endpoint, index) => ({
        id: 1001 + index,
        name: `Partner ${1001 + index}`,
        bidder: { endpoint, timeout_ms: 1_000 },
        line_items: [{ id: 501 + index, name: 'All', seat: `s-${1 + index}`, floor: 0.05 }],
      })),
      publishers: [
        {
          id: 2001,
          name: 'Planet',
          revenue_share: 0.8,
          sites: [
            {
              id: 3001,
              name: 'planet.example',
              domain: 'planet.example',
              ad_spaces: [{ id: 4001, name: 'Box', banner: { sizes: ['300x250'] }, floor: 0.1 }],
            },
          ],
        },
      ],
    }),
  );
  return startNode({ t, file });
}

/** A bidder that does wrong with each answer while it is ill. */
async function bidderWith(fault: 'hang' | 'drip' | 'reset', seat: string): Promise<Patient> {
  const bidder = await startBidder({ profile: { name: fault, seats: [seat] } });
  return {
    url: bidder.url,
    fall: () => bidder.respondWith(() => ({ fault })),
    heal: () => bidder.respondWith(() => 'default'),
    close: () => bidder.close(),
  };
}

async function bidderThatCloses(seat: string): Promise<Patient> {
  const profile = { name: 'closed port', seats: [seat] };
  let bidder: SimBidder = await startBidder({ profile });
  const { url, port } = bidder;
  return {
    url,
    fall: () => bidder.close(),
    heal: async () => {
      bidder = await startBidder({ profile, port });
    },
    close: () => bidder.close(),
  };
}

/** A bidder that is a process of its own and stands still: the kernel takes its connections. */
async function processThatStops(seat: string): Promise<Patient> {
  const program = `
    import { startBidder } from ${JSON.stringify(import.meta.resolve('../../sim/bidder.ts'))};
    const profile = { name: 'stopped process', seats: [${JSON.stringify(seat)}] };
    console.log((await startBidder({ profile })).url);
    process.stdin.on('end', () => process.exit()).resume();`;
  const child: ChildProcess = spawn(
    process.execPath,
    ['--input-type=module-typescript', '--eval', program],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  assert.ok(child.stdout !== null);
  const [url] = await once(createInterface(child.stdout), 'line');
  return {
    url: String(url),
    fall: () => void child.kill('SIGSTOP'),
    heal: () => void child.kill('SIGCONT'),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The partners whose breakers are open, as the metrics tell; fails when that is not in time. */
function watch(
  node: StartedNode,
  condition: (open: ReadonlySet<string>) => boolean,
  withinMs: number,
): Promise<ReadonlySet<string>> {
  return until('the breakers are as they should be', withinMs, async () => {
    const open = await openBreakers(node);
    return condition(open) && open;
  });
}

async function openBreakers(node: StartedNode): Promise<ReadonlySet<string>> {
  const values = await metric(node, 'rialto_bidder_breaker_open');
  return new Set([...values].flatMap(([partner, value]) => (value > 0 ? [partner] : [])));
}

async function probesOf(node: StartedNode): Promise<number> {
  const values = await metric(node, 'rialto_bidder_probes_total');
  return [...values.values()].reduce((sum, value) => sum + value, 0);
}

/** The values of a metric by demand partner. */
async function metric(node: StartedNode, name: string): Promise<ReadonlyMap<string, number>> {
  const answer = await request(node.urls.metrics);
  const lines = (await answer.body.text()).matchAll(
    new RegExp(`^${name}\\{.*demand_partner="(\\d+)"\\} (\\S+)$`, 'gm'),
  );
  return new Map([...lines].map(([, partner = '', value]) => [partner, Number(value)]));
}
