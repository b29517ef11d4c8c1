import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { addDays, dateOf } from '../../src/analytics/dates.ts';
import type { ReconcileReport, Section } from '../../src/commands/reconcile-section.ts';
import { createSealer, sendUntilAcknowledged, wonNow } from '../support/beacons.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { runRialto, startNode, type CommandResult } from '../support/node.ts';
import { reconciledWhen } from '../support/reconcile.ts';

const AUCTIONS = 12;
const IMPRESSIONS = 5;

function reportOf({ stdout, stderr }: CommandResult): ReconcileReport {
  assert.notEqual(stdout, '', stderr);
  const report: ReconcileReport = JSON.parse(stdout);
  return report;
}

function figuresOf({ sections }: ReconcileReport, title: string, what: string): string[] {
  const section: Section | undefined = sections.find((each) => each.title.startsWith(title));
  return [...(section?.lines.find((line) => line.what === what)?.figures ?? [])];
}

test('a running node and a stopped one are compared alike, to the end of their records', async (t) => {
  const exchange = await startExchange({ t });
  const { node } = exchange;
  for (let index = 0; index < AUCTIONS; index += 1) await exchange.ask(bannerRequest());
  const seal = createSealer(node);
  const prices = Array.from({ length: IMPRESSIONS }, (_, index) => 1_000_001 + index);
  for (const clearing_micros of prices) {
    const imp = wonNow({ clearing_micros, payout_micros: 800_000, test: 0 });
    await sendUntilAcknowledged(seal({ kind: 'impression', imp }));
  }
  const command = ['reconcile', '--data', node.dataDirectory, '--json'];
  const running = await reconciledWhen(node.dataDirectory, (report) => {
    assert.ok(report.agrees, JSON.stringify(report));
    const [, , stored] = figuresOf(report, 'Journal', 'auctions');
    const [impressions] = figuresOf(report, 'The day', 'impressions');
    return stored === String(AUCTIONS) && impressions === String(IMPRESSIONS);
  });
  const paid = prices.reduce((sum, price) => sum + price, 0);
  assert.deepEqual(figuresOf(running, 'The day', 'gross revenue'), [String(paid)]);
  assert.deepEqual(figuresOf(running, 'Journal', 'impressions, what is paid'), [
    String(paid),
    '0',
    String(paid),
  ]);

  // Not `stop`, which would remove the directory as well.
  node.kill('supervisor', 'SIGTERM');
  await node.exited;
  const stopped = await runRialto(command);
  assert.equal(stopped.code, 0, stopped.stdout + stopped.stderr);
  assert.deepEqual(reportOf(stopped).sections.at(-1), running.sections.at(-1));
  const table = await runRialto(['reconcile', '--data', node.dataDirectory]);
  assert.match(table.stdout, /^Reconciliation of \d{4}-\d{2}-\d{2} \(UTC\)\n/);
  assert.match(table.stdout, /\n {2}auctions +12 +0 +12 {2}agrees\n/);
  assert.match(table.stdout, /\n {2}gross revenue +0\.005000015 USD\n/);
  assert.match(table.stdout, /\nEverything agrees\.\n$/);
});

test('control elsewhere is asked by its address and secret', async (t) => {
  const node = await startNode({ t, args: ['--internal-port=0'] });
  const { url } = JSON.parse(readFileSync(join(node.dataDirectory, 'control.json'), 'utf8'));
  const secret = readFileSync(join(node.dataDirectory, 'secrets/internal'), 'utf8').trim();
  const other = mkdtempSync(join(tmpdir(), 'rialto-other-'));
  t.after(() => rmSync(other, { recursive: true }));
  const command = ['reconcile', '--data', other, '--internal-url', String(url), '--json'];
  const { code, stdout } = await runRialto(command, { RIALTO_INTERNAL_SECRET: secret });
  // It has had no auction yet, which is no agreement.
  assert.equal(code, 4);
  const { node: compared, agrees, isEmpty } = JSON.parse(stdout);
  assert.deepEqual([compared, agrees, isEmpty], ['', true, true]);

  for (const [env, said] of [
    [{}, /^The secret that control asks for is not known: give the content of secrets\/internal/],
    [{ RIALTO_INTERNAL_SECRET: 'x'.repeat(40) }, /^Control does not know this secret/],
  ] as const) {
    const refused = await runRialto(command, env);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, said);
  }
  const gone = ['reconcile', '--data', other, '--internal-url', 'http://127.0.0.1:9'];
  const unreachable = await runRialto(gone, { RIALTO_INTERNAL_SECRET: secret });
  assert.equal(unreachable.code, 5);
  assert.match(unreachable.stderr, /^Control cannot be reached at http:\/\/127\.0\.0\.1:9 .*start/);
});

test('what is damaged is told in a sentence, and never with a stack', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-damaged-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const damages: [string, RegExp][] = [
    // In this order: what is wrong later is not come to before.
    ['courier/shipping.json', /JSON/],
    ['analytics/data', /[Cc]onnection|directory/],
    ['configuration.sqlite', /configuration store is not usable: .*not a database/],
  ];
  mkdirSync(join(directory, 'journal'));
  writeFileSync(join(directory, 'journal/incarnation'), '0123456789abcdef\n');
  mkdirSync(join(directory, 'courier'));
  for (const [path, said] of damages) {
    rmSync(join(directory, 'analytics'), { recursive: true, force: true });
    mkdirSync(join(directory, 'analytics'));
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(directory, `${path}${end}`), { force: true });
    writeFileSync(join(directory, path), 'this is damaged, and long enough to be looked at');
    const { code, stdout, stderr } = await runRialto(['reconcile', '--data', directory]);
    assert.equal(code, 5, `${path}: ${stderr}`);
    assert.match(stderr, said);
    assert.match(stderr, /^[^\n]+\n$/, 'one line');
    assert.equal(stdout, '');
    rmSync(join(directory, path));
  }
});

test('what cannot be compared never ends with 1, and says what to do', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-empty-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const today = dateOf(Date.now());
  const refusals: [string[], RegExp, number?][] = [
    [['--date', '2026-02-30'], /^--date is 2026-02-30; give a day as YYYY-MM-DD\.\n$/],
    [['--date', addDays(today, -13)], /raw records are kept for two weeks: give a day from /],
    [['--date', addDays(today, 1)], new RegExp(`give a day from .* to ${today}\\.\\n$`)],
    [
      [],
      /^No node runs on .*, and it holds no analytics store: name the control of another node/,
      5,
    ],
    [
      ['--data', join(directory, 'none')],
      /^There is no data directory .*name it with --data\.\n$/,
      4,
    ],
    [['--internal-url', 'nowhere'], /^--internal-url is "nowhere", but must be /],
    [['--day', today], /^Unknown option '--day'/],
  ];
  for (const [args, said, code = 2] of refusals) {
    const result = await runRialto(['reconcile', '--data', directory, ...args]);
    assert.equal(result.code, code, args.join(' '));
    assert.match(result.stderr, said);
    assert.equal(result.stdout, '');
  }
});
