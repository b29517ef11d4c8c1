import { setTimeout as delay } from 'node:timers/promises';
import type { StartedNode } from '../test/support/node.ts';
import { usedUs } from './cpu.ts';
import { send, warmUp } from './exchange.ts';
import { REPORT_TOKEN } from './fixture.ts';
import { median } from './statistics.ts';
import { withNode, type BenchNode } from './with-node.ts';

/** What an auction costs, in microseconds of CPU: each role's part until it is in the reports, and the floor. */
export interface DrainedCost {
  readonly bidders: number;
  readonly floorUs: number;
  readonly roles: Readonly<Record<(typeof ROLES)[number], number>>;
  /** What courier and control use together, and the whole node, as ratios to the floor. */
  readonly loadingRatio: number;
  readonly nodeRatio: number;
}

const ROLES = ['exchange', 'tracker', 'courier', 'control', 'supervisor'] as const;

/** How many auctions a sample has, by bidders: enough for several steps of the rollups. */
const SAMPLES: readonly (readonly [bidders: number, auctions: number])[] = [
  [1, 12_000],
  [3, 12_000],
  [10, 6_000],
  [30, 3_000],
];
const SAMPLES_OF_EACH = 3;

/** By then an auction is in the reports, where nothing is behind. */
const REPORTED_AFTER_MS = 5_000;
const LOOK_MS = 1_000;
const LOOKS_MAX = 120;

/**
 * What the whole node spends on an auction from its request until it is in the reports, beside the floor, at
 * 1, 3, 10 and 30 bidders.
 */
export async function measureDrained(): Promise<readonly DrainedCost[]> {
  const costs: DrainedCost[] = [];
  for (const [bidders, auctions] of SAMPLES) {
    const of = await withNode(bidders, (parts) => measureSamples(parts, bidders, auctions));
    costs.push(of);
    const each = ROLES.map((role) => `${role} ${of.roles[role].toFixed(0)}`).join(', ');
    console.log(
      `drained, ${bidders} bidders: floor ${of.floorUs.toFixed(0)} µs, ${each}; ` +
        `loading/floor ${of.loadingRatio.toFixed(2)}, node/floor ${of.nodeRatio.toFixed(2)}`,
    );
  }
  return costs;
}

async function measureSamples(
  { node, floorPid, floorUrl }: BenchNode,
  bidders: number,
  auctions: number,
): Promise<DrainedCost> {
  const url = `${node.urls.exchange}/openrtb2/auction`;
  // Enough for the compilers of all of them.
  await warmUp(floorUrl, auctions);
  let reported = await warmUp(url, auctions);
  await reportedAre(node, reported);
  const sample = async (): Promise<Omit<DrainedCost, 'bidders'>> => {
    const before = usedUs([floorPid]);
    await send(floorUrl, auctions);
    const floorUs = (usedUs([floorPid]) - before) / auctions;
    const used = usedBy(node);
    await send(url, auctions);
    await reportedAre(node, (reported += auctions));
    const after = usedBy(node);
    const of = (role: (typeof ROLES)[number]): number => (after[role] - used[role]) / auctions;
    const roles = mapRoles(of);
    const all = ROLES.reduce((sum, role) => sum + roles[role], 0);
    return {
      floorUs,
      roles,
      loadingRatio: (roles.courier + roles.control) / floorUs,
      nodeRatio: all / floorUs,
    };
  };
  const samples: Omit<DrainedCost, 'bidders'>[] = [];
  for (let count = 0; count < SAMPLES_OF_EACH; count += 1) samples.push(await sample());
  return {
    bidders,
    floorUs: median(samples.map(({ floorUs }) => floorUs)),
    roles: mapRoles((role) => median(samples.map(({ roles }) => roles[role]))),
    loadingRatio: median(samples.map(({ loadingRatio }) => loadingRatio)),
    nodeRatio: median(samples.map(({ nodeRatio }) => nodeRatio)),
  };
}

/** Waits until the reports have so many auctions. */
async function reportedAre(node: StartedNode, auctions: number): Promise<void> {
  await delay(REPORTED_AFTER_MS);
  for (let looks = 1; ; looks += 1) {
    const found = await readReported(node);
    if (found === auctions) return;
    if (found > auctions || looks === LOOKS_MAX) {
      throw new Error(`the reports have ${found} auctions, not ${auctions}`);
    }
    await delay(LOOK_MS);
  }
}

/** Auctions of the publisher, of yesterday and today: the bench may run over midnight. */
async function readReported(node: StartedNode): Promise<number> {
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const query = new URLSearchParams({
    account_auth_token: REPORT_TOKEN,
    start_date: dateOf(Date.now() - 86_400_000),
    end_date: dateOf(Date.now()),
  });
  const url = `${node.urls.control}/reporting/brand/supply?${query.toString()}`;
  const answer: { data?: { requests: number }[] } = JSON.parse(await (await fetch(url)).text());
  return (answer.data ?? []).reduce((sum, { requests }) => sum + requests, 0);
}

function usedBy(node: StartedNode): DrainedCost['roles'] {
  return mapRoles((role) => usedUs(role === 'supervisor' ? [node.pid] : node.pids(role)));
}

function mapRoles(of: (role: (typeof ROLES)[number]) => number): DrainedCost['roles'] {
  return {
    exchange: of('exchange'),
    tracker: of('tracker'),
    courier: of('courier'),
    control: of('control'),
    supervisor: of('supervisor'),
  };
}
