import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What there is to tell of one bidder. */
export interface BidderFigures {
  /** The id, as a label has it. */
  readonly demandPartner: string;
  readonly breakerOpen: boolean;
  /** The part of calls that is let through. */
  readonly calledShare: number;
  readonly probes: number;
  readonly allowanceMs: number;
  readonly inFlight: number;
  readonly latencies: LatencyCounts;
}

/** Upper bounds of the histogram, in milliseconds. */
const BOUNDS_MS = [5, 10, 25, 50, 75, 100, 150, 200, 300, 500, 1_000];

/** A histogram of latencies in plain numbers; prom-client's costs twenty times as much a call. */
export class LatencyCounts {
  readonly #counts = new Float64Array(BOUNDS_MS.length + 1);
  #sumMs = 0;

  add(latencyMs: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && latencyMs > (BOUNDS_MS[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sumMs += latencyMs;
  }

  get sumSeconds(): number {
    return this.#sumMs / 1000;
  }

  /** Pairs of an upper bound in seconds and how many were not above it; Infinity is the last. */
  *cumulative(): Generator<readonly [boundSeconds: number, count: number]> {
    let count = 0;
    for (const [bucket, boundMs] of [...BOUNDS_MS, Number.POSITIVE_INFINITY].entries()) {
      count += this.#counts[bucket] ?? 0;
      yield [boundMs / 1000, count];
    }
  }
}

/** Registers the bidders' health; it costs nothing until somebody reads it. */
export function registerHealthMetrics(
  registry: Registry,
  read: () => Iterable<BidderFigures>,
): void {
  for (const gauge of GAUGES) registerGauge(registry, gauge, read);
  const probes: Counter<'demand_partner'> = new Counter({
    name: 'rialto_bidder_probes_total',
    help: 'Calls that were made to a bidder whose breaker is open, to learn whether it is well again.',
    labelNames: ['demand_partner'],
    registers: [registry],
    collect: () => {
      probes.reset();
      for (const figures of read()) {
        probes.inc({ demand_partner: figures.demandPartner }, figures.probes);
      }
    },
  });
  registry.registerMetric(new LatencyHistogram(read));
}

interface HealthGauge {
  readonly name: string;
  readonly help: string;
  /** How the values of a node's exchange processes become one. */
  readonly aggregator: 'sum' | 'max' | 'average';
  readonly value: (figures: BidderFigures) => number;
}

const GAUGES: readonly HealthGauge[] = [
  {
    name: 'rialto_bidder_breaker_open',
    help: '1 while the process only probes this bidder, once a second, because its calls fail.',
    aggregator: 'sum',
    value: ({ breakerOpen }) => (breakerOpen ? 1 : 0),
  },
  {
    name: 'rialto_bidder_called_share',
    help: 'The part of the calls to this bidder that its health lets through, from 0 to 1.',
    aggregator: 'average',
    value: ({ calledShare }) => calledShare,
  },
  {
    name: 'rialto_bidder_in_flight',
    help: 'Calls to this bidder that use a connection, those that are late included.',
    aggregator: 'sum',
    value: ({ inFlight }) => inFlight,
  },
  {
    name: 'rialto_bidder_tmax_allowance_seconds',
    help: 'What is taken off the time left when this bidder is told its tmax, in seconds.',
    aggregator: 'max',
    value: ({ allowanceMs }) => allowanceMs / 1000,
  },
];

function registerGauge(
  registry: Registry,
  { name, help, aggregator, value }: HealthGauge,
  read: () => Iterable<BidderFigures>,
): void {
  const gauge: Gauge<'demand_partner'> = new Gauge({
    name,
    help,
    aggregator,
    labelNames: ['demand_partner'],
    registers: [registry],
    collect: () => {
      gauge.reset();
      for (const figures of read()) {
        gauge.set({ demand_partner: figures.demandPartner }, value(figures));
      }
    },
  });
}

type HistogramValues = Awaited<ReturnType<Histogram<'demand_partner'>['get']>>;

/**
 * A histogram that is not observed: its values are made when they are asked for, as all metrics of a
 * role are, by `Registry.getMetricsAsJSON`.
 */
class LatencyHistogram extends Histogram<'demand_partner'> {
  readonly #read: () => Iterable<BidderFigures>;

  constructor(read: () => Iterable<BidderFigures>) {
    super({ ...LATENCY, labelNames: ['demand_partner'], registers: [] });
    this.#read = read;
  }

  override async get(): Promise<HistogramValues> {
    const whole = await super.get();
    return { ...whole, values: [...this.#values()] };
  }

  *#values(): Generator<HistogramValues['values'][number]> {
    for (const { demandPartner, latencies } of this.#read()) {
      const labels = { demand_partner: demandPartner };
      let total = 0;
      for (const [bound, count] of latencies.cumulative()) {
        const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound);
        const bucket = { le, ...labels };
        yield { metricName: `${LATENCY.name}_bucket`, labels: bucket, value: count };
        total = count;
      }
      yield { metricName: `${LATENCY.name}_sum`, labels, value: latencies.sumSeconds };
      yield { metricName: `${LATENCY.name}_count`, labels, value: total };
    }
  }
}

const LATENCY = {
  name: 'rialto_bidder_response_seconds',
  help: 'Time from a bid request to its answer, in seconds; calls that timed out are not in it.',
};
