import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import * as library from 'rialto/openrtb';
import { isRecord } from '../../src/openrtb/schema-node.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/guides/openrtb-library.md');

/** A package of somebody else, with the library installed as npm installs a checkout: by a link. */
let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-library-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/rialto'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});

after(() => rm(folder, { recursive: true }));

/** The programs of the guide, each with what it says that it prints. */
async function examples(): Promise<{ program: string; prints: string }[]> {
  const guide = await readFile(GUIDE, 'utf8');
  const blocks = guide.matchAll(/```ts\n([^]*?)```\n\n```text\n([^]*?)```/g);
  return Array.from(blocks, ([, program = '', prints = '']) => ({ program, prints }));
}

test('every example of the guide prints what the guide says', async () => {
  const found = await examples();
  const guide = await readFile(GUIDE, 'utf8');
  assert.equal(found.length, guide.split('```ts\n').length - 1, 'a program without its output');
  assert.ok(found.length >= 6);
  for (const [index, { program, prints }] of found.entries()) {
    const path = join(folder, `example-${index}.ts`);
    await writeFile(path, program);
    const { stdout } = await promisify(execFile)(process.execPath, [path], { cwd: folder });
    assert.equal(stdout, prints, program);
  }
});

test('the programs of the guide have no fault of type', async () => {
  const { compilerOptions }: { compilerOptions: object } = JSON.parse(
    await readFile(join(ROOT, 'tsconfig.json'), 'utf8'),
  );
  // The types of Node are the project's, which this package has not installed.
  const typeRoots = [join(ROOT, 'node_modules/@types')];
  const options = { compilerOptions: { ...compilerOptions, typeRoots }, include: ['*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  for (const [index, { program }] of (await examples()).entries()) {
    await writeFile(join(folder, `example-${index}.ts`), program);
  }
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const faults = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    (error: unknown) => (isRecord(error) ? String(error['stdout']) : String(error)),
  );
  assert.equal(faults, '');
});

test('the entry has every schema of the protocol, every list, and what reads them', () => {
  const exported = new Set<unknown>(Object.values(library));
  const described = new Set([...exported].map((value) => isRecord(value) && value['description']));
  for (const { name, versions } of library.OBJECTS) {
    // The parts of a native asset have no name of their own in the protocol, nor have extensions.
    if (/^Native (?:title|image|data)$|\.ext$/.test(name)) continue;
    for (const { description } of Object.values(versions)) {
      assert.ok(described.has(description ?? ''), name);
    }
  }
  for (const list of [...library.LISTS, ...library.INDUSTRY_LISTS]) {
    assert.ok(exported.has(list), list.title);
  }
});
