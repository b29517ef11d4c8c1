import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Audience } from '../../sim/audience.ts';
import { EAGER_BEHAVIOUR } from '../../sim/page.ts';
import { openChdb } from '../../src/adapters/chdb.ts';
import { addDays, dateOf } from '../../src/analytics/dates.ts';
import { exitCodeOf } from '../../src/base/exit-codes.ts';
import type { ReplayReport } from '../../src/cli/replay-report.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { readMoney } from '../support/money.ts';
import { runRialto, type CommandResult } from '../support/node.ts';
import { until } from '../support/wait.ts';

const AUCTIONS = 60;

function reportOf({ stdout, stderr }: CommandResult): ReplayReport {
  assert.notEqual(stdout, '', stderr);
  const report: ReplayReport = JSON.parse(stdout);
  return report;
}

test('all auctions of simulated traffic are decided again as they were, and one that was tampered with is found', async (t) => {
  const exchange = await startExchange({
    t,
    acme: { belowFloorRate: 0.4 },
    bolt: { bidRate: 0.8, markup: 'notice', noticeFaults: { status500: 0.3 } },
    edit: (yaml) => yaml.replace(/^exchange:\n/m, 'exchange:\n  trace_share: 1\n'),
  });
  const { node } = exchange;
  const audience = new Audience({ seed: 'replay', behaviour: EAGER_BEHAVIOUR });
  for (let index = 0; index < AUCTIONS; index += 1) {
    const bidfloor = index % 4 === 0 ? 3 : 0.01;
    const body = bannerRequest({
      id: `request-${index}`,
      imp: [{ id: 'imp-1', tagid: '4001', banner: { w: 320, h: 50 }, bidfloor }],
      test: index % 10 === 9 ? 1 : 0,
    });
    const { status, text } = await exchange.ask(body);
    if (status === 200 && index % 10 !== 9) audience.receive(body, text);
  }
  await audience.settled();

  const { auctions, beacons } = await readMoney(node);
  const counted = auctions.filter((auction) => auction.test === 0);
  const wins = counted.flatMap(({ bids }) => bids.filter((bid) => bid.loss_reason === 0));
  const command = ['replay', '--data', node.dataDirectory, '--json'];
  const running = await until('every auction can be decided again', 30_000, async () => {
    const result = await runRialto(command);
    // Its store is opened a moment after the node serves.
    if (result.code === exitCodeOf('unreachable')) return false;
    const report = reportOf(result);
    const { agreeing, disagreeing } = report.auctions;
    assert.equal(disagreeing, 0, JSON.stringify(report.disagreements));
    const isLoaded = report.recorded.billed === beacons.impression.length;
    return agreeing === counted.length && isLoaded ? { report, result } : false;
  });
  assert.equal(running.result.code, 0);
  const { report } = running;
  assert.equal(report.is_whole, true);
  assert.deepEqual(report.recorded, {
    impressions: counted.length,
    filled: wins.length,
    gross_cpm_micros: String(wins.reduce((sum, bid) => sum + bid.clearing_micros, 0)),
    payout_cpm_micros: String(wins.reduce((sum, bid) => sum + bid.payout_micros, 0)),
    billed: beacons.impression.length,
  });
  assert.ok(wins.length > 0 && wins.length < counted.length, 'some filled, some not');

  // What is paid more at first price, the bids say.
  const first = reportOf(await runRialto([...command, '--auction-type', 'first_price']));
  const bid = wins.reduce((sum, { price_micros }) => sum + price_micros, 0);
  assert.equal(first.replayed.changed.gross_cpm_micros, String(bid));
  assert.equal(first.replayed.changed.filled, wins.length);

  // Not `stop`, which would remove the directory as well.
  node.kill('supervisor', 'SIGTERM');
  await node.exited;
  const stopped = await runRialto(command);
  assert.deepEqual([stopped.code, reportOf(stopped)], [0, report]);

  // At a floor that nobody reaches nothing is sold; without one, what was refused may be.
  const table = ['replay', '--data', node.dataDirectory, '--floor'];
  const high = await runRialto([...table, '10000']);
  assert.equal(high.code, 0, high.stderr);
  assert.match(high.stdout, /\n {2}filled impressions +\d+ +0 +-\d+ \(-100\.0 %\) +0\n/);
  const none = reportOf(await runRialto([...table, '0', '--json']));
  assert.ok(none.replayed.at_most.filled > wins.length, 'bids below the floor of 3 USD enter');
  assert.ok(none.replayed.unchecked_wins > 0);
  assert.equal(none.replayed.changed.filled, wins.length);

  const store = await openChdb({ directory: join(node.dataDirectory, 'analytics') });
  // One that did not pay its bid.
  const won = counted.find(({ bids }) =>
    bids.some((each) => each.loss_reason === 0 && each.clearing_micros < each.price_micros),
  );
  await store.command(
    `ALTER TABLE trace UPDATE line = replaceRegexpOne(line, '"first_price":0', '"first_price":1')
     WHERE auction_id = '${won?.auction_id}' SETTINGS mutations_sync = 1`,
  );
  await store.close();
  const tampered = await runRialto(['replay', '--data', node.dataDirectory]);
  assert.equal(tampered.code, 1);
  assert.match(
    tampered.stdout,
    new RegExp(
      `\n {2}${won?.auction_id}: bid \\d+ of partner \\d+: price recorded as \\d+, decided as \\d+\n`,
    ),
  );
  assert.match(tampered.stdout, /\n1 auction disagrees with the records\.\n$/);
});

test('what cannot be replayed never ends with 1, and says what to do', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-empty-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const today = dateOf(Date.now());
  const refusals: [string[], RegExp, number?][] = [
    [['--from', '2026-02-30'], /^--from is 2026-02-30; give a UTC day as YYYY-MM-DD or a time as /],
    [['--from', addDays(today, -13)], /raw records are kept for two weeks: begin with /],
    [['--from', today, '--to', addDays(today, -1)], /^--to has to be after --from\.\n$/],
    [['--floor', '-1'], /^--floor is -1; give US dollars CPM from 0 to 10000, such as 1\.50\.\n$/],
    [
      ['--auction-type', 'dutch'],
      /^--auction-type is dutch; give first_price or second_price\.\n$/,
    ],
    [['--publisher', 'x'], /^--publisher is x; give the number of one\.\n$/],
    [['--limit', '0'], /^--limit is 0; give a number of auctions from 1 to /],
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
  ];
  for (const [args, said, code = 2] of refusals) {
    const result = await runRialto(['replay', '--data', directory, ...args]);
    assert.equal(result.code, code, args.join(' '));
    assert.match(result.stderr, said);
    assert.equal(result.stdout, '');
  }
});
