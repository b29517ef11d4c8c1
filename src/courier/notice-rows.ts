import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import type { DueNotice } from './notice.ts';

/** A notice that waits in the store. */
export interface StoredNotice {
  readonly row: number;
  /** As its lane is called. */
  readonly destination: string;
  readonly due: DueNotice;
  readonly nextMs: number;
  readonly tries: number;
  readonly status: number;
}

/** What waits in one lane. */
export interface StoredLane {
  readonly partnerId: number;
  readonly destination: string;
  readonly notices: number;
  /** Unix time in milliseconds at which the first of them is to be tried. */
  readonly nextMs: number;
}

const NoticeRow = Type.Object({
  row: Type.Integer(),
  event: Type.Union([Type.Literal('win'), Type.Literal('billing'), Type.Literal('loss')]),
  demand_partner_id: Type.Integer(),
  destination: Type.String(),
  lineitem_id: Type.Integer(),
  auction_id: Type.String(),
  imp: Type.Integer(),
  bid: Type.Integer(),
  due_ms: Type.Integer(),
  next_ms: Type.Integer(),
  tries: Type.Integer(),
  status: Type.Integer(),
  url: Type.String(),
});
const LaneRow = Type.Object({
  demand_partner_id: Type.Integer(),
  destination: Type.String(),
  notices: Type.Integer(),
  next_ms: Type.Integer(),
});
const CursorRow = Type.Object({ segment: Type.String(), read_to: Type.Integer() });
const NumberRow = Type.Object({ n: Type.Union([Type.Integer(), Type.Null()]) });

const noticeRow = Compile(NoticeRow);
const laneRow = Compile(LaneRow);
const cursorRow = Compile(CursorRow);
const numberRow = Compile(NumberRow);

export function decodeNotice(row: unknown): StoredNotice {
  if (!noticeRow.Check(row)) throw new UnexpectedRow(row);
  const { row: id, destination, next_ms: nextMs, tries, status } = row;
  return { row: id, destination, due: dueOf(row), nextMs, tries, status };
}

function dueOf(row: Static<typeof NoticeRow>): DueNotice {
  return {
    event: row.event,
    auctionId: row.auction_id,
    imp: row.imp,
    bid: row.bid,
    partnerId: row.demand_partner_id,
    lineItemId: row.lineitem_id,
    dueMs: row.due_ms,
    url: row.url,
  };
}

export function decodeLane(row: unknown): StoredLane {
  if (!laneRow.Check(row)) throw new UnexpectedRow(row);
  const { demand_partner_id: partnerId, destination, notices, next_ms: nextMs } = row;
  return { partnerId, destination, notices, nextMs };
}

export function decodeCursor(row: unknown): [segment: string, readTo: number] {
  if (!cursorRow.Check(row)) throw new UnexpectedRow(row);
  return [row.segment, row.read_to];
}

/** The column `n`, which is null where there was nothing to compute it from. */
export function decodeNumber(row: unknown): number | null {
  if (!numberRow.Check(row)) throw new UnexpectedRow(row);
  return row.n;
}

class UnexpectedRow extends Error {
  override readonly name = 'UnexpectedRow';

  constructor(row: unknown) {
    super(`A row of the notices has another form than it was written in: ${JSON.stringify(row)}`);
  }
}
