import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import type { Problem } from '../../src/base/problem.ts';
import { convertBidRequest, type Lost } from '../../src/openrtb/convert.ts';
import { explain, type Explanation } from '../../src/openrtb/explain.ts';
import { BidResponseSchema } from '../../src/openrtb/bid-response.ts';
import { isRecord, nodeOf, type SchemaNode } from '../../src/openrtb/schema-node.ts';
import { validateOutgoingRequest } from '../../src/openrtb/validate-outgoing.ts';
import { validateBidResponse } from '../../src/openrtb/validate-response.ts';
import { VERSIONS, type OpenRtbVersion } from '../../src/openrtb/versions.ts';
import { outgoingRequestOf, STRICT } from '../support/outgoing-arbitrary.ts';
import { documentOf } from '../support/schema-arbitrary.ts';
import { runs } from '../support/effort.ts';

/** One field of a document, or the document itself, and what its schema says of it. */
interface Place {
  readonly pointer: string;
  readonly path: readonly (string | number)[];
  readonly node: SchemaNode;
  readonly value: unknown;
  readonly isRequired: boolean;
}

/** Every value of a document that its schema describes. */
function placesIn(root: Place): Place[] {
  const { node, value, path } = root;
  const below = (key: string | number, inner: SchemaNode, isRequired: boolean): Place[] => {
    const at = [...path, key];
    const pointer = `/${at.join('/')}`;
    const field: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    return placesIn({ pointer, path: at, node: inner, value: field, isRequired });
  };
  if (Array.isArray(value)) {
    return [root, ...value.flatMap((_, index) => below(index, node.items ?? {}, false))];
  }
  if (!isRecord(value)) return [root];
  const names = Object.keys(value).filter((name) => node.properties?.[name] !== undefined);
  return [
    root,
    ...names.flatMap((name) => {
      const isRequired = node.required?.includes(name) === true;
      return below(name, node.properties?.[name] ?? {}, isRequired);
    }),
  ];
}

/** A way to break a value, with the pointer that its problem must have. */
interface Damage {
  readonly pointer: string;
  readonly value: unknown;
}

/** Everything that can be wrong at a place: its type, its bounds, its size, a field too many. */
function damagesOf({ pointer, node, value, isRequired }: Place): Damage[] {
  // No field of OpenRTB is a boolean or null.
  const values: unknown[] = [true, null];
  if (isRequired) values.push(undefined);
  if (node.enum !== undefined || node.const !== undefined) values.push(987_654, 'no such value');
  if (typeof value === 'number') {
    if (node.minimum !== undefined) values.push(node.minimum - 1);
    if (node.maximum !== undefined) values.push(node.maximum + 1);
    values.push('1', Number.POSITIVE_INFINITY);
  }
  if (typeof value === 'string') {
    if (node.minLength !== undefined && node.minLength > 0) values.push('');
    if (node.maxLength !== undefined) values.push('x'.repeat(node.maxLength + 1));
    if (node.pattern !== undefined) values.push('§');
    values.push([value]);
  }
  if (Array.isArray(value)) {
    if (node.minItems !== undefined && node.minItems > 0) values.push([]);
    if (node.maxItems !== undefined && value.length > 0) {
      values.push(Array.from({ length: node.maxItems + 1 }, () => value[0]));
    }
  }
  const damages = values.map((damaged) => ({ pointer, value: damaged }));
  if (!isRecord(value) || node.additionalProperties !== false) return damages;
  return [...damages, { pointer: `${pointer}/unheard-of`, value: { ...value, 'unheard-of': 1 } }];
}

/** The document with the value at a path replaced, or left out where it is undefined. */
function replaced(document: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(document)) {
    const index = Number(step);
    const item = replaced(document[index], rest, value);
    return item === undefined ? document.toSpliced(index, 1) : document.with(index, item);
  }
  const record = isRecord(document) ? document : {};
  const { [step]: inner, ...others } = record;
  const changed = replaced(inner, rest, value);
  return changed === undefined ? others : { ...others, [step]: changed };
}

function pointersOf(request: unknown, version: OpenRtbVersion): string[] {
  const checked = validateOutgoingRequest(request, version);
  return checked.ok ? [] : checked.problems.map(({ pointer }) => pointer);
}

for (const version of VERSIONS) {
  test(`any valid request of ${version} passes, and still does when it has been JSON`, () => {
    fc.assert(
      fc.property(outgoingRequestOf(version), (request) => {
        const checked = validateOutgoingRequest(request, version);
        assert.ok(checked.ok, JSON.stringify(checked));
        assert.equal(checked.value, request);
        const text = JSON.stringify(request);
        const parsed: unknown = JSON.parse(text);
        assert.equal(JSON.stringify(parsed), text);
        assert.deepEqual(pointersOf(parsed, version), []);
      }),
      { numRuns: runs(15) },
    );
  });

  test(`whatever is broken in a request of ${version} is told with the pointer of its place`, () => {
    fc.assert(
      fc.property(outgoingRequestOf(version), fc.nat(), fc.nat(), (value, where, how) => {
        const node = STRICT[version];
        const root = { pointer: '', path: [], node, value, isRequired: true };
        const places = placesIn(root);
        const place = places[where % places.length] ?? root;
        const damages = damagesOf(place);
        const damage = damages[how % damages.length];
        assert.ok(damage !== undefined);
        const broken = replaced(value, place.path, damage.value);
        const pointers = pointersOf(broken, version);
        const message = `${damage.pointer} is not among ${pointers.join(', ')}`;
        assert.ok(pointers.includes(damage.pointer), message);
      }),
      { numRuns: runs(40) },
    );
  });
}

/** The document without what is lost, and without the objects that had nothing else. */
function withoutLost(document: unknown, lost: readonly Lost[]): unknown {
  let rest = document;
  const pointers = lost.map(({ pointer }) => pointer);
  // What is lost whole takes along what is below, and from behind the places of list entries stay true.
  const whole = pointers.filter((each) => {
    return !pointers.some((other) => each.startsWith(`${other}/`));
  });
  for (const pointer of whole.toReversed()) {
    rest = replaced(rest, pointer.split('/').slice(1), undefined);
  }
  return rest;
}

/** Adds the pointers of what a document lacks of another one. */
function missingOf(expected: unknown, found: unknown, pointer = ''): string[] {
  if (Array.isArray(expected)) {
    return expected.flatMap((item, index) => {
      return missingOf(
        item,
        Array.isArray(found) ? found[index] : undefined,
        `${pointer}/${index}`,
      );
    });
  }
  if (isRecord(expected)) {
    const record = isRecord(found) ? found : {};
    return Object.entries(expected).flatMap(([name, value]) => {
      return missingOf(value, record[name], `${pointer}/${name}`);
    });
  }
  return Object.is(expected, found) ? [] : [pointer];
}

for (const from of VERSIONS) {
  for (const to of VERSIONS.filter((version) => version !== from)) {
    test(`a request of ${from} is one of ${to} once it is converted, and back again lacks what was told`, () => {
      fc.assert(
        fc.property(outgoingRequestOf(from), (request) => {
          const there = convertBidRequest(asRequest(request), to);
          assert.deepEqual(shapeProblems(there.value, to), []);
          const back = convertBidRequest(there.value, from);
          assert.deepEqual(shapeProblems(back.value, from), []);
          assert.deepEqual(missingOf(withoutLost(request, there.lost), back.value), []);
        }),
        { numRuns: runs(15) },
      );
    });
  }
}

/** What the shape of a request breaks; what spans fields may, where one of them was lost. */
function shapeProblems(request: unknown, version: OpenRtbVersion): readonly Problem[] {
  const explanation: Explanation = { problems: [], problemsMax: 50 };
  explain(STRICT[version], request, '', explanation);
  return explanation.problems;
}

function asRequest(value: unknown): BidRequest {
  assert.ok(isRecord(value));
  return {
    ...value,
    id: String(value['id']),
    imp: Array.isArray(value['imp']) ? value['imp'] : [],
  };
}

test('any response of the schema is received whole, and still is when it has been JSON', () => {
  fc.assert(
    fc.property(documentOf(nodeOf(BidResponseSchema)), (response) => {
      for (const value of [response, JSON.parse(JSON.stringify(response))]) {
        const checked = validateBidResponse(value);
        assert.ok(checked.ok, JSON.stringify(checked));
        assert.deepEqual(checked.value.malformed, []);
        const seats: unknown[] = value.seatbid ?? [];
        const bids = seats.flatMap((seat) => (isRecord(seat) ? seat['bid'] : []));
        assert.deepEqual(
          checked.value.bids.map(({ bid }) => bid),
          bids,
        );
      }
    }),
    { numRuns: runs(15) },
  );
});

test('a bid whose money cannot be read is malformed, with the pointer of the field', () => {
  const bid = { id: 'b', impid: '1', price: 1, adm: 'x', adomain: ['a.example'], dealid: 'd' };
  const broken = fc.constantFrom(true, '1', [], {}, Number.POSITIVE_INFINITY);
  const field = fc.constantFrom('price', 'impid', 'id', 'dealid', 'adm', 'nurl', 'burl', 'adomain');
  fc.assert(
    fc.property(field, broken, fc.nat(3), (name, value, index) => {
      fc.pre(
        !(name === 'adomain' && Array.isArray(value)) &&
          !(typeof value === 'string' && name !== 'price' && name !== 'adomain'),
      );
      const bids = Array.from({ length: 4 }, () => ({ ...bid })).with(index, {
        ...bid,
        [name]: value,
      });
      const checked = validateBidResponse({ id: 'r', seatbid: [{ bid: bids }] });
      assert.ok(checked.ok);
      assert.equal(checked.value.bids.length, 3);
      const [malformed] = checked.value.malformed;
      assert.equal(malformed?.problems[0]?.pointer, `/seatbid/0/bid/${index}/${name}`);
    }),
  );
});
