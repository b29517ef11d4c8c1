import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  placement,
  request,
  sparseTargeting,
  status,
  targeting,
} from '../../test/support/targeting-arbitrary.ts';
import { standingOf } from '../auction/creative-reviews.ts';
import { aPartner, aSnapshot } from '../auction/eligibility-fixtures.ts';
import { aDeal, aLineItem, NO_BLOCKING } from '../auction/fixtures.ts';
import type { ImpTraits } from '../auction/targeting-traits.ts';
import { applyDelta, diffSnapshots } from '../snapshot/delta.ts';
import type { Entity } from '../snapshot/entities.ts';
import { decodeSnapshot, encodeSnapshot } from '../snapshot/wire.ts';
import { anAdSpace, aPublisher, aSite } from './fixtures.ts';
import { createMarket, type Market } from './market.ts';
import { runs } from '../../test/support/effort.ts';

/**
 * Random configurations that change in random steps: a market that follows by deltas against one that
 * is built of the whole snapshot each time. Ids and codes are few, so that everything meets.
 */

/** One entity that comes, changes or, where it is null, goes. */
interface Edit {
  readonly key: string;
  readonly entity: Entity | null;
}

function edits(kind: Entity['kind'], ids: number, entity: (id: number) => fc.Arbitrary<Entity>) {
  return fc.integer({ min: 1, max: ids }).chain((id) =>
    fc.record<Edit>({
      key: fc.constant(`${kind} ${id}`),
      entity: fc.option(entity(id), { freq: 4 }),
    }),
  );
}

const blocking = fc.constantFrom(NO_BLOCKING, { ...NO_BLOCKING, categories: ['IAB25'] });
const review = fc.constantFrom<'none' | 'required'>('none', 'none', 'required');
/** One has most line items, and runs out of room for more. */
const partnerId = fc.constantFrom(1, 1, 1, 1, 2, 3, 4);

const lineItem = edits('lineItem', 70, (id) =>
  fc
    .record({
      status,
      demandPartnerId: partnerId,
      floorMicros: fc.nat(2),
      targeting: fc.oneof({ weight: 4, arbitrary: sparseTargeting }, targeting),
    })
    .map((differs) => aLineItem({ id, ...differs })),
);
const partner = edits('demandPartner', 4, (id) =>
  fc
    .record({ status, name: fc.constantFrom('A', 'B'), stopped: fc.boolean() })
    .map((differs) => aPartner(id, differs)),
);
const others = [
  edits('publisher', 2, (id) =>
    fc
      .record({ blocking, creativeReview: review })
      .map((differs) => aPublisher({ id, ...differs })),
  ),
  edits('property', 3, (id) =>
    fc
      .record({ blocking, publisherId: fc.integer({ min: 1, max: 2 }) })
      .map((differs) => aSite({ id, ...differs })),
  ),
  edits('adSpace', 4, (id) =>
    fc
      .record({ blocking, status, propertyId: fc.integer({ min: 1, max: 3 }) })
      .map((differs) => anAdSpace({ id, ...differs })),
  ),
  edits('deal', 3, (id) =>
    fc
      .record({
        status,
        adSpaceIds: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
        floorMicros: fc.nat(2),
      })
      .map((differs) => aDeal({ id: `deal-${id}`, ...differs })),
  ),
  edits('creativeReview', 4, (id) =>
    fc.record({
      kind: fc.constant('creativeReview' as const),
      id: fc.constant(id),
      publisherId: fc.constantFrom(null, 1, 2),
      demandPartnerId: fc.constant(1),
      target: fc.constant('crid' as const),
      value: fc.constant(`c${id}`),
      verdict: fc.constantFrom<'blocked' | 'approved'>('blocked', 'approved'),
      reason: fc.constant(''),
    }),
  ),
  fc
    .record({ blocking, creativeReview: review })
    .map((differs): Edit => ({ key: 'exchange', entity: { ...aSnapshot().exchange, ...differs } })),
];

const beginning = fc.tuple(
  fc.array(lineItem, { minLength: 40, maxLength: 120 }),
  fc.array(partner, { minLength: 6, maxLength: 10 }),
  fc.array(fc.oneof(...others), { minLength: 10, maxLength: 40 }),
);
const step = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: lineItem },
    { weight: 2, arbitrary: partner },
    ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
  ),
  { maxLength: 6 },
);
const questions = fc.array(
  fc.tuple(placement, request).map(([place, asked]): ImpTraits => ({ ...place, ...asked })),
  { minLength: 15, maxLength: 15 },
);

test('deltas applied in turn make the market that the whole snapshot makes', async () => {
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(
      beginning,
      fc.array(step, { minLength: 3, maxLength: 8 }),
      questions,
      questions,
      async (first, steps, asked, askedLater) => {
        const store = new Map<string, Entity>([['exchange', aSnapshot().exchange]]);
        change(store, first.flat());
        let text = textOf(store, 0);
        let market = await createMarket(await decodeSnapshot(text), pause);
        const earlier: { market: Market; whole: Market }[] = [];
        for (const [number, edit] of steps.entries()) {
          change(store, edit);
          const next = textOf(store, number + 1);
          const delta = await diffSnapshots(text, next, pause, Number.POSITIVE_INFINITY);
          assert.ok(delta !== null);
          const snapshot = await applyDelta(market.snapshot, delta, pause);
          market = await market.next(snapshot, pause);
          text = next;

          const whole = await createMarket(await decodeSnapshot(text), pause);
          assert.deepEqual(snapshot, whole.snapshot);
          const told = tell(whole, asked);
          assert.deepEqual(tell(market, asked), told);
          earlier.push({ market, whole });
          answers += told.matches.flat().length;
        }
        // What auctions under way hold is as it was, also where nobody has asked before.
        for (const { market: one, whole } of earlier) {
          assert.deepEqual(tell(one, askedLater), tell(whole, askedLater));
        }
      },
    ),
    { numRuns: runs(10) },
  );
  assert.ok(answers > runs(50), `only ${answers} partners ever matched: the test shows little`);
});

function pause(): Promise<void> {
  return Promise.resolve();
}

function change(store: Map<string, Entity>, all: readonly Edit[]): void {
  for (const { key, entity } of all) {
    if (entity === null) store.delete(key);
    else store.set(key, entity);
  }
}

/** As the store would be compiled: nothing without what it belongs to. */
function textOf(store: ReadonlyMap<string, Entity>, seq: number): string {
  const has = (kind: Entity['kind'], id: number): boolean => store.has(`${kind} ${id}`);
  const properties = new Map<number, Entity>();
  for (const entity of store.values()) {
    if (entity.kind === 'property' && has('publisher', entity.publisherId)) {
      properties.set(entity.id, entity);
    }
  }
  const whole = [...store.values()].filter((entity) => {
    if (entity.kind === 'property') return properties.has(entity.id);
    return entity.kind !== 'adSpace' || properties.has(entity.propertyId);
  });
  return encodeSnapshot({ epoch: 'e', seq }, whole);
}

/** What auctions ask of a market. */
function tell(market: Market, asked: readonly ImpTraits[]) {
  const { eligibility, snapshot } = market;
  const matches = asked.map((traits) =>
    eligibility
      .match(traits)
      .map(({ partner: { id, stopped, name }, lineItems }) => [
        id,
        stopped,
        name,
        lineItems.map(({ lineItem: { id: item, floorMicros }, formats, requiresLocation }) => [
          item,
          floorMicros,
          formats,
          requiresLocation,
        ]),
      ]),
  );
  const spaces = ['1', '2', '3', '4'].map((tagid) => {
    const { creativeRules, ...rest } = market.space(tagid) ?? { creativeRules: null };
    const standings = ['c1', 'c2', 'c3', 'c4'].map((id) =>
      creativeRules === null
        ? null
        : standingOf({ demandPartnerId: 1, id, adomain: [] }, creativeRules),
    );
    return { rest, standings, name: creativeRules?.partnerName(1) };
  });
  const why = asked.slice(0, 3).map((traits) => eligibility.explain(traits, 1));
  return { matches, spaces, why, version: snapshot.version };
}
