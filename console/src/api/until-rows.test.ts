import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Answer } from './client.ts';
import { untilRows } from './until-rows.ts';

function part(body: readonly number[], next: string | null): Answer<readonly number[]> {
  return { body, next, etag: null, total: null };
}

it('follows a list to its first rows, or to its end', async () => {
  const parts = new Map([
    ['/2', part([], '/3')],
    ['/3', part([7], '/4')],
    ['/4', part([], '/5')],
    ['/5', part([], null)],
  ]);
  const asked: string[] = [];
  const ask = async (path: string) => {
    asked.push(path);
    return parts.get(path) ?? assert.fail(path);
  };
  assert.deepEqual(await untilRows(part([], '/2'), ask), part([7], '/4'));
  assert.deepEqual(await untilRows(part([], '/4'), ask), part([], null));
  assert.deepEqual(await untilRows(part([1], '/2'), ask), part([1], '/2'));
  assert.deepEqual(asked, ['/2', '/3', '/4', '/5']);
});
