import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FloorRule } from '../resources/floors.ts';
import type { Format } from '../snapshot/entities.ts';
import { compileFloors, floorsFor, highestFloorMicros, lowestFloorMicros } from './floors.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';

const BITS = { banner: FORMAT_BANNER, video: FORMAT_VIDEO, native: FORMAT_NATIVE } as const;
const ALL: readonly Format[] = ['banner', 'video', 'native'];

function aRule(floorMicros: number, differs: Partial<FloorRule> = {}): FloorRule {
  return { countries: [], formats: [], floorMicros, ...differs };
}

/** The floor of one format that is for sale alone. */
function floorOf(
  lists: readonly (readonly FloorRule[])[],
  { country, format, leastMicros = 0 }: Where,
): number {
  const tables = lists.map(compileFloors);
  return floorsFor(tables, { country, formats: BITS[format], leastMicros }).floorMicros;
}

interface Where {
  readonly country: string | null;
  readonly format: Format;
  readonly leastMicros?: number;
}

test('of one list the most specific rule holds: country and format, country, format, the rest', () => {
  const rules = [
    aRule(4, { countries: ['US', 'GB'], formats: ['video'] }),
    aRule(3, { countries: ['US'] }),
    aRule(2, { formats: ['video'] }),
    aRule(1),
  ];
  for (const list of [rules, rules.toReversed()]) {
    const of = (country: string | null, format: Format): number =>
      floorOf([list], { country, format });
    assert.deepEqual([of('US', 'video'), of('US', 'banner')], [4, 3]);
    assert.deepEqual([of('GB', 'video'), of('GB', 'banner')], [4, 1]);
    assert.deepEqual([of('DE', 'video'), of('DE', 'native')], [2, 1]);
  }
});

test('an unknown country has the floors of rules that name no country', () => {
  const rules = [aRule(5, { countries: ['US'] }), aRule(2, { formats: ['video'] })];
  assert.equal(floorOf([rules], { country: null, format: 'video' }), 2);
  assert.equal(floorOf([rules], { country: null, format: 'banner' }), 0);
});

test('a more specific rule may ask for less, also for nothing; another list may not', () => {
  const general = [aRule(3), aRule(0, { countries: ['IN'] })];
  assert.equal(floorOf([general], { country: 'IN', format: 'banner' }), 0);
  assert.equal(floorOf([[aRule(3)], [aRule(1)]], { country: 'IN', format: 'banner' }), 3);
  assert.equal(floorOf([[aRule(1)], [aRule(3)]], { country: 'IN', format: 'banner' }), 3);
});

test('the least floor holds below all of them', () => {
  assert.equal(floorOf([], { country: 'US', format: 'banner', leastMicros: 7 }), 7);
  const low = [aRule(1, { countries: ['US'] })];
  assert.equal(floorOf([low], { country: 'US', format: 'banner', leastMicros: 7 }), 7);
});

test('formats of one floor have none of their own; of several the lowest is told first', () => {
  const tables = [compileFloors([aRule(5, { formats: ['video'] }), aRule(1)])];
  const both = FORMAT_BANNER | FORMAT_VIDEO;
  const selling = { country: null, leastMicros: 0 };
  const alike = floorsFor(tables, { ...selling, formats: FORMAT_BANNER | FORMAT_NATIVE });
  assert.deepEqual(alike, { floorMicros: 1, formatFloors: null });
  const apart = floorsFor(tables, { ...selling, formats: both });
  assert.deepEqual(apart, { floorMicros: 1, formatFloors: { banner: 1, video: 5, native: 1 } });
  assert.deepEqual(
    [FORMAT_BANNER, FORMAT_VIDEO, both].map((formats) => [
      lowestFloorMicros(apart, formats),
      highestFloorMicros(apart, formats),
    ]),
    [
      [1, 1],
      [5, 5],
      [1, 5],
    ],
  );
  // Markup of none of the formats is refused for that, and has to reach the lowest floor before.
  assert.equal(highestFloorMicros(apart, 0), 1);
});

const someRule: fc.Arbitrary<FloorRule> = fc.record({
  countries: fc.uniqueArray(fc.constantFrom('US', 'DE', 'FR'), { maxLength: 2 }),
  formats: fc.subarray([...ALL]),
  floorMicros: fc.integer({ min: 0, max: 9 }),
});

/** The rules in question, of which the last of the most specific holds. */
function naively(rules: readonly FloorRule[], country: string | null, format: Format): number {
  const fits = ({ countries, formats }: FloorRule): boolean =>
    (countries.length === 0 || (country !== null && countries.includes(country))) &&
    (formats.length === 0 || formats.includes(format));
  for (const named of [
    (rule: FloorRule) => rule.countries.length > 0 && rule.formats.length > 0,
    (rule: FloorRule) => rule.countries.length > 0 && rule.formats.length === 0,
    (rule: FloorRule) => rule.countries.length === 0 && rule.formats.length > 0,
    (rule: FloorRule) => rule.countries.length === 0 && rule.formats.length === 0,
  ]) {
    const found = rules.findLast((rule) => fits(rule) && named(rule));
    if (found !== undefined) return found.floorMicros;
  }
  return 0;
}

test('compiled floors are those that one finds by asking every rule', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(someRule, { maxLength: 6 }), { maxLength: 3 }),
      fc.constantFrom('US', 'DE', 'FR', 'JP', null),
      fc.subarray([...ALL], { minLength: 1 }),
      fc.integer({ min: 0, max: 9 }),
      (lists, country, names, leastMicros) => {
        const formats = names.reduce((mask, name) => mask | BITS[name], 0);
        const found = floorsFor(lists.map(compileFloors), { country, formats, leastMicros });
        const expected = names.map((name) =>
          Math.max(leastMicros, ...lists.map((rules) => naively(rules, country, name))),
        );
        assert.equal(found.floorMicros, Math.min(...expected));
        assert.equal(lowestFloorMicros(found, formats), Math.min(...expected));
        assert.equal(highestFloorMicros(found, formats), Math.max(...expected));
        for (const [index, name] of names.entries()) {
          assert.equal(highestFloorMicros(found, BITS[name]), expected[index], name);
        }
      },
    ),
  );
});
