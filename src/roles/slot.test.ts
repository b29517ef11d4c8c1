import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { CommandError } from '../base/errors.ts';

import type { Ending, SlotProcess } from './slot-process.ts';
import { Slot } from './slot.ts';

const CRASH: Ending = { code: 1, signal: null, failure: null };

/** A process that does what the test says. */
class FakeProcess implements SlotProcess {
  readonly role = 'exchange';
  readonly worker = 0;
  readonly #ready = Promise.withResolvers<boolean>();
  readonly #ended = Promise.withResolvers<Ending>();
  readonly ready = this.#ready.promise;
  readonly ended = this.#ended.promise;
  lifeMs = 0;
  begun = false;
  drained = false;

  begin(): void {
    this.begun = true;
  }

  becomeReady(): void {
    this.#ready.resolve(true);
  }

  end(ending: Ending): void {
    this.#ready.resolve(false);
    this.#ended.resolve(ending);
  }

  drain(): Promise<Ending> {
    this.drained = true;
    this.end({ code: 0, signal: null, failure: null });
    return this.ended;
  }

  kill(): void {
    this.end({ code: null, signal: 'SIGKILL', failure: null });
  }
}

function fakeSlot(overlaps = true) {
  const spawned: FakeProcess[] = [];
  const slot = new Slot({
    spawn: () => {
      const child = new FakeProcess();
      spawned.push(child);
      return child;
    },
    overlaps,
    logger: pino({ level: 'silent' }),
  });
  const at = (index: number): FakeProcess => {
    const child = spawned.at(index);
    assert.ok(child !== undefined, `process ${index} was not spawned`);
    return child;
  };
  const waitFor = async (count: number): Promise<FakeProcess> => {
    for (let waits = 0; spawned.length < count && waits < 200; waits += 1) await delay(5);
    return at(count - 1);
  };
  const started = async (): Promise<FakeProcess> => {
    const starting = slot.start();
    at(0).becomeReady();
    await starting;
    return at(0);
  };
  return { slot, spawned, at, waitFor, started };
}

test('a process that was prepared is the first to start, and waits until then', async () => {
  const { slot, spawned, at } = fakeSlot();
  slot.prepare();
  assert.equal(at(0).begun, false);
  const starting = slot.start();
  assert.equal(at(0).begun, true);
  at(0).becomeReady();
  await starting;
  assert.equal(spawned.length, 1);
  await slot.stop(100);
});

test('a process that was prepared and never started is stopped as well', async () => {
  const { slot, at } = fakeSlot();
  slot.prepare();
  await slot.stop(100);
  assert.equal(at(0).drained, true);
  assert.deepEqual(slot.children, []);
});

test('a process that ends by itself is started again, and counted', async () => {
  const { slot, spawned, waitFor, started } = fakeSlot();
  (await started()).end(CRASH);
  const second = await waitFor(2);
  assert.equal(slot.restarts, 1);
  assert.ok(slot.isCurrent(second));
  assert.deepEqual(slot.children, [second]);
  await slot.stop(100);
  assert.equal(spawned.length, 2);
});

test('the waits before restarts double until a process has lived long enough', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { slot, spawned, at, started } = fakeSlot();
  const waitAfter = async (lifeMs: number): Promise<number> => {
    const last = at(-1);
    const count = spawned.length;
    last.lifeMs = lifeMs;
    last.end(CRASH);
    await new Promise(setImmediate);
    let waitedMs = 0;
    for (; spawned.length === count && waitedMs < 10_000; waitedMs += 1) t.mock.timers.tick(1);
    return waitedMs;
  };
  await started();
  const waits = [await waitAfter(0), await waitAfter(0), await waitAfter(31_000)];
  assert.deepEqual(waits, [100, 200, 100]);
  await slot.stop(100);
});

test('a replacement is ready before the old process is drained', async () => {
  const { slot, waitFor, started } = fakeSlot();
  const old = await started();
  const replacing = slot.replace();
  const next = await waitFor(2);
  await new Promise(setImmediate);
  assert.equal(old.drained, false);
  assert.ok(slot.isCurrent(old));
  next.becomeReady();
  await replacing;
  assert.equal(old.drained, true);
  assert.ok(slot.isCurrent(next));
  assert.equal(slot.restarts, 0);
  await slot.stop(100);
});

test('a role that must be alone is drained before its replacement starts', async () => {
  const { slot, spawned, waitFor, started } = fakeSlot(false);
  const old = await started();
  const drain = old.drain.bind(old);
  old.drain = () => {
    assert.equal(spawned.length, 1);
    return drain();
  };
  const replacing = slot.replace();
  (await waitFor(2)).becomeReady();
  await replacing;
  assert.equal(slot.children.length, 1);
  await slot.stop(100);
});

test('the old process stays when its replacement does not start', async () => {
  const { slot, waitFor, started } = fakeSlot();
  const old = await started();
  const replacing = slot.replace();
  (await waitFor(2)).end(CRASH);
  await replacing;
  assert.equal(old.drained, false);
  assert.ok(slot.isCurrent(old));
  await slot.stop(100);
});

for (const overlaps of [true, false]) {
  test(`a place whose old and new process both ended is filled again (overlaps: ${overlaps})`, async () => {
    const { slot, waitFor, started } = fakeSlot(overlaps);
    const old = await started();
    const replacing = slot.replace();
    old.end(CRASH);
    (await waitFor(2)).end(CRASH);
    await replacing;
    const third = await waitFor(3);
    assert.ok(slot.isCurrent(third));
    await slot.stop(100);
  });
}

test('two calls for a replacement at the same time are one', async () => {
  const { slot, spawned, waitFor, started } = fakeSlot();
  await started();
  const both = [slot.replace(), slot.replace()];
  (await waitFor(2)).becomeReady();
  await Promise.all(both);
  assert.equal(spawned.length, 2);
  await slot.stop(100);
});

test('a role that ends before it is ready three times in a row is given up with its reason', async () => {
  const { slot, waitFor } = fakeSlot();
  const starting = slot.start();
  const failure = { reason: 'listen EADDRINUSE', final: false };
  for (const count of [1, 2, 3]) (await waitFor(count)).end({ ...CRASH, failure });
  await assert.rejects(
    starting,
    new CommandError('The exchange role does not start: listen EADDRINUSE.'),
  );
});

test('a failure that trying again would not change ends the start at once', async () => {
  const { slot, spawned, at } = fakeSlot();
  const starting = slot.start();
  at(0).end({ ...CRASH, failure: { reason: 'f.yaml:3 name: is missing', final: true } });
  await assert.rejects(starting, new CommandError('f.yaml:3 name: is missing'));
  assert.equal(spawned.length, 1);
});

test('a role that the node can do without is tried again after it failed, as often as it takes', async () => {
  const { slot, spawned, at, waitFor } = fakeSlot();
  const starting = slot.startOptional(10_000);
  at(0).end({ ...CRASH, failure: { reason: 'the store is away', final: false } });
  assert.equal(await starting, false);
  for (const count of [2, 3, 4]) (await waitFor(count)).end(CRASH);
  const last = await waitFor(5);
  last.becomeReady();
  assert.ok(slot.isCurrent(last));
  await slot.stop(100);
  assert.equal(spawned.length, 5);
});

test('a role that the node can do without is not waited for longer than said, and stays', async () => {
  const { slot, at } = fakeSlot();
  assert.equal(await slot.startOptional(10), false);
  at(0).becomeReady();
  assert.ok(slot.isCurrent(at(0)));
  await slot.stop(100);
});

test('a role that the node can do without still ends the start by what trying again would not change', async () => {
  const { slot, spawned, at } = fakeSlot();
  const starting = slot.startOptional(10_000);
  at(0).end({ ...CRASH, failure: { reason: 'f.yaml:3 name: is missing', final: true } });
  await assert.rejects(starting, new CommandError('f.yaml:3 name: is missing'));
  await slot.stop(100);
  assert.equal(spawned.length, 1);
});

test('a place that was stopped starts nothing, also when it was about to', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { slot, spawned, started } = fakeSlot();
  (await started()).end(CRASH);
  await new Promise(setImmediate);
  await slot.stop(100);
  await slot.replace();
  t.mock.timers.tick(60_000);
  assert.equal(spawned.length, 1);
});

test('a start that is stopped on its way ends without an error', async () => {
  const { slot, at } = fakeSlot();
  const starting = slot.start();
  await slot.stop(100);
  await starting;
  assert.equal(at(0).drained, true);
});
