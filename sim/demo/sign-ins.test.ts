import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { demoSignIns } from './sign-ins.ts';

function signInsOf(example: string) {
  const file = new URL(`../../examples/${example}.yaml`, import.meta.url);
  return demoSignIns(readFileSync(file, 'utf8')).map((each) => Object.values(each).join(' '));
}

test('somebody of each side can sign in to the console of the demo, and of the example', () => {
  const expected = [
    'the operator operator@example.com operator-password',
    'a demand partner engineer@acme.example acme-password',
    'a publisher ads@planet.example planet-password',
  ];
  assert.deepEqual(signInsOf('demo'), expected);
  assert.deepEqual(signInsOf('exchange'), expected);
});

test('who has no password is left out', () => {
  assert.deepEqual(demoSignIns('exchange: {}'), []);
  const users = '[{ email: a@b.example }, { email: c@d.example, password: long-enough }]';
  assert.deepEqual(demoSignIns(`operators: ${users}\npublishers: [{ users: [{ email: x }] }]`), [
    { who: 'the operator', email: 'c@d.example', password: 'long-enough' },
  ]);
});
