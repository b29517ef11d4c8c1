import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { validateOutgoingRequest } from '../../src/openrtb/validate-outgoing.ts';
import { exampleMarket, holdGolden, marketWith, type GoldenAuction } from '../support/golden.ts';

/**
 * Golden auctions: data files that say what goes in, whom the exchange asks for what, and what
 * comes out, each compared whole. After a deliberate change run the tests with
 * RIALTO_UPDATE_GOLDEN=1, and read the difference before you commit it.
 */
const UPDATE = process.env['RIALTO_UPDATE_GOLDEN'] === '1';
const example = await exampleMarket();

for (const folder of ['exemplary', 'supplemental']) {
  const directory = new URL(`../auctions/${folder}/`, import.meta.url);
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  assert.ok(names.length > 0, `no golden auctions in ${folder}`);
  for (const name of names) {
    const file = new URL(name, directory);
    const golden: GoldenAuction = JSON.parse(readFileSync(file, 'utf8'));
    test(`${folder}/${name}: ${golden.description}`, async () => {
      const isExample =
        golden.deals === undefined &&
        golden.configuration === undefined &&
        golden.reviews === undefined;
      const market = isExample ? example : await marketWith(golden);
      const outcome = await holdGolden(market, golden);
      if (UPDATE) {
        writeFileSync(file, `${JSON.stringify({ ...golden, expected: outcome }, null, 2)}\n`);
        return;
      }
      assert.deepEqual(outcome, golden.expected);
      for (const { request, version } of outcome.calls) {
        const checked = validateOutgoingRequest(request, version);
        assert.ok(checked.ok, JSON.stringify(checked));
      }
    });
  }
}
