import Type, { type Static, type TSchema } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
const Amount = Type.Number({ minimum: 0 });
const Name = Type.String({ maxLength: 200 });

/** One value for each event that a bidder is told of. */
function perEvent<Value extends TSchema>(value: Value) {
  return Type.Object({ win: value, billing: value, loss: value });
}

/** The most demand partners that one status tells of, the worst first. */
export const PARTNERS_MAX = 50;

/** The most processes that one status tells of: a node has 256 exchange processes at most. */
const PROCESSES_MAX = 300;

/** The most segments that one status names as gone. */
export const SEGMENTS_GONE_MAX = 1000;

/** A process of the node, the supervisor included, and what it has used since it began. */
const NodeProcessSchema = Type.Object({
  role: Name,
  /** Which of the role's processes it is, counted from 0. */
  worker: Count,
  pid: Count,
  cpuSeconds: Amount,
  residentBytes: Count,
});

export type NodeProcess = Static<typeof NodeProcessSchema>;

/**
 * What a courier tells control of its node every few seconds, since it has no port of its own.
 * Counts are since the courier's process began.
 */
export const NodeStatusSchema = Type.Object(
  {
    /** Id of the node's data directory: what tells nodes apart. */
    incarnation: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    /** Name of the machine, for people. */
    host: Name,
    version: Name,
    /** Version of the configuration that the node has, `EPOCH.SEQ`; empty while it has none. */
    snapshot: Name,
    shipping: Type.Object({
      /** Records that are not acknowledged, and the age of the oldest of them. */
      backlogBytes: Count,
      backlogSeconds: Amount,
      /**
       * All that was written to the node's journal until this Unix time in milliseconds is
       * acknowledged; absent while that is not known of any.
       */
      wholeUntilMs: Type.Optional(Count),
      /** The last request for the whole journal that it counts from; see `StatusAnswer`. */
      reofferedAt: Type.Optional(Count),
      /** What became of the batches that were offered. */
      loaded: Count,
      already: Count,
      quarantined: Count,
      conflicts: Count,
      /** Offers that failed and were made again. */
      retries: Count,
      shippedBytes: Count,
      /** Records that were lost to damage of the journal. */
      missingRecords: Count,
      /** Segments that have lost their end. */
      shortenedSegments: Count,
      /** Segments that this version cannot read, and leaves. */
      unreadableSegments: Count,
    }),
    /** The same of traces; couriers of earlier versions do not ship them. */
    traces: Type.Optional(
      Type.Object({
        backlogBytes: Count,
        backlogSeconds: Amount,
        loaded: Count,
        already: Count,
        quarantined: Count,
        conflicts: Count,
        retries: Count,
        shippedBytes: Count,
        missingRecords: Count,
      }),
    ),
    journal: Type.Object({
      moneyBytes: Count,
      traceBytes: Count,
      removedSegments: Count,
      /** Bytes that are free on the journal's disk, and those at which nothing is recorded any more. */
      disk: Type.Optional(Type.Object({ freeBytes: Count, reserveBytes: Amount })),
    }),
    /** Couriers of earlier versions call no notices. */
    notices: Type.Optional(
      Type.Object({
        /** What became of those that are done: `dropped` losses were not tried. */
        outcomes: perEvent(Type.Object({ delivered: Count, givenUp: Count, dropped: Count })),
        /** Not done yet; of losses those that are held. */
        pending: perEvent(Count),
        /** Since when the oldest win or billing notice is due. */
        oldestSeconds: Amount,
        tries: Count,
        /** Destinations of a partner that fail at present. */
        failingDestinations: Count,
        /** Of whom something waits, was given up or fails; earlier couriers name none. */
        partners: Type.Optional(
          Type.Array(
            Type.Object({ demandPartnerId: Count, waiting: Count, failing: Count, givenUp: Count }),
            { maxItems: PARTNERS_MAX },
          ),
        ),
        /** Time that the courier's event loop spent in their store. */
        storeSeconds: Amount,
      }),
    ),
    /** The courier. */
    process: Type.Object({ cpuSeconds: Amount, residentBytes: Count }),
    /** All of the node's processes; couriers of earlier versions know of themselves alone. */
    processes: Type.Optional(Type.Array(NodeProcessSchema, { maxItems: PROCESSES_MAX })),
    /** Now and then: how far control has acknowledged segments of money, as the courier knows it. */
    acknowledged: Type.Optional(Type.Record(Type.String({ pattern: '^[\\w.-]{1,200}$' }), Count)),
    /** Segments whose offsets nobody will ask for again: they have been removed from the disk. */
    gone: Type.Array(Type.String({ pattern: '^[\\w.-]{1,200}$' }), { maxItems: SEGMENTS_GONE_MAX }),
  },
  { additionalProperties: false },
);

export type NodeStatus = Static<typeof NodeStatusSchema>;

/** What control answers. */
export const StatusAnswerSchema = Type.Object({
  /**
   * When control asked for all journals again, a number that grows; 0 for never. A courier that has not
   * done so since offers all that its journal holds, with `again` in its batches.
   */
  reofferedAt: Count,
  /** Control knows less than it has acknowledged: its configuration store was set back. */
  isBehind: Type.Boolean(),
  /** The analytics store is not the one that was loaded into: nothing that it may lack is to be removed. */
  isStoreStrange: Type.Boolean(),
});

export type StatusAnswer = Static<typeof StatusAnswerSchema>;
