import assert from 'node:assert/strict';
import { test } from 'node:test';

import { environmentOf } from './table.ts';

test("control's allocators are told to give memory back, and those of other roles are left alone", () => {
  const { MALLOC_TRIM_THRESHOLD_, MALLOC_CONF } = environmentOf('control', {});
  assert.equal(MALLOC_TRIM_THRESHOLD_, '131072');
  assert.match(MALLOC_CONF ?? '', /tcache_max/);
  assert.equal(environmentOf('exchange', {}).MALLOC_CONF, undefined);
});

test('what the operator has set goes before, and no process inherits a secret', () => {
  const environment = {
    PATH: '/bin',
    MALLOC_CONF: 'narenas:1',
    RIALTO_INTERNAL_SECRET: 'secret',
    RIALTO_DATABASE_URL: 'postgresql://u:p@h/d',
  };
  const { PATH, MALLOC_CONF, RIALTO_INTERNAL_SECRET, RIALTO_DATABASE_URL } = environmentOf(
    'control',
    environment,
  );
  assert.deepEqual(
    { PATH, MALLOC_CONF, RIALTO_INTERNAL_SECRET, RIALTO_DATABASE_URL },
    {
      PATH: '/bin',
      MALLOC_CONF: 'narenas:1',
      RIALTO_INTERNAL_SECRET: undefined,
      RIALTO_DATABASE_URL: undefined,
    },
  );
});
