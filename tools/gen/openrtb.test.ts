import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOSS_REASONS } from '../../src/openrtb/loss-reason.ts';
import { SPEC_TABLES, words, type SpecTable } from '../../src/openrtb/spec-fixtures.ts';
import { openrtbListsReference } from './openrtb-lists.ts';
import { openrtbReference } from './openrtb.ts';

/** The cells of a page's tables by heading and first cell, which is the field or the value. */
function rowsOf(page: string): Map<string, Map<string, string[]>> {
  const sections = page.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const rows = lines
        .filter((line) => line.startsWith('| '))
        .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
        .map(([, first = '', ...cells]): [string, string[]] => [
          first.replaceAll('`', ''),
          cells.slice(0, -1),
        ]);
      return [heading, new Map(rows)];
    }),
  );
}

const SECTIONS = rowsOf(openrtbReference());

/** The row of a field, each cell by its column. */
function rowOf({ name }: SpecTable, field: string): Record<string, string> {
  const section = SECTIONS.get(name);
  assert.ok(section !== undefined, `${name} has no table`);
  const columns = section.get('Field') ?? [];
  const cells = section.get(field);
  assert.ok(cells !== undefined, `${name}.${field} is not listed`);
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
}

test("every field of the spec's tables is listed with its scope, type and default, and how it is filled", () => {
  for (const spec of SPEC_TABLES) {
    const { required, recommended, optional, types, defaults } = spec;
    for (const [scope, fields] of Object.entries({ required, recommended, optional })) {
      for (const field of words(fields)) {
        const row = rowOf(spec, field);
        const place = `${spec.name}.${field}`;
        const type = Object.keys(types).find((each) => words(types[each] ?? '').includes(field));
        const value = defaults[field] === undefined ? '' : `\`${JSON.stringify(defaults[field])}\``;
        assert.equal(row['Scope'], scope, place);
        assert.equal(row['Type']?.replace(/, \[list\].*/, ''), type, place);
        assert.equal(row['Default'], value, place);
        assert.notEqual(row['Filled from'], '', place);
        assert.match(row['How'] ?? '', /\.$/, place);
      }
    }
  }
});

test('what 2.2 takes away, adds and changes is said on the row', () => {
  for (const spec of SPEC_TABLES) {
    const { required, recommended, optional, in22 } = spec;
    const all = words(`${required} ${recommended} ${optional}`);
    const absent = in22?.absent === '*' ? all : words(in22?.absent ?? '');
    for (const field of all) {
      const said = rowOf(spec, field)['In 2.2'] ?? '';
      assert.equal(said === '–', absent.includes(field), `${spec.name}.${field}: ${said}`);
      const value = in22?.defaults?.[field];
      if (value === undefined || value === spec.defaults[field]) continue;
      assert.ok(said.includes(`default \`${JSON.stringify(value)}\``), `${spec.name}.${field}`);
    }
    for (const field of words(in22?.added ?? '')) {
      assert.equal(rowOf(spec, field)['In 2.2'], 'only');
    }
  }
  assert.match(SECTIONS.get('Site')?.get('page')?.at(-1) ?? '', /^recommended/);
});

test('every field that the page lists belongs to an object of the spec or to an extension', () => {
  const named = new Set(SPEC_TABLES.map(({ name }) => name));
  const others = [...SECTIONS.keys()].filter((name) => !named.has(name));
  assert.deepEqual(others, [
    'Where values come from',
    'BidRequest.ext',
    'Source.ext',
    'Imp.ext',
    'Companion',
    'Video.ext',
  ]);
});

test('the first table says for identity, blocking and the overridable where they come from', () => {
  const origins = SECTIONS.get('Where values come from');
  const fieldsOf = (origin: string): string => origins?.get(origin)?.[1] ?? '';
  assert.match(fieldsOf('configuration'), /App: `id` `name` `bundle`/);
  assert.match(fieldsOf('union'), /BidRequest: `bcat` `badv` `bapp`/);
  assert.match(fieldsOf('overridable'), /Video: `mimes` `minduration`/);
});

test('the lists, the loss reasons and the categories are on their page', () => {
  const lists = rowsOf(openrtbListsReference());
  assert.equal(lists.get('List 5.21: Device type')?.get('7')?.[0], 'Set top box');
  assert.equal(lists.get('native 7.4: Native data asset types')?.size, 12 + 2);
  assert.equal(lists.get('Loss reasons')?.size, Object.keys(LOSS_REASONS).length + 2);
  assert.equal(lists.get('Content taxonomy')?.get('IAB7-39')?.[0], 'Sexuality');
  assert.equal(lists.get('Content taxonomy')?.size, 392 + 2);
});
