import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openJournal } from '../../src/journal/journal.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { runRialto } from '../support/node.ts';
import { until } from '../support/wait.ts';

test('a damaged line and a refused record are found, named and held, and all else is loaded', async (t) => {
  const exchange = await startExchange({ t });
  const { dataDirectory } = exchange.node;
  const place = ['--data', dataDirectory];
  await exchange.ask(bannerRequest({ id: 'one' }));
  const [record] = await exchange.records();
  assert.ok(record !== undefined);
  // Another process of the node, whose last segment is damaged before it is seen.
  const directory = join(dataDirectory, 'journal');
  const before = new Set(readdirSync(directory));
  exchange.node.kill('courier', 'SIGSTOP');
  const journal = openJournal({
    directory,
    stream: 'money',
    writer: 'exchange',
    now: Date.now,
  });
  for (const n of [1, 2, 3, 4]) {
    const kind = n === 2 ? 'sale' : 'auction';
    journal.append(JSON.stringify({ ...record, kind, auction_id: `${n}`.repeat(32) }));
  }
  journal.close();
  const name = readdirSync(directory).find((each) => !before.has(each)) ?? '';
  const text = readFileSync(join(directory, name), 'utf8');
  writeFileSync(join(directory, name), text.replace('3'.repeat(32), '7'.repeat(32)));
  exchange.node.kill('courier', 'SIGCONT');

  const { entries } = await until('it is held', 20_000, async () => {
    const { stdout } = await runRialto(['quarantine', 'list', '--json', ...place]);
    const listed = JSON.parse(stdout === '' ? '{"entries":[]}' : stdout);
    return listed.entries[0]?.refused_records > 0 && listed;
  });
  assert.equal(entries.length, 1);
  const [{ id, refused_records: refused, damaged_places: damaged, missing_records: lost }] =
    entries;
  assert.deepEqual([refused, damaged, lost], [1, 1, 1]);
  const shown = await runRialto(['quarantine', 'show', id, ...place]);
  assert.match(shown.stdout, new RegExp(`1 refused, ${name}, bytes .*kind_is_known`));
  assert.match(shown.stdout, new RegExp(`1 lost, ${name}, bytes .*the journal is damaged here`));
  assert.match(shown.stdout, /7{32}/);

  const compared = await runRialto(['reconcile', ...place]);
  assert.equal(compared.stderr, '');
  assert.match(compared.stdout, new RegExp(`${name}, bytes .*in quarantine`));
  assert.match(compared.stdout, /1 damaged places with 1 records/);
  const retried = await runRialto(['quarantine', 'retry', id, ...place]);
  assert.match(retried.stdout, /^0 records are loaded; 1 refused records and 1 damaged places/);
  const dropped = await runRialto(['quarantine', 'drop', id, '--json', ...place]);
  assert.equal(JSON.parse(dropped.stdout).id, id);
  assert.match((await runRialto(['quarantine', ...place])).stdout, /^Nothing is in quarantine/);
  assert.equal((await runRialto(['quarantine', 'show', id, ...place])).code, 4);
  assert.equal((await runRialto(['quarantine', 'show', 'all', ...place])).code, 2);
});
