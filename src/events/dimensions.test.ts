import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DeviceType } from '../openrtb/device-lists.ts';
import { platformsOf, type Platforms } from './dimensions.ts';

const TELEVISIONS = [DeviceType.ConnectedTv, DeviceType.SetTopBox];
const HANDHELDS = [DeviceType.MobileTablet, DeviceType.Phone, DeviceType.Tablet];
const ELSEWHERE = [DeviceType.PersonalComputer, DeviceType.ConnectedDevice, null];
const SYSTEMS = ['iOS', 'Android', 'Tizen', 'Windows', null];

/** What each row of the reference's table is about. */
const ROWS: Readonly<Record<string, readonly Platforms[]>> = {
  'app on iOS': [...HANDHELDS, ...ELSEWHERE].map((type) => platformsOf(true, 'iOS', type)),
  'app on Android': [...HANDHELDS, ...ELSEWHERE].map((type) => platformsOf(true, 'Android', type)),
  'app on a television or set top box': each(true, SYSTEMS, TELEVISIONS),
  'app elsewhere': each(true, ['Tizen', 'Windows', null], [...HANDHELDS, ...ELSEWHERE]),
  'site on a phone or tablet': each(false, SYSTEMS, HANDHELDS),
  'site on a television or set top box': each(false, SYSTEMS, TELEVISIONS),
  'site elsewhere': each(false, SYSTEMS, ELSEWHERE),
};

function each(
  inApp: boolean,
  systems: readonly (string | null)[],
  types: readonly (DeviceType | null)[],
): Platforms[] {
  return systems.flatMap((os) => types.map((type) => platformsOf(inApp, os, type)));
}

test('platforms are those of the table in the reference', async () => {
  const text = await readFile(new URL('../../docs/reference/reports.md', import.meta.url), 'utf8');
  const table = text.split('\n').flatMap((line) => {
    const [, traffic = '', demand = '', supply = ''] = line.split('|').map((cell) => cell.trim());
    return traffic in ROWS ? [{ traffic, demand, supply }] : [];
  });
  assert.deepEqual(
    table.map(({ traffic }) => traffic),
    Object.keys(ROWS),
  );
  for (const { traffic, demand, supply } of table) {
    const found = ROWS[traffic] ?? [];
    assert.deepEqual(
      [...new Set(found.map((platforms) => platforms.demand))],
      demand.split(/, (?:or )?/),
    );
    assert.deepEqual([...new Set(found.map((platforms) => platforms.supply))], [supply]);
  }
});
