import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purity } from './purity.ts';

const IMPURE: readonly string[] = [
  `import { randomBytes } from 'node:crypto';`,
  `import { createCipheriv, generateKeySync } from 'node:crypto';`,
  `import fs from 'fs';`,
  `import type { Socket } from 'node:net';`,
  `const at = Date.now();`,
  `const at = new Date();`,
  `const at = new Date;`,
  `const at = Date();`,
  `const draw = Math.random();`,
  `const at = performance.now();`,
  `const id = crypto.randomUUID();`,
  `const home = process.env.HOME;`,
  `console.log(1);`,
  `const clock = globalThis['Date'];`,
  `const answer = await fetch(url);`,
  `setTimeout(next, 1);`,
];

for (const text of IMPURE) {
  test(`a pure folder may not say: ${text}`, () => {
    for (const folder of ['src/auction', 'src/privacy', 'src/beacons']) {
      const faults = purity([{ path: `${folder}/a.ts`, text: `\n${text}` }]);
      const places = faults.map(({ path, line }) => `${path}:${String(line)}`);
      assert.deepEqual([...new Set(places)], [`${folder}/a.ts:2`]);
    }
  });
}

test('a pure folder may compute with what it was given', () => {
  const text = `
    import { shareOf } from '../base/money.ts';
    // Date.now() would make a replay differ.
    const expires = new Date(nowMs + 1000);
    const a = Math.floor(report.performance.now / kpi.process.count);
    const b = 'Math.random()', c = clock.Date.now(), d = new DateRange();
  `;
  assert.deepEqual(purity([{ path: 'src/auction/a.ts', text }]), []);
});

test('ciphers are pure, for the folder that seals with them', () => {
  const text = `import { createCipheriv } from 'node:crypto';`;
  assert.deepEqual(purity([{ path: 'src/beacons/a.ts', text }]), []);
  assert.equal(purity([{ path: 'src/auction/a.ts', text }]).length, 1);
});

test('tests of a pure folder and other folders may use clocks and node', () => {
  const text = `import 'node:fs'; Date.now();`;
  const paths = ['src/auction/a.test.ts', 'src/exchange/a.ts', 'tools/a.ts'];
  assert.deepEqual(purity(paths.map((path) => ({ path, text }))), []);
});
