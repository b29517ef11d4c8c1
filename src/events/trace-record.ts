import Type, { type Static } from 'typebox';

/**
 * Diagnostics of one auction, a line of the *trace* stream: what a person wants to read and no
 * report needs. It holds no advertising id and no full IP address, and goes first when disk is
 * short. Joined to the auction's record by `auction_id`; `calls` and `bids` run parallel to its own.
 */
export const TRACE_SCHEMA = 1;

export const TraceRecordSchema = Type.Object({
  kind: Type.Literal('trace'),
  auction_id: Type.String(),
  at_ms: Type.Integer(),
  tmax_ms: Type.Integer(),
  /** What nobody is believed to have looked at, and what was done with it; absent for all else. */
  invalid_traffic: Type.Optional(
    Type.Object({
      kind: Type.Enum(['spider', 'datacenter']),
      treatment: Type.Enum(['ignore', 'mark', 'refuse']),
    }),
  ),
  calls: Type.Array(
    Type.Object({
      demand_partner_id: Type.Integer(),
      /** What was wrong with the answer, in words; empty when nothing was. */
      detail: Type.String(),
    }),
  ),
  bids: Type.Array(
    Type.Object({
      bid_id: Type.String(),
      /** The values that were compared, in words; empty for a winner. */
      detail: Type.String(),
    }),
  ),
});

export type TraceRecord = Static<typeof TraceRecordSchema>;
