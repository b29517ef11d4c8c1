import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import type { TokenRefusal } from '../beacons/token.ts';
import type { BeaconKind } from '../events/beacon-record.ts';
import type { VideoEvent } from '../events/video-event.ts';
import type { CountOutcome } from './beacon-counter.ts';
import type { SeenBeacons } from './seen-beacons.ts';

/** Upper bounds in seconds: a commit to the disk takes from tenths of a millisecond to tens of them. */
const BEACON_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What became of a beacon: counted, or why not. */
export type BeaconOutcome = CountOutcome | TokenRefusal | 'foreign';

/** The metrics of the tracker role. */
export interface TrackerMetrics {
  countBeacon(kind: BeaconKind, outcome: BeaconOutcome): void;
  /** @param code the VAST error code of an error, else ''. */
  countVideoEvent(event: VideoEvent, code: string): void;
  /** From the request to its answer, for beacons that count, and those of tests. */
  observe(durationMs: number): void;
}

export function createTrackerMetrics(registry: Registry, seen: SeenBeacons): TrackerMetrics {
  const registers = [registry];
  const beacons = new Counter({
    name: 'rialto_beacons_total',
    help: 'Beacons by kind and outcome: counted, repeated, of a test, or why they do not count.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const events = new Counter({
    name: 'rialto_video_events_total',
    help: "What players tell of videos, by VAST's names: creativeView, start, quartiles, complete, and error with its code.",
    labelNames: ['event', 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'rialto_beacon_seconds',
    help: 'Time from a beacon to its acknowledgement, its way to the disk included, in seconds.',
    buckets: BEACON_SECONDS,
    registers,
  });
  const remembered = new Gauge({
    name: 'rialto_beacons_remembered',
    help: 'Impressions whose beacons are remembered, so that none counts twice.',
    registers: [],
    collect() {
      this.set(seen.size);
    },
  });
  registry.registerMetric(remembered);
  return {
    countBeacon: (kind, outcome) => beacons.inc({ kind, outcome }),
    countVideoEvent: (event, code) => events.inc({ event, code }),
    observe: (durationMs) => seconds.observe(durationMs / 1000),
  };
}
