import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ROLE_NAMES } from '../../src/settings/settings.ts';
import { copyAnalytics } from '../support/analytics-store.ts';
import { assertWithin } from '../support/effort.ts';
import { runRialto, startNode, type StartedNode } from '../support/node.ts';
import { stillRunning } from '../support/processes.ts';
import { patienceMs, until } from '../support/wait.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs(5_000)) });
  await response.body?.cancel();
  return response.status;
}

/** Waits until a role runs in processes other than the given ones, and answers where it has a port. */
async function replaced(
  node: StartedNode,
  role: (typeof ROLE_NAMES)[number],
  old: readonly number[],
): Promise<readonly number[]> {
  const pids = await until(`${role} runs again`, 10_000, () => {
    const now = node.pids(role);
    return now.length === old.length && now.every((pid) => !old.includes(pid)) && now;
  });
  if (role !== 'courier') {
    assert.equal(await statusOf(`${node.urls[role]}/livez`), 200);
  }
  return pids;
}

/** Asks again and again, each time on a new connection. */
function startClient(url: string) {
  const state = { asking: true, answers: 0, failures: new Array<unknown>() };
  const running = (async () => {
    while (state.asking) {
      try {
        const signal = AbortSignal.timeout(patienceMs(5_000));
        const response = await fetch(url, { headers: { connection: 'close' }, signal });
        assert.equal(await response.text(), 'ok\n');
        state.answers += 1;
      } catch (error) {
        state.failures.push(error);
      }
    }
    return state;
  })();
  return {
    stop: () => {
      state.asking = false;
      return running;
    },
  };
}

let sharing: Promise<StartedNode> | undefined;
after(() => sharing?.then((node) => node.stop()));

/** One node with two exchange processes, for the tests that leave it running. */
function sharedNode(t: TestContext): Promise<StartedNode> {
  sharing ??= startNode({ file: EXAMPLE, args: ['--workers', '2'] });
  t.after(async () => {
    if (!t.passed) console.error(`The node wrote:\n${(await sharing)?.output()}`);
  });
  return sharing;
}

/** One that a test has left for the next that ends a node, with its directory. */
let spare: StartedNode | undefined;
const base = mkdtempSync(join(tmpdir(), 'rialto-supervisor-'));
after(async () => {
  await spare?.stop();
  rmSync(base, { recursive: true });
});

/** A node that the test may end as it likes. */
async function nodeToEnd(t: TestContext): Promise<StartedNode> {
  const node = spare ?? (await startNode({ file: EXAMPLE, dataDirectory: await makeDirectory() }));
  spare = undefined;
  showWhenFailed(t, node);
  return node;
}

/** With an empty analytics store, which would take long to make. */
async function makeDirectory(): Promise<string> {
  const dataDirectory = mkdtempSync(join(base, 'node-'));
  await copyAnalytics(join(dataDirectory, 'analytics'));
  return dataDirectory;
}

function showWhenFailed(t: TestContext, node: StartedNode): void {
  t.after(async () => {
    if (spare !== node) await node.stop();
    if (!t.passed) console.error(`The node wrote:\n${node.output()}`);
  });
}

test('a node starts with the example file, is ready when it says so, logs JSON lines, and ends with 0', async (t) => {
  const node = await startNode({ t, file: EXAMPLE, env: { RIALTO_LOG_LEVEL: 'debug' } });
  for (const url of [node.urls.exchange, node.urls.tracker, node.urls.control]) {
    assert.equal(await statusOf(`${url}/livez`), 200);
    assert.equal(await statusOf(`${url}/readyz`), 200);
  }
  // The console, or that it is not built: tests build none.
  const page = await fetch(`${node.urls.control}/`);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none';/);
  await page.body?.cancel();
  for (const role of ROLE_NAMES) {
    const [process] = stillRunning(node.pids(role));
    assert.match(process?.command ?? '', new RegExp(`src/main\\.ts role ${role} 0$`));
  }
  const pidFile = join(node.dataDirectory, 'supervisor.pid');
  assert.equal(readFileSync(pidFile, 'utf8'), `${node.pid}\n`);
  assert.match(
    node.output(),
    /Rialto is ready\.\n {2}exchange {2}http:\/\/localhost:\d+\/openrtb2\/auction/,
  );
  assert.equal(statSync(node.dataDirectory).mode & 0o077, 0);
  assert.equal(statSync(join(node.dataDirectory, 'secrets/internal')).mode & 0o777, 0o600);

  const secret = readFileSync(join(node.dataDirectory, 'secrets/internal'), 'utf8').trim();

  const stopMs = performance.now();
  assert.deepEqual(await node.stop(), { code: 0, signal: null });
  assertWithin(performance.now() - stopMs, 5_500);

  const lines = node
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  assert.ok(lines.length > 5);
  for (const line of lines) {
    const { level, pid, role, msg } = JSON.parse(line);
    assert.ok(level && pid && role && msg, line);
  }
  assert.ok(!node.output().includes(secret));
});

test('a role that is killed is started again and counted, and the file is not applied again', async (t) => {
  const node = await sharedNode(t);
  assert.equal(node.pids('exchange').length, 2);
  for (const role of ROLE_NAMES) {
    await replaced(node, role, node.kill(role));
  }
  const metrics = await until('both exchange processes are counted', 5_000, async () => {
    const response = await fetch(node.urls.metrics);
    const text = await response.text();
    return [0, 1].every((worker) =>
      text.includes(`rialto_processes{role="exchange",process="${worker}"} 1\n`),
    )
      ? text
      : false;
  });
  assert.match(metrics, /^rialto_process_restarts_total\{role="exchange"\} 2$/m);
  assert.match(metrics, /^process_cpu_seconds_total\{role="exchange",process="1"\} \d/m);
  assert.match(
    metrics,
    /^rialto_snapshot_compilations_total\{role="control",process="0",result="ok"\} 1$/m,
  );
  for (const role of ['control', 'courier', 'tracker']) {
    assert.ok(metrics.includes(`\nrialto_process_restarts_total{role="${role}"} 1\n`), role);
  }
  const { control, exchange, tracker } = node.urls;
  for (const url of [control, exchange, tracker]) {
    assert.equal((await fetch(`${url}/metrics`)).status, 404, 'strangers learn nothing');
  }
  // The file is for the first start: what was changed since is not undone by a crash.
  assert.equal(node.output().match(/configuration file applied/g)?.length, 1);
});

test('the status shows every process of the node with what it uses', async (t) => {
  const node = await sharedNode(t);
  const running = [
    ['supervisor', node.pid],
    ...ROLE_NAMES.flatMap((role) => node.pids(role).map((pid) => [role, pid])),
  ];
  assert.equal(running.length, 6);
  const application = { RIALTO_CLIENT_ID: 'ops', RIALTO_CLIENT_SECRET: 'ops-secret' };
  const processes = await until('all processes are told of', 15_000, async () => {
    const args = ['status', '--json', '--url', node.urls.control];
    const { stdout } = await runRialto(args, application);
    // Nothing is said as long as control does not answer.
    const [told] = stdout === '' ? [] : JSON.parse(stdout).nodes;
    return told?.processes.length === running.length && told.processes;
  });
  for (const { role, pid, resident_bytes: memory, cpu_seconds: cpu } of processes) {
    assert.ok(running.some(([name, id]) => name === role && id === pid));
    assert.ok(memory > 1e7 && cpu > 0);
  }
});

test('the children of a supervisor that is killed end by themselves within five seconds', async (t) => {
  const node = await nodeToEnd(t);
  const children = ROLE_NAMES.flatMap((role) => node.pids(role));
  assert.equal(children.length, ROLE_NAMES.length);
  node.kill('supervisor');
  await node.exited;
  const startMs = performance.now();
  await until('all children are gone', 5_000, () => stillRunning(children).length === 0);
  t.diagnostic(`gone after ${Math.round(performance.now() - startMs)} ms`);

  const again = await startNode({ dataDirectory: node.dataDirectory });
  showWhenFailed(t, again);
  assert.equal(await statusOf(`${again.urls.exchange}/readyz`), 200);
  spare = again;
});

test('a node that starts while its predecessor’s children are ending waits for their ports', async (t) => {
  const node = await nodeToEnd(t);
  const { port } = new URL(node.urls.exchange);
  node.kill('supervisor');
  const again = await startNode({
    dataDirectory: node.dataDirectory,
    args: ['--exchange-port', port],
  });
  showWhenFailed(t, again);
  assert.equal(again.urls.exchange, node.urls.exchange);
  spare = again;
});

test('restarts on request refuse no connection', async (t) => {
  const node = await sharedNode(t);
  const client = startClient(`${node.urls.exchange}/livez`);
  t.after(() => client.stop());
  // One signal to the supervisor, one to the process itself, as operators and service managers do.
  let pids = node.pids('exchange');
  node.kill('supervisor', 'SIGUSR2');
  pids = await replaced(node, 'exchange', pids);
  node.kill('exchange', 'SIGTERM');
  await replaced(node, 'exchange', pids);
  const { answers, failures } = await client.stop();
  assert.deepEqual(failures, []);
  assert.ok(answers > 10, `${answers} answers`);
  assert.equal(await statusOf(`${node.urls.exchange}/readyz`), 200);
});

test('a hang-up replaces every role, one after the other', async (t) => {
  const node = await sharedNode(t);
  const written = node.output().length;
  const before = new Map(ROLE_NAMES.map((role) => [role, node.pids(role)]));
  node.kill('supervisor', 'SIGHUP');
  for (const [role, pids] of before) await replaced(node, role, pids);
  assert.doesNotMatch(node.output().slice(written), /"level":"(error|fatal)"/);
});

test('a second signal ends the node at once, one that follows closely is the same', async (t) => {
  const node = await nodeToEnd(t);
  node.kill('supervisor', 'SIGINT');
  node.kill('supervisor', 'SIGINT');
  assert.deepEqual(await node.exited, { code: 0, signal: null });

  const stuck = await nodeToEnd(t);
  stuck.kill('courier', 'SIGSTOP');
  stuck.kill('supervisor', 'SIGTERM');
  await until('it stops the others', 5_000, () => stuck.pids('exchange').length === 0);
  // What follows the first signal within half a second is the same key press.
  await delay(600);
  const startMs = performance.now();
  stuck.kill('supervisor', 'SIGTERM');
  assert.deepEqual(await stuck.exited, { code: 1, signal: null });
  assertWithin(performance.now() - startMs, 1_000);
});

test('a process that does not drain is killed, and the node still ends within about five seconds', async (t) => {
  // The last test: the others need the shared node no more.
  const node = await sharedNode(t);
  for (const role of ROLE_NAMES) node.kill(role, 'SIGSTOP');
  const startMs = performance.now();
  node.kill('supervisor', 'SIGTERM');
  assert.deepEqual(await node.exited, { code: 0, signal: null });
  const tookMs = performance.now() - startMs;
  t.diagnostic(`ended after ${Math.round(tookMs)} ms`);
  assertWithin(tookMs, 6_500);
});
