import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../settings/read-settings.ts';
import { ROLE_NAMES } from '../settings/settings.ts';
import { settingsFor } from './node-settings.ts';

test('the address of the database, with its password, is for control alone', () => {
  const read = readSettings(
    { '--apply': 'f.yaml' },
    {
      RIALTO_DATABASE_URL: 'postgresql://rialto:hush@192.0.2.7/rialto',
      RIALTO_INTERNAL_SECRET: 'couriers-and-controls',
    },
  );
  assert.ok(read.ok);
  const told = ROLE_NAMES.filter(
    (role) => settingsFor(role, read.settings, true).databaseUrl !== null,
  );
  assert.deepEqual(told, ['control']);
  const secret = ROLE_NAMES.filter(
    (role) => settingsFor(role, read.settings, true).internalSecret !== null,
  );
  assert.deepEqual(secret, ['control', 'courier']);
  assert.equal(settingsFor('control', read.settings, false).applyFile, null);
});
