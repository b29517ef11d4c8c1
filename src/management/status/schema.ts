import Type, { type Static } from 'typebox';

const whole = (description: string) => Type.Integer({ minimum: 0, description });
const amount = (description: string) => Type.Number({ minimum: 0, description });

/** A process as far as it tells of itself. */
const ProcessSchema = Type.Object(
  {
    role: Type.String({ description: 'supervisor, control, courier, tracker or exchange' }),
    pid: whole('its id on its machine'),
    cpu_seconds: amount('time on the processor since it began'),
    resident_bytes: amount('memory'),
  },
  { additionalProperties: false },
);

/** A machine's data directory with its processes, as its courier told of it last. */
const NodeSchema = Type.Object(
  {
    id: Type.String({ description: 'what tells nodes apart: the id of its data directory' }),
    host: Type.String({ description: 'the name of the machine' }),
    version: Type.String({ description: 'of Rialto' }),
    age_seconds: amount('how long ago it said all this; couriers report every two seconds'),
    snapshot: Type.Union([Type.String(), Type.Null()], {
      description: 'the version of the configuration that it serves; null while it has none',
    }),
    processes: Type.Array(ProcessSchema, {
      description:
        'all of the node; empty where its courier, of an earlier version, does not know of them',
    }),
    journal: Type.Object(
      {
        backlog_bytes: whole('records that control has not acknowledged'),
        backlog_seconds: amount('the age of the oldest of them'),
        trace_backlog_bytes: whole('the same of traces'),
        disk_bytes: whole('what the journal takes on the disk'),
        disk_free_bytes: Type.Union([whole('what is free on it'), Type.Null()], {
          description: 'what is free on that disk; null where the courier does not say',
        }),
        disk_reserve_bytes: Type.Union([amount('the reserve'), Type.Null()], {
          description:
            'what the journal leaves free: below twice as much no trace is recorded, below it nothing is sold; null likewise',
        }),
        quarantined_batches: whole(
          'batches of which a part was not loaded, since the courier began',
        ),
        conflicting_batches: whole('batches that contradicted what control has, likewise'),
        missing_records: whole('records that were lost to damage of it, since the courier began'),
        shortened_segments: whole('segments that have lost their end'),
        unreadable_segments: whole('segments that this version cannot read, and keeps'),
      },
      { additionalProperties: false },
    ),
    notices: Type.Union(
      [
        Type.Object(
          {
            pending: Type.Object(
              { win: whole('win notices'), billing: whole('billing'), loss: whole('loss') },
              { additionalProperties: false },
            ),
            oldest_seconds: amount('since when the oldest win or billing notice is due'),
            failing_destinations: whole('destinations that fail at present'),
            given_up: whole('win and billing notices that were given up, since the courier began'),
            failing_demand_partners: Type.Array(Type.Integer(), {
              description: 'whose notices fail at present',
            }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'null where the courier, of an earlier version, tells of none' },
    ),
  },
  { title: 'Node', additionalProperties: false },
);

export type NodeView = Static<typeof NodeSchema>;

const AttentionSchema = Type.Object(
  {
    code: Type.Union([
      Type.Literal('no_nodes'),
      Type.Literal('no_snapshot'),
      Type.Literal('analytics_not_open'),
      Type.Literal('analytics_replaced'),
      Type.Literal('reports_held'),
      Type.Literal('analytics_failing'),
      Type.Literal('journal_damaged'),
      Type.Literal('records_quarantined'),
      Type.Literal('batches_in_conflict'),
      Type.Literal('segments_unreadable'),
      Type.Literal('node_silent'),
      Type.Literal('node_without_snapshot'),
      Type.Literal('snapshot_behind'),
      Type.Literal('journal_backlog'),
      Type.Literal('disk_low'),
      Type.Literal('no_traffic'),
      Type.Literal('nothing_sold'),
      Type.Literal('bidder_failing'),
      Type.Literal('bidder_unreliable'),
      Type.Literal('bidder_stopped'),
      Type.Literal('notices_late'),
      Type.Literal('certificate_expired'),
      Type.Literal('certificate_expiring'),
    ]),
    node: Type.Union([Type.String(), Type.Null()], {
      description: 'the id of the node; null for what concerns control, traffic or a partner',
    }),
    demand_partner_id: Type.Optional(
      Type.Integer({ description: 'the demand partner whose bidder it is about' }),
    ),
    message: Type.String({ description: 'what is the matter, in a sentence' }),
    action: Type.String({ description: 'what to do' }),
  },
  { title: 'Attention', additionalProperties: false },
);

export type Attention = Static<typeof AttentionSchema>;

/** The answer of `GET /api/status/`. */
export const StatusSchema = Type.Object(
  {
    control: Type.Object(
      {
        uptime_seconds: amount('how long this control runs'),
        snapshot: Type.Union([Type.String(), Type.Null()], {
          description: 'the version of the configuration, EPOCH.SEQ; null while there is none',
        }),
        analytics: Type.Enum(['open', 'opening', 'empty', 'another', 'older', 'held'], {
          description:
            'open; opening: what reads the analytics store answers 503 meanwhile; empty, another or older: it is open and not the store that was loaded into, so that nothing is loaded; held: a load has not the records that it had, and reports have nothing from it on',
        }),
        quarantine: Type.Object(
          {
            entries: whole('batches of which a part is held'),
            refused_records: whole('records that the schema refused'),
            damaged_places: whole('damaged places of journals'),
            missing_records: whole('records that were lost in these'),
            damaged_segments: Type.Array(Type.String(), {
              description: 'the first segments that are damaged',
            }),
          },
          {
            additionalProperties: false,
            description: 'what waits for a person in quarantine, and is in no report',
          },
        ),
        processes: Type.Array(ProcessSchema),
      },
      { additionalProperties: false },
    ),
    nodes: Type.Array(NodeSchema, {
      description: 'those that have reported in the last hour, in the order of their first report',
    }),
    attention: Type.Array(AttentionSchema, {
      description: 'what needs a person, the most urgent first; empty when all is well',
    }),
  },
  { title: 'Status', additionalProperties: false },
);

export type Status = Static<typeof StatusSchema>;
