import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { marked, unmarked } from '../../test/support/journal-lines.ts';
import { createFaultFs, type FaultFs } from './fault-fs.ts';
import { openJournal, SEGMENT_AGE_MAX_MS, type Journal } from './journal.ts';
import { isSealed } from './seal.ts';

let directory: string;
let fs: FaultFs;
let nowMs: number;
let failures: Error[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-durable-'));
  fs = createFaultFs();
  nowMs = Date.UTC(2026, 10, 20);
  failures = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(): Journal {
  const onFailure = (error: Error): void => void failures.push(error);
  return openJournal({
    directory,
    stream: 'money',
    writer: 'exchange',
    now: () => nowMs,
    durable: { onFailure },
    fs,
  });
}

function append(journal: Journal, record: string): Promise<Error | null> {
  return new Promise((resolve) => {
    journal.append(record, resolve);
  });
}

function records(): (string | null)[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .flatMap((name) =>
      readFileSync(join(directory, name), 'utf8').split('\n').slice(1, -1).map(unmarked),
    );
}

/** Whether each segment is sealed, in order. */
function seals(): boolean[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => isSealed(statSync(join(directory, name)).mode));
}

describe('a durable journal', () => {
  test('acknowledges a record once it and the name of its segment are on the disk', async () => {
    const journal = open();
    fs.synced.length = 0;
    assert.equal(await append(journal, '{"n":1}'), null);
    // The segment, then the directory that names it.
    assert.equal(fs.synced.length, 2);
    assert.notEqual(fs.synced[0], fs.synced[1]);
    assert.equal(await append(journal, '{"n":2}'), null);
    assert.equal(fs.synced.length, 3);
    journal.close();
  });

  test('commits once for all that wait', async () => {
    const journal = open();
    await append(journal, '{"n":0}');
    const held: (() => void)[] = [];
    const fdatasync = fs.fdatasync.bind(fs);
    fs.fdatasync = (fd, done) => held.push(() => fdatasync(fd, done));
    const first = append(journal, '{"n":1}');
    await new Promise(setImmediate);
    const others: Promise<Error | null>[] = [];
    for (let n = 2; n < 50; n += 1) {
      others.push(append(journal, `{"n":${n}}`));
      await new Promise(setImmediate);
    }
    assert.equal(held.length, 1);
    held.shift()?.();
    assert.equal(await first, null);
    assert.equal(held.length, 1);
    held.shift()?.();
    assert.ok((await Promise.all(others)).every((error) => error === null));
    assert.equal(records().length, 50);
    journal.close();
  });

  test('tells those of a segment that is full after its own commit', async () => {
    const journal = open();
    const held: (() => void)[] = [];
    const fdatasync = fs.fdatasync.bind(fs);
    fs.fdatasync = (fd, done) => held.push(() => fdatasync(fd, done));
    const first = append(journal, '{"n":1}');
    await new Promise(setImmediate);
    nowMs += SEGMENT_AGE_MAX_MS;
    const second = append(journal, '{"n":2}');
    await new Promise(setImmediate);
    // Two files, each with a commit of its own; the first one is still open.
    assert.equal(held.length, 2);
    held[1]?.();
    assert.equal(await second, null);
    held[0]?.();
    assert.equal(await first, null);
    journal.close();
  });

  test('whose write fails tells at once, and goes on in the next segment', async () => {
    const journal = open();
    fs.fates = ['ENOSPC'];
    assert.match(String(await append(journal, '{"n":1}')), /ENOSPC/);
    nowMs += 1_000;
    assert.equal(await append(journal, '{"n":2}'), null);
    assert.deepEqual(records(), ['{"n":2}']);
    assert.deepEqual(failures, []);
    journal.close();
  });

  for (const call of ['fdatasync', 'fsync'] as const) {
    test(`whose first ${call} fails says so before it tells anybody, and takes no more`, async () => {
      const journal = open();
      const order: string[] = [];
      fs[call] = (_fd, done) => setImmediate(() => done(new Error('EIO')));
      const onFailure = (error: Error): void => void order.push(`failure ${error.message}`);
      const broken = openJournal({
        directory,
        stream: 'money',
        writer: 'exchange',
        now: () => nowMs,
        durable: { onFailure },
        fs,
      });
      const told = [append(broken, '{"n":1}'), append(broken, '{"n":2}')].map(async (done) => {
        order.push(String((await done)?.message));
      });
      await Promise.all(told);
      assert.deepEqual(order, ['failure EIO', 'EIO', 'EIO']);
      fs[call] = (_fd, done) => done(null);
      nowMs += 60_000;
      const { writes } = fs;
      assert.match(String(await append(broken, '{"n":3}')), /EIO/);
      assert.equal(fs.writes, writes);
      assert.match(String(broken.failure), /EIO/);
      broken.close();
      journal.close();
    });
  }

  test('seals a segment once all that is in it is on the disk', async () => {
    const journal = open();
    await append(journal, '{"n":1}');
    assert.deepEqual(seals(), [false]);
    nowMs += SEGMENT_AGE_MAX_MS;
    await append(journal, '{"n":2}');
    assert.deepEqual(seals(), [true, false]);
    const held: (() => void)[] = [];
    const fdatasync = fs.fdatasync.bind(fs);
    fs.fdatasync = (fd, done) => held.push(() => fdatasync(fd, done));
    const third = append(journal, '{"n":3}');
    journal.close();
    assert.deepEqual(seals(), [true, false]);
    held.shift()?.();
    assert.equal(await third, null);
    assert.deepEqual(seals(), [true, true]);
  });

  test('seals no segment whose last commit has failed, and none that nobody has synced', async () => {
    const journal = open();
    await append(journal, '{"n":1}');
    fs.syncs = false;
    assert.match(String(await append(journal, '{"n":2}')), /EIO/);
    journal.close();
    assert.deepEqual(seals(), [false]);
  });

  test('commits records that nobody waits for as well', async () => {
    const journal = open();
    journal.append('{"n":1}');
    journal.close();
    await new Promise<void>((resolve) => {
      const look = (): void => void (seals()[0] === true ? resolve() : setImmediate(look));
      look();
    });
    assert.equal(fs.synced.length, 2);
  });

  test('goes on without sealing where files have no modes', async () => {
    const journal = open();
    fs.fchmodSync = () => {
      throw new Error('ENOTSUP');
    };
    assert.equal(await append(journal, '{"n":1}'), null);
    journal.close();
    assert.deepEqual([seals(), failures], [[false], []]);
  });

  test('that can neither write a record nor take it back ends the process, and seals nothing', async () => {
    const journal = open();
    await append(journal, '{"n":1}');
    fs.fates = [`${marked('{"n":2}', 2)}\n{"n`.length, 'ENOSPC'];
    fs.truncates = false;
    const told = [append(journal, '{"n":2}'), append(journal, '{"n":3}')];
    for (const error of await Promise.all(told)) assert.match(String(error), /ENOSPC/);
    // Who sends it again must not get it counted twice by this process.
    assert.deepEqual(records(), ['{"n":1}', '{"n":2}']);
    assert.equal(failures.length, 1);
    nowMs += 60_000;
    assert.match(String(await append(journal, '{"n":2}')), /ENOSPC/);
    assert.deepEqual(seals(), [false]);
  });

  test('finishes the commit that is under way when it is closed', async () => {
    const journal = open();
    const told = append(journal, '{"n":1}');
    journal.close();
    assert.equal(await told, null);
    assert.match(String(await append(journal, '{"n":2}')), /closed/);
  });
});
