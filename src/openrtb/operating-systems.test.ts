import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { OPERATING_SYSTEMS, OTHER_SYSTEM, operatingSystem } from './operating-systems.ts';

test('a system has one name, in whatever case and spacing it is written', () => {
  const cases = [
    ['android', 'Android'],
    ['ANDROID OS', 'Android'],
    ['iPadOS', 'iOS'],
    ['iPhone OS', 'iOS'],
    ['Mac OS X', 'macOS'],
    ['chrome-os', 'Chrome OS'],
    ['roku', 'Roku OS'],
    ['LG webOS', 'webOS'],
    ['fire_os', 'Fire OS'],
    ['other', OTHER_SYSTEM],
    ['Fuchsia', null],
    ['', null],
    ['__proto__', null],
  ] as const;
  for (const [text, name] of cases) assert.equal(operatingSystem(text), name, text);
  for (const name of OPERATING_SYSTEMS) assert.equal(operatingSystem(name), name);
});

test('the reference of reports names each of them', async () => {
  const text = await readFile(new URL('../../docs/reference/reports.md', import.meta.url), 'utf8');
  const [, list = '', rest = ''] =
    /^`os` is ([^]*?), in whatever spelling([^]*?)\n\n/m.exec(text) ?? [];
  const names = list.replaceAll(/\s+/g, ' ').split(/, | or /);
  assert.deepEqual([...names, OTHER_SYSTEM].toSorted(), OPERATING_SYSTEMS.toSorted());
  assert.match(rest, /Other/);
});
