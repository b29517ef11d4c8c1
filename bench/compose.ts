import { UNKNOWN_NETWORK } from '../src/enrich/network.ts';
import { createDeviceDetector } from '../src/enrich/device.ts';
import { biddableFormats } from '../src/exchange/biddable.ts';
import { Composer, type Composition } from '../src/exchange/compose.ts';
import { gatherFacts, traitsOf } from '../src/exchange/facts.ts';
import { planCalls, type PlannedCall } from '../src/exchange/plan.ts';
import { NO_RULES } from '../src/exchange/fixtures.ts';
import { findSlots } from '../src/exchange/slots.ts';
import { validateIncomingRequest } from '../src/openrtb/validate-incoming.ts';
import { privacyFor } from '../src/privacy/effects.ts';
import { exampleMarket } from '../test/support/golden.ts';
import { benchConfiguration, PUBLISHER_REQUEST } from './fixture.ts';
import { median } from './statistics.ts';

/**
 * Time to compose the bid requests of one auction, from its plan to their text. `shared` is how the
 * exchange does it: what bidders get alike is described and serialised once. `apart` does it for
 * each bidder anew. Both alternate within one run, because machines are noisy and ratios are not.
 */
const BIDDERS = [1, 3, 20];
const ROUNDS = 60;
const ROUND_MS = 20;
const FIRST_PORT = 9_101;

const checked = validateIncomingRequest(JSON.parse(PUBLISHER_REQUEST));
if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
const request = checked.value;

for (const bidders of BIDDERS) {
  // One market after the other: what is measured must not share the memory of the next.
  // oxlint-disable-next-line no-await-in-loop
  const { composition, calls } = await prepare(bidders);
  const shared = (): number => {
    const composer = new Composer(composition);
    return calls.reduce((length, call) => length + composer.compose(call, 'id', 100).length, 0);
  };
  const apart = (): number =>
    calls.reduce((length, call) => length + compose(composition, call).length, 0);
  const [sharedUs, apartUs] = alternate(shared, apart);
  console.log(
    `${bidders} bidders: shared ${sharedUs.toFixed(1)} µs, apart ${apartUs.toFixed(1)} µs (${(apartUs / sharedUs).toFixed(2)} ×)`,
  );
}

function compose(composition: Composition, call: PlannedCall): string {
  return new Composer(composition).compose(call, 'id', 100);
}

async function prepare(
  bidders: number,
): Promise<{ composition: Composition; calls: readonly PlannedCall[] }> {
  const ports = Array.from({ length: bidders }, (_, index) => FIRST_PORT + index);
  const market = await exampleMarket(() => benchConfiguration(ports));
  const found = findSlots(request, market, { secure: true, country: null });
  const [slot] = found.ok ? found.value : [];
  if (slot === undefined) throw new Error(JSON.stringify(found));
  const caller = {
    ip: null,
    secure: true,
    fromBrowser: false,
    userAgent: null,
    referer: null,
    acceptLanguage: null,
  };
  const detectDevice = createDeviceDetector({ cacheEntriesMax: 10 });
  const facts = gatherFacts(request, caller, {
    detectDevice,
    networkOf: () => ({ ...UNKNOWN_NETWORK, country: 'GB' }),
    findInvalidTraffic: () => null,
  });
  const calls = planCalls(market, [slot], {
    ...NO_RULES,
    match: (each) => market.eligibility.match(traitsOf(each, facts)),
    biddableFormats: (each, bidder) => biddableFormats(each, { bidder, os: facts.os }),
    effectsFor: (bidder) => privacyFor(facts.signals, bidder.gvlId),
  });
  if (calls.length !== bidders) throw new Error(`${calls.length} of ${bidders} bidders are asked`);
  const { exchange } = market.snapshot;
  return {
    composition: { request, slots: [slot], facts, exchange, publisherDecides: false },
    calls,
  };
}

/** The median time of each over many short rounds, in microseconds a call. */
function alternate(one: () => number, other: () => number): readonly [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    times[0].push(timeOf(one));
    times[1].push(timeOf(other));
  }
  // The first half is for the compiler.
  return [median(times[0].slice(ROUNDS / 2)), median(times[1].slice(ROUNDS / 2))];
}

function timeOf(work: () => number): number {
  const startMs = performance.now();
  let calls = 0;
  let composed = 0;
  while (performance.now() - startMs < ROUND_MS) {
    composed += work();
    calls += 1;
  }
  if (composed === 0) throw new Error('nothing was composed');
  return ((performance.now() - startMs) * 1_000) / calls;
}
