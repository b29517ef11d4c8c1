import { setTimeout as sleep } from 'node:timers/promises';
import { Audience } from './audience.ts';
import { readCatalogue } from './catalogue.ts';
import { DURATION_MAX_MS, runOpenLoop } from './load.ts';
import { createTraffic, type Traffic } from './publisher.ts';
import { stopSignal } from './stop-signal.ts';

/** How `sim publishers` was called. Shares are probabilities. */
export interface PublishersOptions {
  readonly config: string;
  /** Address of the exchange. */
  readonly url: string;
  readonly seed: string;
  /** Requests per second. */
  readonly rate: number;
  /** In seconds; until it is stopped when left out. */
  readonly duration?: number;
  readonly decides: number;
  readonly take: number;
  readonly show: number;
  readonly view: number;
  readonly click: number;
  readonly repeat: number;
  /** Whether pages act on the ads that they get. */
  readonly beacons: boolean;
}

/** How long the last ads of a bounded run may take to be seen, in milliseconds. */
const SETTLE_MAX_MS = 30_000;

/** Prints a line of JSON a second and one at the end, each with the totals since the start. */
export async function runPublishers(options: PublishersOptions): Promise<void> {
  const stop = stopSignal(true);
  const catalogue = readCatalogue(options.config);
  const { seed, decides: decidesRate } = options;
  const traffic = createTraffic({ catalogue, seed, decidesRate });
  const audience = audienceOf(options);
  const totals = { sent: 0, filled: 0, unfilled: 0, failed: 0 };
  const print = (): void => {
    process.stdout.write(`${JSON.stringify({ ...totals, ...seenBy(audience) })}\n`);
  };
  const timer = setInterval(print, 1000);
  try {
    await sendTraffic(options, { traffic, totals, audience, stop });
    await Promise.race([audience.settled(), waited(SETTLE_MAX_MS, stop)]);
  } finally {
    clearInterval(timer);
    await audience.close();
  }
  print();
}

function audienceOf(options: PublishersOptions): Audience {
  const { seed, take, show, view, click, repeat } = options;
  const behaviour = {
    takeRate: take,
    showRate: show,
    viewRate: view,
    clickRate: click,
    repeatRate: repeat,
  };
  return new Audience({ seed: `${seed}/audience`, behaviour });
}

/** What the publishers know of their ads; what was told is in micro-dollars CPM. */
function seenBy({ ledger: { totals } }: Audience): Readonly<Record<string, number>> {
  const { win, impression, view, click } = totals.beacons;
  return {
    confirmed: win.acknowledged,
    dropped: totals.dropped,
    impressions: impression.acknowledged,
    views: view.acknowledged,
    clicks: click.acknowledged,
    told_micros: totals.toldMicros,
    uncertain: win.abandoned + impression.abandoned + view.abandoned + click.abandoned,
    refused: win.refused + impression.refused + view.refused + click.refused,
    unaddressed: totals.unaddressed,
  };
}

interface Sending {
  readonly traffic: Traffic;
  readonly totals: { sent: number; filled: number; unfilled: number; failed: number };
  readonly audience: Audience;
  readonly stop: AbortSignal;
}

async function sendTraffic(options: PublishersOptions, sending: Sending): Promise<void> {
  const { traffic, totals, audience, stop } = sending;
  let leftMs = (options.duration ?? Number.POSITIVE_INFINITY) * 1000;
  // A run is bounded; an endless one is a row of bounded ones.
  while (leftMs > 0 && !stop.aborted) {
    const durationMs = Math.min(leftMs, DURATION_MAX_MS);
    await runOpenLoop({
      url: new URL('/openrtb2/auction', options.url).href,
      ratePerSecond: options.rate,
      durationMs,
      signal: stop,
      timeoutMs: 2000,
      ...(options.beacons ? { audience } : {}),
      next() {
        totals.sent += 1;
        return traffic.next();
      },
      onResponse(_, status) {
        if (status === 200) totals.filled += 1;
        else if (status === 204) totals.unfilled += 1;
        else totals.failed += 1;
      },
      onError() {
        totals.failed += 1;
      },
    });
    leftMs -= durationMs;
  }
}

async function waited(waitMs: number, stop: AbortSignal): Promise<void> {
  // Nothing else may be left to wait for: this alone keeps no process.
  await sleep(waitMs, undefined, { signal: stop, ref: false }).catch(() => {});
}
