import Type, { type Static } from 'typebox';

/**
 * What became of win and billing notices: a line of the *money* stream, written by the courier for
 * all that were done since the last one. A notice is due from the record that made it so (an
 * auction's `notices`, a beacon's `notice_url`) until it stands here; one that was delivered may
 * stand here twice, because a courier that was killed in between calls it again.
 */
export const NOTICE_EVENTS = ['win', 'billing', 'loss'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

const Id = Type.Integer({ minimum: 0 });

export const DeliverySchema = Type.Object({
  /** Loss notices are called as best one can and not recorded. */
  event: Type.Union([Type.Literal('win'), Type.Literal('billing')]),
  auction_id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  /** Index in the auction record's `imps`. */
  imp: Type.Integer({ minimum: 0 }),
  demand_partner_id: Id,
  lineitem_id: Id,
  /** Unix time in milliseconds of the record that made it due; its UTC day is the notice's. */
  due_ms: Type.Integer({ minimum: 0 }),
  /** `given_up` was tried for as long as notices are, without an answer that ends it. */
  outcome: Type.Union([Type.Literal('delivered'), Type.Literal('given_up')]),
  /** Of the last answer; 0 where there was none. */
  status: Type.Integer({ minimum: 0 }),
  tries: Type.Integer({ minimum: 1 }),
});

export const DeliveryRecordSchema = Type.Object({
  kind: Type.Literal('delivery'),
  /** Incarnation of the data directory that wrote it, 16 hexadecimal digits. */
  node: Type.String(),
  /** Unix time in milliseconds. */
  at_ms: Type.Integer(),
  deliveries: Type.Array(DeliverySchema),
});

export type Delivery = Static<typeof DeliverySchema>;
export type DeliveryRecord = Static<typeof DeliveryRecordSchema>;
