import { Audience } from '../../sim/audience.ts';
import { runOpenLoop, type LoadResult } from '../../sim/load.ts';
import { EAGER_BEHAVIOUR } from '../../sim/page.ts';
import { bannerRequest } from './exchange.ts';
import type { Lifetime, StartedNode } from './node.ts';

const REQUESTS_A_SECOND = 20;
/** Longer than any test. */
const TRAFFIC_MS = 300_000;
/** Processes may be away for long: what is tried is not how soon they answer. */
const ANSWERED_MS = 60_000;

/** Steady traffic whose every ad is shown, until it is stopped. */
export function startTraffic(t: Lifetime, { urls }: StartedNode) {
  const audience = new Audience({
    behaviour: EAGER_BEHAVIOUR,
    patience: { triesMax: 200, retryLastMs: 200 },
  });
  const stopping = new AbortController();
  t.after(() => stopping.abort());
  const load = runOpenLoop({
    url: `${urls.exchange}/openrtb2/auction`,
    ratePerSecond: REQUESTS_A_SECOND,
    durationMs: TRAFFIC_MS,
    timeoutMs: ANSWERED_MS,
    signal: stopping.signal,
    next: () => bannerRequest(),
    audience,
  });
  return {
    /** Waits for the answers and for the beacons of what they brought. */
    stop: async (): Promise<LoadResult> => {
      stopping.abort();
      const result = await load;
      await audience.settled();
      return result;
    },
  };
}
