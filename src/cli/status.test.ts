import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openCli, startFakeControl } from '../../test/support/cli.ts';
import { attentionOf } from './node-figures.ts';

const NODE = {
  id: '0123456789abcdef',
  host: 'machine-1\u001b[2J',
  version: '0.1.0',
  age_seconds: 1.25,
  snapshot: 'a3f1.13',
  processes: [{ role: 'exchange', pid: 4711, cpu_seconds: 12, resident_bytes: 96_400_000 }],
  journal: { backlog_bytes: 10, backlog_seconds: 42, disk_bytes: 7 },
  notices: { pending: { win: 2, billing: 1, loss: 14 }, oldest_seconds: 0.5 },
};
const SILENT = {
  code: 'node_silent',
  node: NODE.id,
  message: 'Node x is silent.',
  action: 'Look.',
};

test('a server tells of its nodes, and the exit code whether something needs attention', async (t) => {
  let attention: object[] = [];
  const control = await startFakeControl(t, ({ url }) =>
    url === '/api/status/'
      ? { body: { control: { snapshot: 'a3f1.13', analytics: 'open' }, nodes: [NODE], attention } }
      : null,
  );
  const { cli } = openCli(t);
  const environment = { RIALTO_URL: control.url, RIALTO_TOKEN: 'x' };
  const well = await cli(['status'], environment);
  assert.equal(well.code, 0);
  assert.match(
    well.stdout,
    /machine-1\\u\{1b\}\[2J +0\.1\.0 +a3f1\.13 +1\.3 s ago +42 s +3 +0\.5 s\n/,
  );
  assert.match(well.stdout, /\n0123456789abcdef +exchange +4711 +96 MB +12 s\n/);
  assert.match(well.stdout, /All is well\.\n$/);
  attention = [SILENT];
  const ill = await cli(['status'], environment);
  assert.equal(ill.code, 1);
  assert.match(ill.stdout, /Needs attention:\n- Node x is silent\.\n {2}Look\.\n$/);
  const json = JSON.parse((await cli(['status', '--json'], environment)).stdout);
  assert.equal(json.nodes[0].journal.disk_bytes, 7, 'all that the server said');
});

const METRICS = `# HELP rialto_node_info Always 1.
rialto_node_info{node="0a",host="a\\"b",version="0.1.0",snapshot="e.3"} 1
rialto_node_silence_seconds{node="0a"} 1.5
rialto_node_backlog_seconds{node="0a"} BACKLOG
rialto_node_backlog_bytes{node="0a"} 5
rialto_node_notices_pending{node="0a",event="win"} 1
rialto_node_notices_pending{role="control",process="0",node="0a",event="billing"} 2
rialto_node_notices_oldest_seconds{node="0a"} 3
rialto_quarantined_records QUARANTINED
`;

/** The ports of a node, of which none runs on the data directory. */
async function node(t: TestContext, figures: { backlog: number; quarantined: number }) {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-status-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const text = METRICS.replace('BACKLOG', String(figures.backlog)).replace(
    'QUARANTINED',
    String(figures.quarantined),
  );
  const headers = { 'content-type': 'text/plain' };
  const control = await startFakeControl(t, () => ({ headers, body: 'ok\n' }));
  const metrics = await startFakeControl(t, ({ url }) => ({
    headers,
    body: url === '/metrics' ? text : 'nothing here\n',
  }));
  const ports = [
    `--control-port=${control.port}`,
    '--exchange-port=0',
    '--tracker-port=0',
    `--metrics-port=${metrics.port}`,
  ];
  const { cli } = openCli(t);
  return () => cli(['status', '--data', directory, '--host', '127.0.0.1', ...ports, '--json']);
}

test("a machine's own node is seen by its ports and by what it says in its metrics", async (t) => {
  const result = await (await node(t, { backlog: 90, quarantined: 2 }))();
  assert.equal(result.code, 1);
  const { roles, nodes, attention } = JSON.parse(result.stdout);
  assert.deepEqual(
    roles.map(({ state }: { state: string }) => state),
    ['ready', 'unknown_port', 'unknown_port'],
  );
  const [{ host, snapshot, journal, notices }] = nodes;
  assert.deepEqual([host, snapshot, journal.backlog_seconds], ['a"b', 'e.3', 90]);
  assert.deepEqual(notices.pending, { win: 1, billing: 2, loss: 0 });
  const said = attention.map(({ message }: { message: string }) => message).join('\n');
  assert.match(said, /no supervisor runs/);
  assert.match(said, /2 records were refused/);
  assert.match(said, /records waiting for 90 s/);
});

test('where nobody answers, the command that starts a node is named', async (t) => {
  const { cli, configHome } = openCli(t);
  const ports = ['--control-port=9', '--exchange-port=9', '--tracker-port=9'];
  const same = await cli(['status', '--data', configHome, ...ports]);
  assert.equal(same.code, 2, 'ports have to differ');
  const silent = ['--control-port=9', '--exchange-port=10', '--tracker-port=11'];
  const { code, stderr } = await cli(['status', '--data', configHome, ...silent]);
  assert.equal(code, 5);
  assert.match(stderr, /^No node runs on .*: start it with rialto start --data /);
});

test('where a supervisor runs and a port is silent, the options that name ports are named', () => {
  const role = {
    role: 'control',
    url: 'http://127.0.0.1:9',
    state: 'silent',
    answer: null,
  } as const;
  const actionOf = (supervisor: number | null) =>
    attentionOf({ supervisor, roles: [role], samples: null, metricsUrl: null }, [])[0]?.action;
  assert.match(
    actionOf(42) ?? '',
    /--control-port, --exchange-port and --tracker-port \(RIALTO_CONTROL_PORT, /,
  );
  assert.equal(actionOf(null), 'Run rialto doctor.');
});
