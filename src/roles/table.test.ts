import assert from 'node:assert/strict';
import { test } from 'node:test';

import { environmentOf } from './table.ts';

test("control's allocator is told to give memory back, and those of other roles are left alone", () => {
  assert.equal(environmentOf('control', {}).MALLOC_ARENA_MAX, '2');
  assert.equal(environmentOf('exchange', {}).MALLOC_ARENA_MAX, undefined);
});

test('what the operator has set goes before, and no process inherits a secret', () => {
  const environment = {
    PATH: '/bin',
    MALLOC_ARENA_MAX: '8',
    RIALTO_INTERNAL_SECRET: 'secret',
    RIALTO_DATABASE_URL: 'postgresql://u:p@h/d',
  };
  const { PATH, MALLOC_ARENA_MAX, RIALTO_INTERNAL_SECRET, RIALTO_DATABASE_URL } = environmentOf(
    'control',
    environment,
  );
  assert.deepEqual(
    { PATH, MALLOC_ARENA_MAX, RIALTO_INTERNAL_SECRET, RIALTO_DATABASE_URL },
    {
      PATH: '/bin',
      MALLOC_ARENA_MAX: '8',
      RIALTO_INTERNAL_SECRET: undefined,
      RIALTO_DATABASE_URL: undefined,
    },
  );
});
