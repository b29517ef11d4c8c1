import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LineItemCap, LeaseWorld } from './lease-world.ts';
import { DAY_MS } from './utc-day.ts';
import { runs } from '../../test/support/effort.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EVENING_MS = Date.UTC(2026, 10, 20, 19);

type Event = (world: LeaseWorld, value: number) => void;

function network(lost: number, doubled: number, late: number): Event {
  return (world) => void Object.assign(world.trouble, { lost, doubled, late });
}

function demand(differs: Partial<LeaseWorld['demand']>): Event {
  return (world) => void Object.assign(world.demand, differs);
}

/** What can happen, each with a number that says to whom or how much. */
const EVENTS: Readonly<Record<string, Event>> = {
  moment: (world) => world.run(400, 100),
  quiet: (world) => world.run(5_000, 250),
  minutes: (world, value) => world.run((1 + (value % 10)) * MINUTE_MS, 5_000),
  hour: (world) => world.run(HOUR_MS, 30_000),
  dayEnds: (world) => {
    const leftMs = DAY_MS - (world.nowMs % DAY_MS);
    if (leftMs > MINUTE_MS) world.run(leftMs - MINUTE_MS, Math.ceil(leftMs / 200));
    world.run(2 * MINUTE_MS, 1_000);
  },
  badNetwork: network(0.3, 0.3, 0.2),
  deadNetwork: network(0.95, 0.3, 0.5),
  goodNetwork: network(0, 0, 0),
  kill: (world, value) => world.kill(value),
  replace: (world, value) => world.replace(value),
  newNode: (world, value) => {
    if (world.processes.length < 8) world.addNode(1 + (value % 3));
  },
  lostNode: (world, value) => world.loseNode(value),
  controlDiesBefore: (world) => {
    world.dies = 'before';
  },
  controlDiesAfter: (world) => {
    world.dies = 'after';
  },
  controlRestarts: (world) => world.restartControl(),
  controlAway: (world) => {
    world.isUp = false;
  },
  controlBack: (world) => {
    world.isUp = true;
    world.restartControl();
  },
  storeAway: (world) => {
    world.settles = false;
  },
  storeBack: (world) => {
    world.settles = true;
  },
  capLowered: (world, value) => {
    world.setCap(501, { impressions: value % 100, micros: null, maxQps: 1 + (value % 50) });
  },
  capRaised: (world, value) => {
    world.setCap(501, { impressions: 100 + value, micros: null, maxQps: 50 + value });
  },
  nobodyBills: demand({ billedAtOnce: 0, billedLater: 0.3, released: 0.3 }),
  allBill: demand({ billedAtOnce: 0.7, billedLater: 0.3, released: 0.1 }),
  rush: demand({ winsPerSecond: 5, asksPerSecond: 60, turnsPerSecond: 0.3 }),
  trickle: demand({ winsPerSecond: 0.05, asksPerSecond: 3, turnsPerSecond: 0.01 }),
};

const anEvent = fc.tuple(fc.constantFrom(...Object.keys(EVENTS)), fc.nat(1000));

const CAPS = new Map<number, LineItemCap>([
  [501, { impressions: 100, micros: null, maxQps: 50 }],
  [502, { impressions: null, micros: 400_000_000, maxQps: null }],
  [503, { impressions: 3, micros: 9_000_000, maxQps: 2 }],
]);

test('whatever happens, shares never exceed a limit, nor what can be billed a daily one', () => {
  const property = fc.property(
    fc.integer(),
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
    fc.array(anEvent, { size: 'max', minLength: 20, maxLength: 60 }),
    (seed, nodes, happenings) => {
      const world = new LeaseWorld({ seed, nodes, caps: CAPS, startMs: EVENING_MS });
      Object.assign(world.demand, { billedAtOnce: 0.5, billedLater: 0.3, released: 0.1 });
      Object.assign(world.demand, { winsPerSecond: 0.5, turnsPerSecond: 0.1 });
      world.run(2_000, 250);
      for (const [event, value] of happenings) {
        EVENTS[event]?.(world, value);
        world.run(300, 100);
      }
    },
  );
  fc.assert(property, { numRuns: runs(4) });
});

const MORNING_MS = Date.UTC(2026, 10, 20, 1);

/** A world in which everything works, and there is one line item. */
function aQuietWorld(cap: Partial<LineItemCap>, nodes: readonly number[] = [2, 2, 2]): LeaseWorld {
  const caps = new Map([[501, { impressions: null, micros: null, maxQps: null, ...cap }]]);
  return new LeaseWorld({ seed: 1, nodes, caps, startMs: MORNING_MS });
}

test('demand uses up a daily number of impressions to the last', () => {
  const world = aQuietWorld({ impressions: 1_000 });
  world.run(3 * MINUTE_MS, 100);
  assert.ok(world.exposure(501).impressions >= 600, `${world.exposure(501).impressions}`);
  world.run(20 * MINUTE_MS, 500);
  assert.equal(world.exposure(501).impressions, 1_000);
});

test('demand uses up a daily spend but for less than the price of a win', () => {
  const world = aQuietWorld({ micros: 2_000_000_000 });
  world.run(40 * MINUTE_MS, 500);
  const { micros } = world.exposure(501);
  assert.ok(micros > 2_000_000_000 - world.demand.priceMicrosMax, `${micros}`);
});

test('a limit of one impression a day is used by somebody', () => {
  const world = aQuietWorld({ impressions: 1, micros: 6_000_000 });
  world.run(2 * MINUTE_MS, 250);
  assert.equal(world.exposure(501).impressions, 1);
});

test('what the idle were granted goes to those who win', () => {
  const world = aQuietWorld({ impressions: 200 });
  for (const { busyWith } of world.processes.slice(1)) busyWith.clear();
  world.run(10 * MINUTE_MS, 500);
  assert.equal(world.exposure(501).impressions, 200);
});

test('wins that are never billed give way to others when they have expired', () => {
  const world = aQuietWorld({ impressions: 300 });
  Object.assign(world.demand, { winsPerSecond: 0.1, billedAtOnce: 0.3, billedLater: 0.2 });
  world.run(HOUR_MS, 2_000);
  const { impressions, billed } = world.exposure(501);
  assert.ok(impressions > 250 && billed < 200, `${impressions} won, ${billed} billed`);
  world.run(21 * HOUR_MS, 20_000);
  assert.ok(world.exposure(501).billed >= 295, `${world.exposure(501).billed} billed`);
});

test('what killed processes had in advance is used after some hours', () => {
  const world = aQuietWorld({ impressions: 2_000 });
  world.run(2 * MINUTE_MS, 250);
  for (let each = 0; each < 6; each += 1) world.kill(0);
  world.run(HOUR_MS, 2_000);
  const stranded = 2_000 - world.exposure(501).impressions;
  assert.ok(stranded > 0 && stranded < 700, `${stranded} stranded`);
  world.run(5 * HOUR_MS, 20_000);
  assert.equal(world.exposure(501).impressions, 2_000);
});

test('every day begins with the whole limit', () => {
  const world = aQuietWorld({ impressions: 500 });
  Object.assign(world.demand, { winsPerSecond: 0.5 });
  for (let day = 0; day < 3; day += 1) {
    world.run(HOUR_MS, 2_000);
    assert.equal(world.exposure(501).impressions, 500);
    world.run(DAY_MS - HOUR_MS, 30_000);
  }
});

test('the only one with demand gets all but the base shares of the others', () => {
  const world = aQuietWorld({ maxQps: 100 });
  Object.assign(world.demand, { asksPerSecond: 200 });
  const [first, ...others] = world.processes;
  for (const { busyWith } of others) busyWith.clear();
  world.run(10_000, 50);
  const share = first?.holder.shareOf('line item 501') ?? 0;
  assert.ok(share > 0.916 && share < 0.917, `${share}`);
  const [second] = others;
  second?.busyWith.add(501);
  world.run(10_000, 50);
  assert.ok((second?.holder.shareOf('line item 501') ?? 0) > 0.4);
  const sum = world.processes.reduce((all, { holder }) => all + holder.shareOf('line item 501'), 0);
  assert.ok(sum > 0.999, `${sum}`);
});

test('while control is away for a quarter of an hour nothing changes, and after that it stops', () => {
  const world = aQuietWorld({ maxQps: 100, impressions: 100_000 });
  world.run(40 * MINUTE_MS, 1_000);
  const before = world.exposure(501).impressions;
  const shares = world.processes.map(({ holder }) => holder.shareOf('line item 501'));
  world.isUp = false;
  world.run(15 * MINUTE_MS, 1_000);
  const during = world.exposure(501).impressions - before;
  assert.equal(during, world.processes.length * 15 * 60, 'each wins one a second');
  assert.deepEqual(
    world.processes.map(({ holder }) => holder.shareOf('line item 501')),
    shares,
  );
  world.run(6 * MINUTE_MS, 1_000);
  assert.ok(world.processes.every(({ holder }) => holder.expired));
  world.isUp = true;
  world.restartControl();
  world.run(5_000, 100);
  assert.ok(world.processes.every(({ holder }) => !holder.expired));
});

test('a new node has its base share when the others have let go of theirs', () => {
  const world = aQuietWorld({ maxQps: 100 }, [1]);
  world.run(3_000, 50);
  assert.equal(world.processes[0]?.holder.shareOf('line item 501'), 1, 'one alone has all');
  world.addNode(1);
  world.run(10_000, 50);
  for (const { holder } of world.processes) {
    assert.ok(holder.shareOf('line item 501') >= 0.05, `${holder.shareOf('line item 501')}`);
  }
});

test('in no second is more taken than the limit, and the burst of each process', () => {
  const limit = 200;
  const world = aQuietWorld({ maxQps: limit });
  Object.assign(world.demand, { asksPerSecond: 400, turnsPerSecond: 0.3 });
  const { processes } = world;
  /** By step of 20 ms: the shares of all processes. */
  const shares: number[][] = [];
  const startMs = world.nowMs;
  while (world.nowMs < startMs + MINUTE_MS) {
    world.run(20, 20);
    shares.push(processes.map(({ holder }) => holder.shareOf('line item 501')));
  }
  let most = 0;
  for (let from = 0; from + 50 <= shares.length; from += 1) {
    const fromMs = startMs + from * 20;
    const taken = world.takenMs.filter((atMs) => atMs > fromMs && atMs <= fromMs + 1_000).length;
    most = Math.max(most, taken);
    const bursts = processes.map((_process, index) => {
      const highest = Math.max(...shares.slice(from, from + 50).map((each) => each[index] ?? 0));
      return Math.max(1, (highest * limit) / 10);
    });
    const burst = bursts.reduce((sum, each) => sum + each, 0);
    assert.ok(
      taken <= limit + burst,
      `${taken} of ${limit} and ${burst} at ${fromMs - startMs} ms`,
    );
  }
  assert.ok(most > 0.95 * limit, `${most}`);
});
