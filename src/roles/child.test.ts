import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { readSettings } from '../settings/read-settings.ts';
import { decodeFromChild, type FromChild, type ToChild } from './messages.ts';

const base = mkdtempSync(join(tmpdir(), 'rialto-child-'));
after(() => rmSync(base, { recursive: true }));

/** A role's process whose `start` is the given code; `context`, `CommandError` and `Counter` are at hand. */
async function startChild(t: TestContext, code: string) {
  const script = join(base, `${t.name.replaceAll(/\W+/g, '-')}.mjs`);
  const module = (path: string): string => JSON.stringify(import.meta.resolve(path));
  writeFileSync(
    script,
    `import { runRole } from ${module('./child.ts')};
     import { CommandError } from ${module('../base/errors.ts')};
     import { Counter } from ${module('prom-client')};
     await runRole('exchange', async (context) => { ${code} });`,
  );
  const child = fork(script, { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  const { stdout } = child;
  assert.ok(stdout !== null);
  stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const messages: FromChild[] = [];
  child.on('message', (raw) => messages.push(decodeFromChild(raw)));
  // Not `close`: Node does not emit it once the parent has closed the channel.
  const exited = Promise.all([once(child, 'exit'), once(stdout, 'end')]);
  const send = (message: ToChild): boolean => child.send(message);
  const read = readSettings({ '--data': join(base, 'data') }, {});
  assert.ok(read.ok);
  const { settings } = read;
  send({
    type: 'start',
    role: 'exchange',
    worker: 3,
    settings,
    startsNode: true,
    listenFds: {},
  });
  return {
    child,
    send,
    messages,
    output: () => output,
    code: async (): Promise<unknown> => (await exited)[0][0],
    next: (type: FromChild['type']) => nextOf(child, messages, type),
  };
}

/** The first message of a type that the process sends. */
async function nextOf(
  child: ChildProcess,
  messages: readonly FromChild[],
  type: FromChild['type'],
): Promise<FromChild> {
  for (;;) {
    const found = messages.find((message) => message.type === type);
    if (found !== undefined) return found;
    await once(child, 'message');
  }
}

test('a role is told when the whole node serves', async (t) => {
  const { next, send } = await startChild(
    t,
    `context.onNodeReady(() => context.offerFirstOperator('told'));
     context.ready();`,
  );
  await next('ready');
  send({ type: 'nodeReady' });
  assert.deepEqual(await next('firstOperatorLink'), { type: 'firstOperatorLink', url: 'told' });
});

test('a role gets what it was given and says that it is ready', async (t) => {
  const { next, output, send, code } = await startChild(
    t,
    `context.logger.info({ worker: context.worker, data: context.dataDirectory }, 'here');
     try { context.listenFd } catch (error) { context.logger.info(error.message) }
     context.ready();`,
  );
  await next('ready');
  send({ type: 'drain', withinMs: 1_000 });
  assert.equal(await code(), 0);
  assert.match(output(), /"role":"exchange".*"worker":3.*"msg":"here"/);
  assert.match(output(), /the exchange role has no listening socket/);
});

test('drain handlers run the last one first, each after the other, and the process ends with 0', async (t) => {
  const { next, send, output, code } = await startChild(
    t,
    `for (const name of ['first', 'second']) {
       context.onDrain(async () => {
         await new Promise((resolve) => setTimeout(resolve, 20));
         context.logger.info(name);
       });
     }
     context.ready();`,
  );
  await next('ready');
  send({ type: 'drain', withinMs: 1_000 });
  assert.equal(await code(), 0);
  assert.match(output(), /second[^]*first/);
});

test('reports and leases go both ways, on either side of the supervisor', async (t) => {
  const { next, output, send, code } = await startChild(
    t,
    `context.onLease(({ seq }, inherited) => context.logger.info({ seq, inherited }, 'lease'));
     context.onLeaseReport(({ report }) => {
       context.logger.info({ report }, 'report');
       context.deliverLeases([]);
     });
     await context.reportLease({ process: 'a', report: 1 });
     context.ready();`,
  );
  await next('ready');
  assert.deepEqual(await next('leaseReport'), {
    type: 'leaseReport',
    report: { process: 'a', report: 1 },
  });
  const what = { validForMs: 1, settledMs: 0, baseShare: 1, rates: [], budgets: [] };
  const lease = { process: 'a', report: 1, seq: 7, ...what };
  send({ type: 'lease', lease });
  send({ type: 'inheritedLease', lease: { ...lease, seq: 8 } });
  const who = { process: 'a', worker: 0, report: 5, seq: 0, leaving: 0 as const };
  send({ type: 'leaseReport', report: { ...who, rates: [], budgets: [] } });
  assert.deepEqual(await next('leases'), { type: 'leases', leases: [] });
  send({ type: 'drain', withinMs: 1_000 });
  assert.equal(await code(), 0);
  assert.match(output(), /"seq":7,"inherited":false[^]*"seq":8,"inherited":true/);
  assert.match(output(), /"report":5/);
});

test('a process that does not drain in time ends with 1', async (t) => {
  const { next, send, output, code } = await startChild(
    t,
    `context.onDrain(() => new Promise(() => setInterval(() => {}, 1000)));
     context.ready();`,
  );
  await next('ready');
  send({ type: 'drain', withinMs: 200 });
  assert.equal(await code(), 1);
  assert.match(output(), /did not drain in time/);
});

test('a process whose supervisor is gone drains and ends', async (t) => {
  const { child, next, output, code } = await startChild(
    t,
    `context.onDrain(async () => context.logger.info('drained'));
     context.ready();`,
  );
  await next('ready');
  child.disconnect();
  assert.equal(await code(), 0);
  assert.match(output(), /drained/);
});

test('a signal to the process itself asks for its replacement before it drains', async (t) => {
  const { child, next, send, output, code } = await startChild(
    t,
    `context.onDrain(async () => context.logger.info('drained'));
     context.ready();`,
  );
  await next('ready');
  child.kill('SIGTERM');
  await next('retiring');
  assert.doesNotMatch(output(), /drained/);
  send({ type: 'drain', withinMs: 1_000 });
  assert.equal(await code(), 0);
});

test('a signal that no supervisor acts on ends the process all the same', async (t) => {
  const { child, next, code } = await startChild(t, 'context.ready();');
  await next('ready');
  child.kill('SIGTERM');
  assert.equal(await code(), 0);
});

test('what a terminal sends to the whole group does not end a role', async (t) => {
  const { child, next, send, code } = await startChild(t, 'context.ready();');
  await next('ready');
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) child.kill(signal);
  send({ type: 'metricsWanted', id: 1 });
  const told = await next('metrics');
  assert.ok(told.type === 'metrics' && told.id === 1);
  assert.ok(told.metrics.some((metric) => 'name' in metric && metric.name === 'rialto_processes'));
  send({ type: 'drain', withinMs: 1_000 });
  assert.equal(await code(), 0);
});

test('a refusal to start is told to the supervisor as final, without a stack', async (t) => {
  const { next, output, code } = await startChild(t, `throw new CommandError('f.yaml:3 name');`);
  assert.deepEqual(await next('failed'), { type: 'failed', reason: 'f.yaml:3 name', final: true });
  assert.equal(await code(), 1);
  assert.equal(output(), '');
});

for (const [what, code] of [
  ['thrown by start', `throw new Error('boom');`],
  [
    'nobody caught',
    `setTimeout(() => { throw new Error('boom') }, 1); await new Promise(() => {});`,
  ],
  ['of a promise', `void Promise.reject(new Error('boom')); await new Promise(() => {});`],
] as const) {
  test(`an error ${what} before it is ready is logged, told, and ends the process`, async (t) => {
    const child = await startChild(t, code);
    assert.deepEqual(await child.next('failed'), { type: 'failed', reason: 'boom', final: false });
    assert.equal(await child.code(), 1);
    assert.match(child.output(), /"level":"fatal".*"message":"boom".*"stack"/);
  });
}

test('an error that nobody caught in a process that serves is logged and ends it', async (t) => {
  const { code, output } = await startChild(
    t,
    `context.ready(); setTimeout(() => { throw new Error('boom') }, 20);`,
  );
  assert.equal(await code(), 1);
  assert.match(output(), /"level":"fatal".*"message":"boom"/);
});

test('a process that is to end before its turn to start ends with 0', async () => {
  const script = join(base, 'early.mjs');
  writeFileSync(
    script,
    `import { runRole } from ${JSON.stringify(import.meta.resolve('./child.ts'))};
     await runRole('exchange', () => { throw new Error('not reached'); });`,
  );
  const child = fork(script, { execArgv: [] });
  const message: ToChild = { type: 'drain', withinMs: 1_000 };
  child.send(message);
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
