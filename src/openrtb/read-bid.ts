import { Compile } from 'typebox/compile';
import { jsonPointer, type Checked } from '../base/problem.ts';
import { BidSchema, type Bid } from './bid-response.ts';
import { explain, type Explanation } from './explain.ts';
import { BID_PROBLEMS_MAX } from './limits.ts';
import { schemaIn } from './schema-in.ts';
import { isRecord, nodeOf } from './schema-node.ts';
import type { OpenRtbVersion } from './versions.ts';
import { withoutBlanks } from './without-blanks.ts';

/**
 * What is read of a bid of 2.2: its fields, and what 2.2 has no fields for and a bidder may declare
 * all the same. Publishers block by that, so that it is judged as in 2.5.
 */
const FIELDS_OF_22 = [
  ...Object.keys(schemaIn(BidSchema, '2.2').properties ?? {}),
  'cat',
  'bundle',
  'language',
];

/** Which bid of a response is read, and in which version. */
export interface BidPlace {
  readonly version: OpenRtbVersion;
  readonly seatIndex: number;
  readonly bidIndex: number;
}

const shape = Compile(BidSchema);
const node = nodeOf(BidSchema);

/**
 * Checks one bid of a response. A sound bid is returned as it is. From another, nulls, empty ids
 * and URLs, and unreadable advisory fields are dropped; what is still wrong then makes it malformed,
 * with pointers into the response, at most `BID_PROBLEMS_MAX`.
 */
export function readBid(value: unknown, { version, seatIndex, bidIndex }: BidPlace): Checked<Bid> {
  const sent = version === '2.2' ? fieldsOf22(value) : value;
  if (shape.Check(sent)) return { ok: true, value: sent };
  const bid = withoutBlanks(node, sent);
  if (shape.Check(bid)) return { ok: true, value: bid };
  const explanation: Explanation = { problems: [], problemsMax: BID_PROBLEMS_MAX };
  explain(node, bid, jsonPointer('seatbid', seatIndex, 'bid', bidIndex), explanation);
  return { ok: false, problems: explanation.problems };
}

function fieldsOf22(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    FIELDS_OF_22.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  );
}
