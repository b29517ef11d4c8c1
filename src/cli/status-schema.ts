import Type, { type Static } from 'typebox';

const amount = Type.Number();

const NodeSchema = Type.Object({
  id: Type.String(),
  host: Type.String(),
  version: Type.String(),
  age_seconds: amount,
  snapshot: Type.Union([Type.String(), Type.Null()]),
  processes: Type.Array(
    Type.Object({ role: Type.String(), pid: amount, cpu_seconds: amount, resident_bytes: amount }),
  ),
  journal: Type.Object({ backlog_bytes: amount, backlog_seconds: amount }),
  notices: Type.Union([
    Type.Object({
      pending: Type.Object({ win: amount, billing: amount, loss: amount }),
      oldest_seconds: amount,
    }),
    Type.Null(),
  ]),
});

const AttentionSchema = Type.Object({ message: Type.String(), action: Type.String() });

/** What is read of the answer of `GET /api/status/`; with `--json` all of it is printed. */
export const StatusSchema = Type.Object({
  control: Type.Object({
    snapshot: Type.Union([Type.String(), Type.Null()]),
    analytics: Type.String(),
  }),
  nodes: Type.Array(NodeSchema),
  attention: Type.Array(AttentionSchema),
});

/** A node as its courier told of it last. */
export type NodeStatusLine = Static<typeof NodeSchema>;

/** As far as metrics tell of it, too. */
export type NodeLine = Omit<NodeStatusLine, 'processes'>;

/** Something that needs somebody: what it is, and what to do. */
export type Attention = Static<typeof AttentionSchema>;
