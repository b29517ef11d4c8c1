import assert from 'node:assert/strict';
import nodeFs, { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { pino } from 'pino';

import { atEnd } from '../../test/support/at-end.ts';
import { FakeControl } from '../../test/support/fake-control.ts';
import { until } from '../../test/support/wait.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal } from '../journal/journal.ts';
import { JournalSegments } from './journal-segments.ts';
import { Shipper } from './shipper.ts';

const PACE = { batchAfterMs: 1, lookMs: 1, idleMs: 1, retry: { firstMs: 1, lastMs: 2 } };

/** A courier's shipper on a directory that outlives it. */
function courierOf(t: TestContext) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-again-'));
  const journalDirectory = join(dataDirectory, 'journal');
  mkdirSync(journalDirectory);
  const control = new FakeControl();
  atEnd(t, () => {
    control.close();
    rmSync(dataDirectory, { recursive: true });
  });
  let startMs = Date.UTC(2026, 10, 20);
  return {
    control,
    write: (...lines: string[]): void => {
      startMs += 1_000;
      const now = (): number => startMs;
      const writer = 'exchange' as const;
      const place = { directory: journalDirectory, stream: 'money' as const, writer, now };
      const journal = openJournal(place);
      for (const line of lines) journal.append(line);
      journal.close();
    },
    start: async (): Promise<Shipper> => {
      const incarnation = readIncarnation(journalDirectory, nodeFs);
      const logger = pino({ level: 'silent' });
      const now = Date.now;
      const segments = new JournalSegments({
        directory: journalDirectory,
        incarnation,
        logger,
        now,
        isRunning: () => false,
      });
      const place = { stream: 'money' as const, dataDirectory, journalDirectory, incarnation };
      const shipper = await Shipper.open({ ...place, segments, control, logger, now, pace: PACE });
      // What a courier keeps looking at for other reasons, and then no more.
      void segments.survey(shipper.acknowledged);
      void shipper.run();
      atEnd(t, () => shipper.stop());
      return shipper;
    },
  };
}

function drained(shipper: Shipper): Promise<unknown> {
  return until('nothing waits', 10_000, async () => (await shipper.figures()).backlogBytes === 0);
}

test('the whole journal is offered again when control asks for it, and says of what it may have had', async (t) => {
  const { control, write, start } = courierOf(t);
  write('{"n":1}', '{"n":2}');
  const first = await start();
  await drained(first);
  write('{"n":3}');
  await drained(first);
  const before = control.offered.length;
  // An empty store, and offsets that were forgotten.
  control.offsets.clear();
  first.reoffer(7);
  await until('it is offered again', 10_000, () => control.offered.length > before);
  await drained(first);
  const again = control.offered.slice(before);
  assert.ok(again.length > 0 && again.every((manifest) => manifest.again === true));
  assert.deepEqual(control.lines.slice(3), ['{"n":1}', '{"n":2}', '{"n":3}']);
  await first.stop();

  // The next courier has followed that request already, and what is new was never there.
  const second = await start();
  second.reoffer(7);
  write('{"n":4}');
  await until('it is loaded', 10_000, () => control.lines.length === 7);
  assert.equal(control.offered.at(-1)?.again, undefined);
  assert.deepEqual([first.reofferedAt, second.reofferedAt], [7, 7]);
});

test('a batch whose answer was lost may have been there as well', async (t) => {
  const { control, write, start } = courierOf(t);
  write('{"n":1}');
  control.fates = Array.from({ length: 1_000 }, () => 'lost after' as const);
  const shipper = await start();
  await until('it was loaded', 10_000, () => control.lines.length === 1);
  control.offsets.clear();
  control.fates = [];
  shipper.reoffer(1);
  await until('it is offered again', 10_000, () => control.offered.at(-1)?.again === true);
  await drained(shipper);
  assert.equal(shipper.reofferedAt, 1);
});
