import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { createFaultFs, FAULT_DISK_BYTES, type FaultFs } from './fault-fs.ts';
import { openJournal, RETRY_AFTER_MS, SEGMENT_AGE_MAX_MS, type Journal } from './journal.ts';
import { budgetProblem, diskProblem, type JournalLimits } from './room.ts';
import type { JournalStream } from './segment.ts';

const LIMITS: JournalLimits = {
  bytesMax: 10_000,
  traceBytesMax: 2_000,
  reserveBytes: FAULT_DISK_BYTES,
  reserveShare: 0.02,
};

let directory: string;
let fs: FaultFs;
let nowMs: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-room-'));
  fs = createFaultFs();
  nowMs = Date.UTC(2026, 10, 20);
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(stream: JournalStream): Journal {
  return openJournal({
    directory,
    stream,
    writer: 'exchange',
    now: () => nowMs,
    limits: LIMITS,
    fs,
  });
}

function append(journal: Journal): Promise<Error | null> {
  return new Promise((resolve) => {
    journal.append('{"n":1}', resolve);
  });
}

function fill(name: string, bytes: number): void {
  writeFileSync(join(directory, `${name}.ndjson`), Buffer.alloc(bytes));
}

describe('the disk', () => {
  test('is left a reserve by money, and twice as much by trace', () => {
    const problems = (share: number): (string | undefined)[] => {
      fs.freeShare = share;
      return (['money', 'trace'] as const).map(
        (stream) => diskProblem({ directory, stream, limits: LIMITS }, fs)?.message,
      );
    };
    assert.deepEqual(problems(0.04), [undefined, undefined]);
    const [money, trace] = problems(0.039);
    assert.equal(money, undefined);
    assert.match(String(trace), /^ENOSPC: 39000000 bytes are free/);
    assert.match(String(problems(0.019)[0]), /^ENOSPC/);
  });

  test('of a size that nobody knows is no problem', () => {
    fs.statfsSync = () => {
      throw new Error('ENOSYS');
    };
    assert.equal(diskProblem({ directory, stream: 'money', limits: LIMITS }, fs), null);
  });

  test('is looked at once a second; records are refused without room and taken again with it', async () => {
    const journal = open('money');
    assert.equal(await append(journal), null);
    fs.freeShare = 0.01;
    // Within the second the disk itself would say no.
    assert.equal(await append(journal), null);
    nowMs += 1_000;
    const refused = await append(journal);
    assert.match(String(refused), /ENOSPC/);
    assert.ok(refused !== null && 'code' in refused && refused.code === 'ENOSPC');
    fs.freeShare = 0.5;
    assert.match(String(await append(journal)), /ENOSPC/);
    nowMs += RETRY_AFTER_MS;
    assert.equal(await append(journal), null);
    assert.equal(journal.failure, null);
    journal.close();
  });

  test('without room does not keep a process from starting', async () => {
    fs.freeShare = 0;
    const journal = open('money');
    assert.match(String(journal.failure), /ENOSPC/);
    assert.deepEqual(readdirSync(directory), ['incarnation']);
    fs.freeShare = 1;
    nowMs += RETRY_AFTER_MS;
    assert.equal(await append(journal), null);
    journal.close();
  });
});

describe('the budget', () => {
  const problemOf = (stream: JournalStream): string | undefined =>
    budgetProblem({ directory, stream, limits: LIMITS }, fs)?.message;

  test('of all segments together stops both streams', () => {
    fill('money-1', 8_500);
    fill('trace-1', 1_499);
    writeFileSync(join(directory, 'notes.txt'), Buffer.alloc(20_000));
    assert.deepEqual([problemOf('money'), problemOf('trace')], [undefined, undefined]);
    fill('trace-2', 1);
    assert.match(String(problemOf('money')), /reached its 10000 bytes/);
    assert.match(String(problemOf('trace')), /reached its 10000 bytes/);
  });

  test('of the trace stops the trace alone', () => {
    fill('trace-1', 2_000);
    assert.equal(problemOf('money'), undefined);
    assert.match(String(problemOf('trace')), /the trace has reached its 2000 bytes/);
  });

  test('does not count a segment that is removed meanwhile', () => {
    fill('money-1', 20_000);
    const statSync = fs.statSync.bind(fs);
    fs.statSync = (path) => {
      rmSync(path);
      return statSync(path);
    };
    assert.equal(problemOf('money'), undefined);
  });

  test('is looked at when a segment is begun, so that one that is open is filled first', async () => {
    const journal = open('money');
    fill('money-1', 20_000);
    nowMs += 2_000;
    assert.equal(await append(journal), null);
    nowMs += SEGMENT_AGE_MAX_MS;
    assert.match(String(await append(journal)), /ENOSPC: the journal has reached/);
    rmSync(join(directory, 'money-1.ndjson'));
    nowMs += RETRY_AFTER_MS;
    assert.equal(await append(journal), null);
    journal.close();
  });
});
