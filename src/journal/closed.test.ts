import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';

import { closedSegments, isProcess, type SegmentOnDisk } from './closed.ts';
import type { JournalStream } from './segment.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 24 * 60 * 60 * 1000;

interface Written {
  readonly stream?: JournalStream;
  readonly start?: string;
  readonly process?: string;
  readonly sequence?: number;
  readonly pid?: number | null;
  readonly modifiedMs?: number;
}

function segment(written: Written): SegmentOnDisk {
  const { stream = 'money', start = '20261120T100000000Z', process = '00000001' } = written;
  const { sequence = 1, pid = 100, modifiedMs = NOW_MS } = written;
  const order = String(sequence).padStart(6, '0');
  const name = `${stream}-0123456789abcdef-${start}-${process}-${order}.ndjson`;
  const header =
    pid === null
      ? null
      : { schema: 1, stream, incarnation: '0123456789abcdef', segment: name, pid, started_at: '' };
  return { name, header, bytes: 200, modifiedMs };
}

/** Which of the segments are closed, by their place in the list. */
function closedOf(written: readonly Written[], running: readonly number[]): number[] {
  const segments = written.map(segment);
  const closed = closedSegments(segments, NOW_MS, (pid) => running.includes(pid));
  return segments.flatMap(({ name }, index) => (closed.has(name) ? [index] : []));
}

describe('closedSegments', () => {
  test('leaves the last segment of a running process open, and closes those before it', () => {
    const written = [{ sequence: 1 }, { sequence: 3 }, { sequence: 2 }];
    assert.deepEqual(closedOf(written, [100]), [0, 2]);
  });

  test('closes what a process left that has ended', () => {
    assert.deepEqual(closedOf([{ pid: 100 }, { pid: 101, process: '00000002' }], [101]), [0]);
  });

  test('takes a process with the id of an earlier one for the later of the two', () => {
    const written = [
      { start: '20261120T100000000Z', process: '0000000a' },
      { start: '20261119T100000000Z', process: '0000000b' },
    ];
    assert.deepEqual(closedOf(written, [100]), [1]);
  });

  test('knows that a process writes both streams, which begin a moment apart', () => {
    const written: Written[] = [
      { stream: 'money', start: '20261120T100000001Z', process: '0000000a' },
      { stream: 'trace', start: '20261120T100000002Z', process: '0000000b' },
    ];
    assert.deepEqual(closedOf(written, [100]), []);
  });

  test('closes a segment without a header once another one followed it, or after a day', () => {
    const written = [
      { pid: null, sequence: 1 },
      { pid: null, sequence: 2 },
      { pid: null, process: '00000002', modifiedMs: NOW_MS - DAY_MS },
    ];
    assert.deepEqual(closedOf(written, []), [0, 2]);
  });

  test('closes what nobody has written to for a day, whoever has the process id now', () => {
    const written = [
      { modifiedMs: NOW_MS - DAY_MS },
      { pid: 101, process: '00000002', modifiedMs: NOW_MS - DAY_MS + 1 },
    ];
    assert.deepEqual(closedOf(written, [100, 101]), [0]);
  });
});

test('a process runs until it has ended, and we ourselves are no other', async () => {
  const child = spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 60_000)']);
  await once(child, 'spawn');
  const { pid = 0 } = child;
  assert.equal(isProcess(pid), true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(isProcess(pid), false);
  assert.equal(isProcess(process.pid), true);
  assert.equal(isProcess(1), true);
});
