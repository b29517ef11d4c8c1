import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { timeOfAuctionId } from '../../src/events/auction-id.ts';
import type { AuctionTrace } from '../../src/events/trace-record.ts';
import { bannerRequest } from '../support/exchange.ts';
import { startShippingNode } from '../support/shipping.ts';
import { until } from '../support/wait.ts';

/** From a win to the store, through every process of a node. */
const SHIPPED_MS = 15_000;
const IFA = 'aebe52e7-03ee-455a-b3c4-e57283966239';

test('the trace of a win is in the store within seconds, whoever is killed on the way', async (t) => {
  const shipping = await startShippingNode(t, []);
  const { node } = shipping;
  const ask = async (more: object): Promise<void> => {
    const body = JSON.stringify(bannerRequest(more));
    const url = `${node.urls.exchange}/openrtb2/auction`;
    const headers = { 'content-type': 'application/json' };
    const answer = await request(url, { method: 'POST', headers, body });
    assert.equal(answer.statusCode, 200, await answer.body.text());
    await answer.body.dump();
  };
  const shipped = async (auctions: number): Promise<void> => {
    const startMs = performance.now();
    await until('every trace is acknowledged', SHIPPED_MS, async () => {
      const { acknowledged } = await readState(node.dataDirectory);
      const journal = join(node.dataDirectory, 'journal');
      let lines = 0;
      for (const [name, { offset }] of Object.entries(acknowledged)) {
        const bytes = await readFile(join(journal, name));
        lines += bytes.subarray(0, offset).toString().split('\n{"kind":"trace"').length - 1;
      }
      return lines >= auctions;
    });
    t.diagnostic(`shipped ${Math.round(performance.now() - startMs)} ms after the last answer`);
  };
  await ask({ id: 'first' });
  await shipped(1);
  node.kill('control', 'SIGKILL');
  await ask({ id: 'second', test: 1, device: { ip: '8.8.8.8', ifa: IFA, ua: 'x' } });
  node.kill('courier', 'SIGKILL');
  await shipped(2);

  const store = await shipping.stopAndOpen();
  const rows = await store.query(
    `SELECT trace.line AS line, money.request_id AS request_id, toUnixTimestamp64Milli(trace.at) AS at_ms
     FROM trace INNER JOIN money ON trace.auction_id = money.auction_id AND money.kind = 'auction'
     WHERE trace.kind = 'trace' ORDER BY trace.at_ms`,
  );
  assert.deepEqual(
    rows.map((row) => row['request_id']),
    ['first', 'second'],
  );
  const [first, second] = rows.map((row): AuctionTrace => JSON.parse(String(row['line'])));
  assert.ok(first !== undefined && second !== undefined);
  for (const trace of [first, second]) {
    const timeMs = timeOfAuctionId(trace.auction_id);
    assert.ok(timeMs !== null && Math.abs(timeMs - trace.at_ms) < 1_000);
    assert.ok(trace.bids.length > 0 && trace.calls.length > 0);
  }
  // Every test keeps its messages, and nobody's ids.
  const [call] = second.calls;
  assert.ok(call !== undefined);
  assert.deepEqual(JSON.parse(call.request).device.ifa, '***');
  assert.deepEqual(JSON.parse(call.request).device.ip, '8.8.8.0');
  assert.ok(call.response.includes('seatbid'));
  assert.ok(!String(rows[1]?.['line']).includes(IFA));
});

async function readState(
  dataDirectory: string,
): Promise<{ acknowledged: Record<string, { offset: number }> }> {
  try {
    return JSON.parse(
      await readFile(join(dataDirectory, 'courier', 'shipping-trace.json'), 'utf8'),
    );
  } catch {
    return { acknowledged: {} };
  }
}
