import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOSS_REASONS } from '../../src/openrtb/loss-reason.ts';
import { specIn, specObjects } from '../../src/openrtb/spec-fixtures.ts';
import { VERSIONS, type OpenRtbVersion } from '../../src/openrtb/versions.ts';
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
function rowOf(name: string, field: string): Record<string, string> {
  const section = SECTIONS.get(name);
  assert.ok(section !== undefined, `${name} has no table`);
  const columns = section.get('Field') ?? [];
  const cells = section.get(field);
  assert.ok(cells !== undefined, `${name}.${field} is not listed`);
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
}

/** The newest version of the spec that has a field of an object. */
function newestWith(name: string, field: string): OpenRtbVersion {
  const found = VERSIONS.findLast((version) => specIn(name, version)?.types.has(field));
  assert.ok(found !== undefined, `${name}.${field}`);
  return found;
}

test("every field of the spec's tables is listed with its scope, type and default, and how it is filled", () => {
  for (const version of VERSIONS) {
    for (const { name, types, required, recommended, defaults } of specObjects(version)) {
      for (const [field, type] of types) {
        if (newestWith(name, field) !== version) continue;
        const row = rowOf(name, field);
        const place = `${name}.${field}`;
        const scope = required.includes(field)
          ? 'required'
          : recommended.includes(field)
            ? 'recommended'
            : 'optional';
        const value = defaults[field] === undefined ? '' : `\`${JSON.stringify(defaults[field])}\``;
        assert.equal(row['Scope'], scope, place);
        assert.equal(row['Type']?.replace(/, \[list\].*/, ''), type, place);
        assert.equal(row['Default'], value, place);
        assert.equal(row[`In ${version}`], 'same', place);
        assert.notEqual(row['Filled from'], '', place);
        assert.match(row['How'] ?? '', /\.$/, place);
      }
    }
  }
});

const IN_EXTENSIONS = new Set(['SupplyChain', 'SupplyChainNode', 'EID', 'UID']);

test('what earlier versions lack and have otherwise is said on the row', () => {
  for (const version of VERSIONS) {
    for (const { name, types } of VERSIONS.flatMap((each) => specObjects(each))) {
      // What extensions carry before is no table of those versions.
      if (IN_EXTENSIONS.has(name)) continue;
      const spec = specIn(name, version);
      for (const field of types.keys()) {
        const said = rowOf(name, field)[`In ${version}`] ?? '';
        const isThere = spec?.types.has(field) === true;
        assert.equal(
          !/^(?:–|`|as `)/.test(said),
          isThere,
          `${name}.${field} in ${version}: ${said}`,
        );
        const value = spec?.defaults[field];
        const shown = specIn(name, newestWith(name, field))?.defaults[field];
        if (value === undefined || value === shown) continue;
        assert.ok(said.includes(`default \`${JSON.stringify(value)}\``), `${name}.${field}`);
      }
    }
  }
  assert.match(rowOf('Site', 'page')['In 2.2'] ?? '', /^recommended/);
  assert.equal(rowOf('Regs', 'gdpr')['In 2.5'], '`ext/gdpr`');
  assert.equal(rowOf('Source', 'schain')['In 2.2'], '`../ext/schain`');
  assert.equal(rowOf('Device', 'langb')['In 2.5'], 'as `language`');
});

test('every field that the page lists belongs to an object of the spec or to an extension', () => {
  const named = new Set(VERSIONS.flatMap(specObjects).map(({ name }) => name));
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
