import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { createDatabase, postgres } from '../../test/support/postgres.ts';
import { until } from '../../test/support/wait.ts';
import { PostgresLeadership } from './postgres-leadership.ts';

const logger = pino({ level: 'silent' });
/** Generous: the machine may be busy with other tests. */
const SOON_MS = 15_000;

/** Controls of one database, each of which can be told whether it is preferred. */
async function controlsOf(t: TestContext) {
  const url = await createDatabase();
  const start = async ({ isPreferred = false } = {}) => {
    const wishes = { isPreferred, looks: 0 };
    const leadership = new PostgresLeadership({
      url,
      isPreferred: () => {
        wishes.looks += 1;
        return wishes.isPreferred;
      },
      logger,
    });
    await leadership.start();
    t.after(() => leadership.stop());
    return { leadership, wishes };
  };
  /** Ends sessions at the server, as a broken line does. */
  const cut = async (): Promise<void> => {
    const server = await postgres();
    await server.run(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 2 and granted`,
    );
  };
  return { start, cut };
}

function leadsSoon({ leadership }: { leadership: PostgresLeadership }): Promise<unknown> {
  return until('it leads', SOON_MS, () => leadership.term !== null);
}

type Control = Awaited<ReturnType<Awaited<ReturnType<typeof controlsOf>>['start']>>;

/** Each of the controls has asked the server again so many times, which it does every half a second. */
async function lookedAgain(controls: readonly Control[], times: number): Promise<void> {
  const from = controls.map(({ wishes }) => wishes.looks);
  await until('they have looked again', 10 * SOON_MS, () =>
    controls.every(({ wishes }, index) => wishes.looks > (from[index] ?? 0) + times),
  );
}

test('one of two leads, and when it stops the other one does', async (t) => {
  const { start } = await controlsOf(t);
  const first = await start();
  const second = await start();
  assert.equal(first.leadership.term, 1);
  assert.equal(second.leadership.term, null);
  await lookedAgain([first, second], 2);
  assert.deepEqual([first.leadership.term, second.leadership.term], [1, null], 'it goes on');
  await first.leadership.stop();
  assert.equal(first.leadership.term, null);
  await leadsSoon(second);
});

test('controls of different databases do not hear of one another', async (t) => {
  const one = await controlsOf(t);
  const other = await controlsOf(t);
  const controls = [await one.start(), await other.start()];
  assert.deepEqual(
    controls.map(({ leadership }) => leadership.term),
    [1, 1],
  );
});

test('a leader that loses its connection stops at once, and may lead again as if for the first time', async (t) => {
  const { start, cut } = await controlsOf(t);
  const first = await start();
  const { looks } = first.wishes;
  await cut();
  await until('it has stopped', SOON_MS, () => first.leadership.term !== 1);
  assert.ok(first.wishes.looks <= looks + 2, 'when it asks the next time, if not before');
  await leadsSoon(first);
  assert.equal(first.leadership.term, 2);
});

test('a leader that does not get to look after its session stops before another one leads', async (t) => {
  const { start } = await controlsOf(t);
  const first = await start();
  assert.equal(first.leadership.term, 1);
  // As a process that is stopped: nothing runs meanwhile, not even what hears of broken lines.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
  assert.equal(first.leadership.term, null, 'before it has heard of anything');
  const second = await start();
  assert.equal(second.leadership.term, 1, 'the server has let go of the silent one');
  await lookedAgain([second], 2);
  assert.equal(first.leadership.term, null);
});

test('a control that nodes report to takes over from one that they do not, and keeps it', async (t) => {
  const { start } = await controlsOf(t);
  const first = await start();
  const second = await start();
  second.wishes.isPreferred = true;
  let both = 0;
  await until('the preferred one leads', SOON_MS, () => {
    if (first.leadership.term !== null && second.leadership.term !== null) both += 1;
    return second.leadership.term !== null;
  });
  first.wishes.isPreferred = true;
  // Longer than who stepped aside stays there.
  await lookedAgain([first, second], 8);
  assert.deepEqual([first.leadership.term, second.leadership.term, both], [null, 1, 0]);
  await second.leadership.stop();
  await leadsSoon(first);
});

test('while the server is away nobody leads, and afterwards one does', async (t) => {
  const { start } = await controlsOf(t);
  const controls = [await start(), await start()];
  const leaders = (): number =>
    controls.filter(({ leadership }) => leadership.term !== null).length;
  const server = await postgres();
  await server.down();
  await until('nobody leads', SOON_MS, () => leaders() === 0);
  const late = await start();
  assert.equal(late.leadership.term, null);
  await server.up();
  controls.push(late);
  await until('one leads', SOON_MS, () => leaders() === 1);
  await lookedAgain(controls, 2);
  assert.equal(leaders(), 1);
});
