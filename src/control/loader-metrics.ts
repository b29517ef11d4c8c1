import { Counter, Gauge, type Registry } from 'prom-client';
import type { LoadCounters } from '../analytics/load.ts';
import type { HeldFigures } from '../analytics/held.ts';
import type { BatchStream } from '../ports/batch.ts';

/** What there is to see of loading. */
export interface LoaderGauges {
  /** By stream; null until the analytics store is open. */
  readonly counters: () => Readonly<Record<BatchStream, LoadCounters>> | null;
  /** False while the store in its place is not the one that was loaded into. */
  readonly isStoreKnown: () => boolean;
  /** Whether a load has not the records that it had, and holds up the reports. */
  readonly isHeld: () => boolean;
  /** What is held for a person to look at. */
  readonly quarantined: () => Promise<HeldFigures>;
}

/** Registers the metrics of what control loads into the analytics store. */
export function registerLoaderMetrics(registry: Registry, gauges: LoaderGauges): void {
  const streams = (): [string, LoadCounters][] => Object.entries(gauges.counters() ?? {});
  const batches: Counter<'result' | 'stream'> = new Counter({
    name: 'rialto_load_batches_total',
    help: 'Batches that nodes have offered, by what became of them: loaded, already, quarantined, conflict, failed.',
    labelNames: ['result', 'stream'],
    registers: [],
    collect: () => {
      batches.reset();
      for (const [stream, counters] of streams()) {
        for (const [result, count] of Object.entries(counters.batches)) {
          batches.inc({ result, stream }, count);
        }
      }
    },
  });
  const figures: readonly [string, string, (counters: LoadCounters) => number][] = [
    [
      'rialto_load_records_total',
      'Records loaded into the analytics store.',
      ({ records }) => records,
    ],
    ['rialto_load_bytes_total', 'Bytes of the records that were loaded.', ({ bytes }) => bytes],
    [
      'rialto_load_retries_total',
      'Insertions that failed and were tried again.',
      ({ retries }) => retries,
    ],
  ];
  for (const [name, help, value] of figures) {
    const counter: Counter<'stream'> = new Counter({
      name,
      help,
      labelNames: ['stream'],
      registers: [],
      collect: () => {
        counter.reset();
        for (const [stream, counters] of streams()) counter.inc({ stream }, value(counters));
      },
    });
    registry.registerMetric(counter);
  }
  const held: readonly [string, string, (figures: HeldFigures) => number][] = [
    [
      'rialto_quarantined_records',
      'Records that the schema refused and that wait for a person: more than 0 is an alarm.',
      ({ refused }) => refused,
    ],
    [
      'rialto_quarantined_damage',
      'Damaged places of journals that wait for a person: more than 0 is an alarm.',
      ({ damaged }) => damaged,
    ],
    [
      'rialto_quarantined_missing_records',
      'Records that were lost in these places.',
      ({ missing }) => missing,
    ],
  ];
  for (const [name, help, value] of held) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [],
      collect: async () => gauge.set(value(await gauges.quarantined())),
    });
    registry.registerMetric(gauge);
  }
  const open: Gauge = new Gauge({
    name: 'rialto_analytics_open',
    help: '1 while the analytics store is open, else 0; batches wait in the journals of their nodes.',
    registers: [],
    collect: () => open.set(gauges.counters() === null ? 0 : 1),
  });
  const known: Gauge = new Gauge({
    name: 'rialto_analytics_known',
    help: '0 while the analytics store is empty, another or an older one than was loaded into, so that nothing is loaded: run rialto reoffer, or put the right one back. Else 1.',
    registers: [],
    collect: () => known.set(gauges.isStoreKnown() ? 1 : 0),
  });
  const heldUp: Gauge = new Gauge({
    name: 'rialto_rollups_held',
    help: '1 while reports are held up because a load has more or fewer records in the analytics store than were loaded: run rialto reoffer. Else 0.',
    registers: [],
    collect: () => heldUp.set(gauges.isHeld() ? 1 : 0),
  });
  for (const metric of [batches, open, known, heldUp]) registry.registerMetric(metric);
}
