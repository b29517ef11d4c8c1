import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';

import { startOf } from '../base/process-start.ts';
import { closedSegments, isWriterRunning, type SegmentOnDisk } from './closed.ts';
import type { JournalStream, SegmentHeader } from './segment.ts';

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

const WRITTEN_BY = {
  schema: 1,
  incarnation: '0123456789abcdef',
  writer: 'exchange',
  started_at: '',
} as const;

function segment(written: Written): SegmentOnDisk {
  const { stream = 'money', start = '20261120T100000000Z', process = '00000001' } = written;
  const { sequence = 1, pid = 100, modifiedMs = NOW_MS } = written;
  const order = String(sequence).padStart(6, '0');
  const name = `${stream}-0123456789abcdef-${start}-${process}-${order}.ndjson`;
  const header = pid === null ? null : { ...WRITTEN_BY, stream, segment: name, pid };
  return { name, header, bytes: 200, modifiedMs };
}

/** Which of the segments are closed, by their place in the list. */
function closedOf(written: readonly Written[], running: readonly number[]): number[] {
  const segments = written.map(segment);
  const closed = closedSegments(segments, NOW_MS, ({ pid }) => running.includes(pid));
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

  test('closes no segment by its age while its process runs: clocks are set, and processes idle', () => {
    const written = [
      { modifiedMs: NOW_MS - 365 * DAY_MS },
      { pid: 101, process: '00000002', modifiedMs: NOW_MS - DAY_MS },
      { pid: 102, process: '00000003', modifiedMs: NOW_MS + DAY_MS },
    ];
    assert.deepEqual(closedOf(written, [100, 101]), [2]);
  });
});

test('the writer of a segment runs until it has ended, and is no other process with its id', async (t) => {
  const child = spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 60_000)']);
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const { pid = 0 } = child;
  const header = (process_start?: string): SegmentHeader => ({
    ...WRITTEN_BY,
    stream: 'money',
    segment: '',
    pid,
    ...(process_start === undefined ? {} : { process_start }),
  });
  const start = startOf(pid) ?? '';
  assert.equal(isWriterRunning(header(start)), true);
  assert.equal(isWriterRunning(header('another start')), false);
  // A version before this one did not say.
  assert.equal(isWriterRunning(header()), true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(isWriterRunning(header(start)), false);
  assert.equal(isWriterRunning(header()), false);
});
