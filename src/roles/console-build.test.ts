import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { ConsoleBuild } from './console-build.ts';

function openBuild(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-console-build-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const tool = join(folder, 'tool.mjs');
  writeFileSync(tool, script);
  let log = '';
  const logger = pino({ level: 'info' }, { write: (line) => void (log += line) });
  const built = Promise.withResolvers<void>();
  const build = new ConsoleBuild({ logger, onBuilt: built.resolve, tool, beginAfterMs: 0 });
  t.after(() => build.stop());
  return { build, built: built.promise, log: () => log };
}

test('a build that is done is told, and nothing is logged', async (t) => {
  const { build, built, log } = openBuild(t, `if (process.argv[2] !== '--background') throw 1;`);
  assert.deepEqual(build.state, { state: 'building' });
  build.start();
  await built;
  assert.deepEqual(build.state, { state: 'idle' });
  assert.equal(log(), '');
});

test('of a build that fails the last lines are kept, without colours and without the place of the checkout', async (t) => {
  const root = join(import.meta.dirname, '../..');
  const { build, built, log } = openBuild(
    t,
    `for (let line = 1; line <= 30; line += 1) console.log('line ' + line);
     console.log('\\u001b[31m${root}/console/src/main.tsx is wrong\\u001b[0m\\n');
     process.exitCode = 1;`,
  );
  build.start();
  await built;
  assert.ok(build.state.state === 'failed');
  assert.equal(build.state.lines.length, 20);
  assert.equal(build.state.lines.at(-1), 'console/src/main.tsx is wrong');
  assert.match(log(), /could not be built; the exchange goes on/);
});

test('a build that is killed takes along what it has started', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { build } = openBuild(
    t,
    `import { spawn } from 'node:child_process';
     import { createServer } from 'node:net';
     createServer().listen(0, '127.0.0.1');
     const script = "setTimeout(() => process.exit(), 600_000); require('node:net').connect(${port}, '127.0.0.1')";
     spawn(process.execPath, ['-e', script], { stdio: 'inherit' });`,
  );
  build.start();
  const [socket]: Socket[] = await once(server, 'connection');
  assert.ok(socket !== undefined);
  socket.on('error', () => {}).resume();
  const closed = once(socket, 'close');
  // By itself it ends long after this test has to.
  await Promise.all([build.stop(), closed]);
});

test('a script that says nothing fails with how it ended', async (t) => {
  const { build, built } = openBuild(t, `process.kill(process.pid, 'SIGKILL');`);
  build.start();
  await built;
  assert.deepEqual(build.state, { state: 'failed', lines: ['it ended with SIGKILL'] });
});

for (const [name, script] of [
  [
    'a build ends when the node does',
    `process.stdin.once('close', () => process.exit(1)).resume();`,
  ],
  ['a build that does not end is killed', ''],
]) {
  test(String(name), async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { build, log } = openBuild(
      t,
      `import { connect } from 'node:net';
       connect(${port}, '127.0.0.1');
       ${script}`,
    );
    build.start();
    const [socket]: Socket[] = await once(server, 'connection');
    assert.ok(socket !== undefined);
    socket.on('error', () => {}).resume();
    const closed = once(socket, 'close');
    await Promise.all([build.stop(), closed]);
    assert.deepEqual(build.state, { state: 'building' });
    assert.equal(log(), '');
    build.start();
  });
}
