import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { atEnd } from '../support/at-end.ts';
import { findTemplate } from '../support/template.ts';

const NAME = `test-of-templates-${process.pid}`;
const SOURCES = ['sql/0001-*.sql'];

for (const kind of ['file', 'directory'] as const) {
  test(`a template that is a ${kind} is whole for all who want it at the same time, and made once for the next`, async () => {
    let made = 0;
    const make = async (path: string): Promise<void> => {
      made += 1;
      const file = kind === 'file' ? path : join(path, 'a');
      if (kind === 'directory') mkdirSync(path);
      writeFileSync(file, 'half');
      await turn();
      writeFileSync(file, 'whole');
    };
    const recipe = { name: `${NAME}-${kind}`, sources: SOURCES, make };
    const paths = await Promise.all([1, 2, 3].map(() => findTemplate(recipe)));
    const [path = ''] = paths;
    assert.equal(new Set(paths).size, 1);
    assert.equal(readFileSync(kind === 'file' ? path : join(path, 'a'), 'utf8'), 'whole');
    const before = made;
    assert.equal(await findTemplate(recipe), path);
    assert.equal(made, before);

    const other = await findTemplate({ ...recipe, sources: ['sql/0002-*.sql'] });
    assert.notEqual(other, path);
    rmSync(path, { recursive: true });
    rmSync(other, { recursive: true });
  });
}

test('a template that cannot be made is not there, nor a part of it', async () => {
  const name = `${NAME}-broken`;
  const broken = findTemplate({
    name,
    sources: SOURCES,
    make: async (path) => {
      writeFileSync(path, 'half');
      throw new Error('the disk is full');
    },
  });
  await assert.rejects(broken, /the disk is full/);
  const kept = await findTemplate({
    name: `${NAME}-kept`,
    sources: SOURCES,
    make: async (path) => writeFileSync(path, ''),
  });
  assert.deepEqual(
    readdirSync(dirname(kept)).filter((each) => each.includes(NAME)),
    [basename(kept)],
  );
  rmSync(kept);
});

test('what a test has opened ends in reverse order, after the test', async (t) => {
  const ended: string[] = [];
  await t.test('a test', (inner) => {
    for (const each of ['directory', 'store', 'server']) atEnd(inner, () => ended.push(each));
    assert.deepEqual(ended, []);
  });
  assert.deepEqual(ended, ['server', 'store', 'directory']);
});
