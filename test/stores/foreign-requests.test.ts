import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ownField } from '../../src/base/fields.ts';
import { validateIncomingRequest } from '../../src/openrtb/validate-incoming.ts';
import { validateOutgoingRequest } from '../../src/openrtb/validate-outgoing.ts';
import { exampleMarket, holdGolden } from '../support/golden.ts';

/** A request of the kinds that publishers' servers, wrappers and SDKs send, and what comes of it. */
interface ForeignRequest {
  readonly description: string;
  readonly request: object;
  /** What the first bidder bids; without it nobody does. */
  readonly bid?: object;
  readonly expected: {
    readonly status: 200 | 204 | 400;
    /** Of the errors. */
    readonly pointers: readonly string[];
    /** Pointers of what was left out. */
    readonly notes: readonly string[];
    /** The versions of the bidders that were asked. */
    readonly asked: readonly string[];
    /** Why each bid won or lost, by OpenRTB's list of loss reasons. */
    readonly reasons: readonly number[];
    /** What stands at a pointer of the first bid request, null for nothing; texts of JSON are looked into. */
    readonly sent: Readonly<Record<string, unknown>>;
  };
}

const FOLDER = new URL('../foreign/requests/', import.meta.url);
const BIDDER = 'http://127.0.0.1:9101/bid';
const STATUS: Readonly<Record<string, number>> = { filled: 200, unfilled: 204, invalid: 400 };

/** The example exchange, its site's ad space with every format, and line items that take them all. */
const market = await exampleMarket((yaml) =>
  yaml
    .replace(
      'sizes: [300x250] }',
      'sizes: [300x250] }, video: { w: 640, h: 360 }, native: { title: 90 }',
    )
    .replace('ad_formats: { identifiers: [{ code: banner }], is_whitelist: true }', ''),
);

const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
assert.ok(names.length > 0, 'no foreign requests were read');

for (const name of names) {
  const foreign: ForeignRequest = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  const { description, expected } = foreign;
  test(`foreign request ${name}: ${description}`, async () => {
    const { calls, ...came } = await outcomeOf(foreign);
    const { sent, ...rest } = expected;
    assert.deepEqual({ ...came, asked: calls.map(({ version }) => version) }, rest);
    for (const { request, version } of calls) {
      const checked = validateOutgoingRequest(request, version);
      assert.ok(checked.ok, JSON.stringify(checked));
    }
    const found = Object.keys(sent).map((pointer) => [
      pointer,
      valueAt(calls[0]?.request, pointer),
    ]);
    assert.deepEqual(Object.fromEntries(found), sent);
  });
}

async function outcomeOf({ request, bid }: ForeignRequest) {
  const checked = validateIncomingRequest(request);
  if (!checked.ok) {
    return {
      status: 400,
      pointers: checked.problems.map(({ pointer }) => pointer),
      notes: [],
      reasons: [],
      calls: [],
    };
  }
  const bidders =
    bid === undefined ? {} : { [BIDDER]: { response: { seatbid: [{ bid: [bid] }] } } };
  const { answer, record, calls } = await holdGolden(market, { request, bidders });
  return {
    status: STATUS[String(ownField(answer, 'kind'))],
    pointers: pluck(ownField(answer, 'problems'), 'pointer'),
    notes: pluck(valueAt(answer, '/response/ext/rialto/notes'), 'pointer'),
    reasons: pluck(valueAt(record, '/bids'), 'loss_reason'),
    calls,
  };
}

/** A field of each of a list; none where there is no list. */
function pluck(list: unknown, field: string): unknown[] {
  return Array.isArray(list) ? list.map((each) => ownField(each, field)) : [];
}

/** What a pointer leads to, through texts of JSON as well; null for nothing. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) value = ownField(parsed(value), step) ?? null;
  return parsed(value);
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
}
