import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { runRialto, startNode, type CommandResult } from '../support/node.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');
const base = mkdtempSync(join(tmpdir(), 'rialto-refusals-'));
after(() => rmSync(base, { recursive: true }));

/** A start that must not come far, on ports of its own. */
function start(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const ports = [
    ...['control', 'exchange', 'tracker'].map((role) => `--${role}-port=0`),
    '--host=127.0.0.1',
    '--workers=1',
  ];
  return runRialto(['start', `--data=${join(base, name)}`, ...ports, ...args], env);
}

function assertRefused(
  result: CommandResult,
  code: number,
  ...lines: readonly (string | RegExp)[]
): void {
  const written = result.stderr.split('\n').slice(0, -1);
  assert.equal(written.length, lines.length, result.stderr);
  for (const [index, line] of lines.entries()) {
    if (typeof line === 'string') assert.equal(written[index], line);
    else assert.match(written[index] ?? '', line);
  }
  assert.equal(result.stdout, '');
  assert.equal(result.code, code);
}

test('a data directory that a running node holds is refused with the process that holds it', async (t) => {
  const node = await startNode({ t });
  assertRefused(
    await runRialto(['start', '--data', node.dataDirectory]),
    1,
    `The data directory ${node.dataDirectory} is in use by process ${node.pid}; stop it or choose another with --data (RIALTO_DATA).`,
  );
  assert.equal((await fetch(`${node.urls.control}/readyz`)).status, 200);
});

test('a port in use is refused with the option and the variable that change it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  assertRefused(
    await start('port', [`--exchange-port=${address.port}`]),
    1,
    `Port ${address.port} is already in use; choose another with --exchange-port (RIALTO_EXCHANGE_PORT).`,
  );
  server.close();
});

test('an unknown option or command is refused with the nearest known one', async () => {
  assertRefused(
    await runRialto(['start', '--wrokers', '2']),
    2,
    "Unknown option '--wrokers'. (Did you mean --workers?)",
  );
  assertRefused(await runRialto(['strat']), 2, "Unknown command 'strat'. (Did you mean start?)");
  assertRefused(
    await runRialto(['start', '--zzz']),
    2,
    "Unknown option '--zzz'; see rialto start --help.",
  );
  assertRefused(
    await runRialto(['start', '--data']),
    2,
    /^Option '--data <DIR>' argument missing; see/,
  );
  assertRefused(await runRialto(['start', 'now']), 2, /^Too many arguments/);
  assertRefused(await runRialto(['apply']), 2, /^Missing required argument 'FILE'/);
});

test('all wrong settings are told together', async () => {
  assertRefused(
    await runRialto(['start', '--workers', 'x', '--control-port', '70000'], { RIALTO_HOST: 'me' }),
    2,
    '--workers is "x", but must be a number from 1 to 256, or auto',
    'RIALTO_HOST is "me", but must be an IP address such as 0.0.0.0 or 127.0.0.1',
    '--control-port is "70000", but must be a number from 0 to 65535',
  );
});

test('a role that does not exist is refused with those that do', async () => {
  assertRefused(
    await runRialto(['start', '--roles', 'exchange,bidder']),
    2,
    '--roles is "exchange,bidder", but must be among control, courier, tracker, exchange, and "bidder" is none of them',
  );
});

test('a role is not started by hand', async () => {
  assertRefused(
    await runRialto(['role', 'exchange', '0']),
    1,
    'The exchange role is started by "rialto start", not by hand.',
  );
  assertRefused(await runRialto(['role', 'bidder']), 1, 'There is no role "bidder".');
});

test('bad YAML ends the start with its line, and leaves no process', async () => {
  const file = join(base, 'bad.yaml');
  writeFileSync(file, 'exchange:\n  name: Rialto\n bad: [\n');
  const result = await start('yaml', [`--apply=${file}`]);
  assert.equal(result.code, 1);
  assert.match(result.stderr, /bad\.yaml:\d+ \S/);
  assert.doesNotMatch(result.stdout, /ready/);
});

test('a file with several mistakes ends the start with all of them, and applies nothing', async () => {
  const file = join(base, 'mistakes.yaml');
  writeFileSync(file, 'exchange: { name: 7 }\npublishers:\n  - { id: x, nmae: Planet }\n');
  const result = await start('mistakes', [`--apply=${file}`]);
  assert.equal(result.code, 1);
  const lines = result.stderr.trim().split('\n');
  assert.ok(lines.length >= 3, result.stderr);
  for (const line of lines) assert.match(line, /mistakes\.yaml:[13] (exchange|publishers)\S*: \S/);

  const applied = await runRialto(['apply', file, '--data', join(base, 'mistakes')]);
  assert.deepEqual(applied.stderr.trim().split('\n'), lines);
  assert.equal(applied.code, 1);
});

test('a file that is not there is told by name', async () => {
  const file = join(base, 'missing.yaml');
  const expected = new RegExp(`^The configuration file ${file} cannot be read: ENOENT`);
  assertRefused(await start('missing', [`--apply=${file}`]), 1, expected);
  assert.equal(existsSync(join(base, 'missing')), false, 'nothing has been started or made');
  const applied = await runRialto(['apply', file, '--data', join(base, 'missing')]);
  assertRefused(applied, 1, expected);
});

test('a data directory that cannot be made is told, also below /proc', async () => {
  const expected =
    /^The data directory \/proc\/rialto\/data cannot be used \((ENOENT|EROFS): .*; choose another/;
  assertRefused(await runRialto(['start', '--data=/proc/rialto/data']), 1, expected);
  const applied = await runRialto(['apply', EXAMPLE, '--data', '/proc/rialto/data']);
  assertRefused(
    applied,
    1,
    /^The configuration store is not usable: (ENOENT|EROFS): .*\/proc\/rialto/,
  );
});

test('a store that is no database ends the start with one line', async () => {
  const directory = join(base, 'broken');
  await runRialto(['apply', EXAMPLE, '--data', directory]);
  writeFileSync(join(directory, 'configuration.sqlite'), 'this is no database, though long enough');
  for (const suffix of ['-wal', '-shm']) {
    rmSync(join(directory, `configuration.sqlite${suffix}`), { force: true });
  }
  const expected =
    /^The configuration store is not usable: .*configuration\.sqlite.*not a database/;
  assertRefused(await start('broken'), 1, expected);
  assertRefused(await runRialto(['apply', EXAMPLE, '--data', directory]), 1, expected);
});

test('the version is that of the package, and no failure', async () => {
  const { code, stdout, stderr } = await runRialto(['--version']);
  assert.deepEqual([code, stdout, stderr], [0, `${packageJson.version}\n`, '']);
});

test('help tells every option with its variable', async () => {
  const { code, stdout } = await runRialto(['start', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /--exchange-port <PORT>.*\n?.*default: 8081.*\n?.*RIALTO_EXCHANGE_PORT/);
  const bare = await runRialto([]);
  assert.equal(bare.code, 2);
  assert.match(bare.stderr, /apply .*FILE/);
  assert.equal(existsSync(join(process.cwd(), 'data', 'supervisor.pid')), false);
});
