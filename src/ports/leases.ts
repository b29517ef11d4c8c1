import Type, { type Static } from 'typebox';

/**
 * Limits of the whole exchange are handed to its processes as leases: parts that expire, whose sum
 * never exceeds the limit. Each exchange process reports every second what it wants and what it has
 * used; the node's courier brings the reports to control, and the leases back.
 *
 * Rates are handed out as shares of a limit, so that they stay right when the limit changes. Budgets
 * are cumulative: a process may have reserved up to what it was granted since it started, on the UTC
 * day that the grant names. Money is in micro-dollars CPM, summed over impressions: 1e9 of them are
 * one dollar.
 *
 * Everything that is said is cumulative or absolute, and each lease repeats what the process has not
 * confirmed yet, so that any message may be lost, late or doubled.
 */

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** `partner 1001` or `line item 501`. */
const RateKey = Type.String({ pattern: '^(partner|line item) [0-9]{1,16}$' });
const LineItemId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const UtcDate = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const ProcessId = Type.String({ pattern: '^[0-9a-f]{16}$' });

/** Expiries are told in steps of this length. */
export const EXPIRY_STEP_MS = 10 * 60 * 1000;

/** The most rates and budgets of one report, and of one lease: what is wanted most comes first. */
export const LEASE_ENTRIES_MAX = 20_000;

/** The most expiries of one line item: as many as the longest life of a token has, and some more. */
export const OPEN_EXPIRIES_MAX = 40;

/** The most processes in one place: two while one replaces the other, and some that drain for long. */
export const PLACE_PROCESSES_MAX = 64;

/** What one exchange process says. */
export const LeaseReportSchema = Type.Object(
  {
    /** Random, new at every start of a process. */
    process: ProcessId,
    /** Which of the node's exchange processes it is; a replacement keeps the number. */
    worker: Type.Integer({ minimum: 0, maximum: 1023 }),
    /** Counts the reports of the process, from 1. */
    report: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    /** `seq` of the newest lease that it goes by; 0 while it has none. */
    seq: Count,
    /** 1: it ends, and uses nothing from now on. */
    leaving: Type.Union([Type.Literal(0), Type.Literal(1)]),
    /**
     * Who may use what the place has: said by the node's supervisor, which alone knows who lives. Where
     * it is missing the others are known by their own reports.
     */
    place: Type.Optional(
      Type.Object({
        /** When that changed last: Unix time in milliseconds, or more, for it rises with every change. */
        changed: Count,
        /** The last one is there to stay; one that leaves is not among them any more. */
        processes: Type.Array(ProcessId, { maxItems: PLACE_PROCESSES_MAX }),
      }),
    ),
    /** The limits of which the demand has changed since control last heard of it. */
    rates: Type.Array(Type.Object({ key: RateKey, wantedPerSecond: Type.Number({ minimum: 0 }) }), {
      maxItems: LEASE_ENTRIES_MAX,
    }),
    /**
     * The line items of which something was reserved or granted since control last heard of them, and
     * those whose budget is missing or short.
     */
    budgets: Type.Array(
      Type.Object({
        lineItemId: LineItemId,
        /** 1: a grant is missing, void or nearly used up, and there is demand. */
        wanted: Type.Union([Type.Literal(0), Type.Literal(1)]),
        /** Reserved since the process started, on all days; it never falls. */
        impressions: Count,
        micros: Count,
        /** The dearest win so far, covered or not, so that a grant is worth at least one. */
        dearestMicros: Count,
        /**
         * The part of it that is not settled, by when the last of them expires: Unix time in
         * milliseconds, a multiple of `EXPIRY_STEP_MS`. What is not among it had expired by the
         * lease's `settledMs`.
         */
        open: Type.Array(Type.Object({ untilMs: Count, impressions: Count, micros: Count }), {
          maxItems: OPEN_EXPIRIES_MAX,
        }),
      }),
      { maxItems: LEASE_ENTRIES_MAX },
    ),
  },
  { additionalProperties: false },
);

/** What one exchange process may use until the lease expires or the next one comes. */
export const LeaseSchema = Type.Object(
  {
    process: ProcessId,
    seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    /** Which of the process's reports this answers. */
    report: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    /** Counted from when the process sent that report, on its own clocks. */
    validForMs: Count,
    /** Expiries up to this Unix time in milliseconds are settled: they need not be told any more. */
    settledMs: Count,
    /** The part of every limit that is the process's without asking: from 0 to 1. */
    baseShare: Type.Number({ minimum: 0, maximum: 1 }),
    /**
     * Limits of which the process has a part besides the base. Adds to those of the last lease,
     * replacing what it says of the same limits.
     */
    rates: Type.Array(
      Type.Object({ key: RateKey, share: Type.Number({ minimum: 0, maximum: 1 }) }),
      { maxItems: LEASE_ENTRIES_MAX },
    ),
    /**
     * What may be reserved in all since the process started, on that day alone; null is no limit.
     * Adds to those of the last lease, replacing what it says of the same line items.
     */
    budgets: Type.Array(
      Type.Object({
        lineItemId: LineItemId,
        date: UtcDate,
        impressions: Type.Union([Count, Type.Null()]),
        micros: Type.Union([Count, Type.Null()]),
      }),
      { maxItems: LEASE_ENTRIES_MAX },
    ),
  },
  { additionalProperties: false },
);

export type LeaseReport = Static<typeof LeaseReportSchema>;
export type Lease = Static<typeof LeaseSchema>;

/** What a courier brings to control: `POST /internal/leases`. */
export const NodeLeaseReportSchema = Type.Object(
  {
    /** Of the node's data directory. */
    incarnation: ProcessId,
    /** How many exchange processes the node has when all are up. */
    workers: Type.Integer({ minimum: 0, maximum: 1024 }),
    reports: Type.Array(LeaseReportSchema, { maxItems: 1024 }),
  },
  { additionalProperties: false },
);

/** What control answers. */
export const NodeLeasesSchema = Type.Object({ leases: Type.Array(LeaseSchema) });

export type NodeLeaseReport = Static<typeof NodeLeaseReportSchema>;
export type NodeLeases = Static<typeof NodeLeasesSchema>;
