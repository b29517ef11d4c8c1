import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import fc from 'fast-check';
import { pino } from 'pino';

import { runs } from '../../test/support/effort.ts';
import { FakeControl, type OfferFate } from '../../test/support/fake-control.ts';
import { until } from '../../test/support/wait.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import { JournalSegments } from './journal-segments.ts';
import { Shipper } from './shipper.ts';

const PACE = { batchAfterMs: 1, lookMs: 1, idleMs: 1, retry: { firstMs: 1, lastMs: 2 } };

/** What becomes of the bytes of a segment between two places. */
const DAMAGES = {
  none: (bytes: Buffer) => bytes,
  flip: (bytes: Buffer, start: number) => {
    const changed = Buffer.from(bytes);
    changed[start] = (changed[start] ?? 0) ^ 1;
    return changed;
  },
  zeros: (bytes: Buffer, start: number, end: number) => Buffer.from(bytes).fill(0, start, end),
  cut: (bytes: Buffer, start: number, end: number) =>
    Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
} as const;

/** A node whose one process has written some records, and its control. */
class Node {
  readonly directory = mkdtempSync(join(tmpdir(), 'rialto-given-up-'));
  readonly journalDirectory = join(this.directory, 'journal');
  readonly control = new FakeControl();
  readonly written: string[] = [];
  readonly #journal: Journal;

  constructor() {
    mkdirSync(this.journalDirectory);
    this.#journal = openJournal({
      directory: this.journalDirectory,
      stream: 'money',
      writer: 'exchange',
      now: () => Date.UTC(2026, 10, 20),
    });
  }

  async write(count: number): Promise<void> {
    const told: Promise<void>[] = [];
    for (let each = 0; each < count; each += 1) {
      const record = JSON.stringify({ n: this.written.length });
      this.written.push(record);
      told.push(new Promise((resolve) => this.#journal.append(record, () => resolve())));
    }
    await Promise.all(told);
  }

  /** Changes what stands in the journal. */
  change(from: string, to: string): void {
    const path = join(this.journalDirectory, this.#segment());
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  }

  /** @param place from the first byte of the segment to its last line, which stays. */
  damage(what: keyof typeof DAMAGES, place: number, length: number): void {
    const path = join(this.journalDirectory, this.#segment());
    const bytes = readFileSync(path);
    const lastLine = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
    const first = what === 'cut' ? bytes.indexOf('\n') + 1 : 0;
    const start = first + Math.floor(place * (lastLine - 1 - first));
    writeFileSync(path, DAMAGES[what](bytes, start, Math.min(start + length, lastLine - 1)));
  }

  #segment(): string {
    return readdirSync(this.journalDirectory).find((name) => name.endsWith('.ndjson')) ?? '';
  }

  async open(): Promise<Shipper> {
    const logger = pino({ level: 'silent' });
    const incarnation = readIncarnation(this.journalDirectory, nodeFs);
    const now = Date.now;
    const { journalDirectory, control } = this;
    const segments = new JournalSegments({ directory: journalDirectory, incarnation, logger, now });
    return Shipper.open({
      stream: 'money',
      dataDirectory: this.directory,
      journalDirectory,
      incarnation,
      segments,
      control,
      logger,
      now,
      pace: PACE,
    });
  }

  /** Ships with a courier that is killed at its first offer, which meets this fate. */
  async shipOnce(fate: OfferFate): Promise<void> {
    this.control.fates = [fate];
    const shipper = await this.open();
    this.control.onOffer = () => void shipper.stop();
    await shipper.run();
    this.control.onOffer = () => {};
    this.control.fates = [];
  }

  async drain(): Promise<void> {
    const shipper = await this.open();
    const running = shipper.run();
    await until('nothing waits', 10_000, async () => (await shipper.figures()).backlogBytes === 0);
    await shipper.stop();
    await running;
  }

  close(): void {
    this.#journal.close();
    this.control.close();
    rmSync(this.directory, { recursive: true });
  }
}

const fate = fc.constantFrom<OfferFate>('lost before', 'lost after', 'killed between');
const damage = fc.constantFrom(...(['none', 'flip', 'zeros', 'cut'] as const));

test('killed before or after the INSERT, with the journal damaged then, each record is loaded once or missing', async () => {
  const property = fc.asyncProperty(
    fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      firstFate: fate,
      what: damage,
      place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      length: fc.integer({ min: 1, max: 200 }),
      again: fc.boolean(),
    }),
    async ({ count, firstFate, what, place, length, again }) => {
      // Cut out of what is acknowledged, bytes move all that is written later out of sight.
      fc.pre(what !== 'cut' || firstFate !== 'lost after');
      const node = new Node();
      try {
        await node.write(count);
        await node.shipOnce(firstFate);
        const before = [...node.control.lines];
        node.damage(what, place, length);
        if (again) await node.shipOnce('killed between');
        await node.write(3);
        await node.drain();
        const { lines, quarantine } = node.control;
        assert.deepEqual([...new Set(lines)], lines, 'nothing is loaded twice');
        assert.ok(
          lines.every((line) => node.written.includes(line)),
          'as it was written',
        );
        const lost = node.written.length - lines.length;
        const { missing, refused } = await quarantine.figures();
        assert.equal(refused, 0);
        if (what === 'none') assert.equal(lost + missing, 0);
        // What had been loaded and cannot be read at all any more is taken for missing.
        assert.ok(missing >= lost && missing <= lost + before.length, `${missing} of ${lost}`);
        if (firstFate === 'lost before') assert.equal(missing, lost);
      } finally {
        node.close();
      }
    },
  );
  await fc.assert(property, { numRuns: runs(12) });
});

test('a price that changed after its record was loaded takes nothing from what is loaded', async () => {
  const node = new Node();
  try {
    await node.write(4);
    await node.shipOnce('killed between');
    node.change('"n":2', '"n":7');
    await node.drain();
    assert.deepEqual(node.control.lines, node.written);
    assert.equal(node.control.givenUp.length, 1);
    assert.equal((await node.control.quarantine.figures()).entries, 0);
    assert.equal(node.control.pending, null);
  } finally {
    node.close();
  }
});

test('a batch that was not loaded is offered without the damaged record', async () => {
  const node = new Node();
  try {
    await node.write(4);
    await node.shipOnce('lost before');
    node.change('"n":2', '"n":7');
    await node.drain();
    assert.equal(node.control.lines.length, 3);
    const [held] = await node.control.quarantine.list();
    assert.deepEqual(
      held?.parts.map(({ cause, missing }) => [cause, missing]),
      [['damaged', 1]],
    );
    const text = (await node.control.quarantine.read(held ?? assert.fail())).toString();
    assert.match(text, /^\{.*"line":\d,"crc":\d+\}\n$/);
  } finally {
    node.close();
  }
});
