import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bannerRequest, type StartedExchange } from '../support/exchange.ts';
import { REPORT_PAUSE_MS, until } from '../support/wait.ts';
import { run, type GeneratedClient } from './generated.ts';

const AUCTIONS = 5;

/** Holds some auctions, and waits until they are in the reports. */
export async function holdAuctions(exchange: StartedExchange): Promise<void> {
  for (let held = 0; held < AUCTIONS; held += 1) {
    // One after the other, so that no limit is in the way.
    // oxlint-disable-next-line no-await-in-loop
    await exchange.ask(bannerRequest());
  }
  const date = today();
  const address = `${exchange.node.urls.control}/reporting/brand/demand?start_date=${date}&end_date=${date}`;
  await until(
    'the auctions are reported',
    15_000,
    async () => {
      const answer = await fetch(`${address}&account_auth_token=acme-report-token`);
      const { data } = JSON.parse(await answer.text());
      return data[0]?.dsp_requests === AUCTIONS;
    },
    REPORT_PAUSE_MS,
  );
}

/** Makes a client, has its program ask the exchange, and checks what that has seen. */
export async function assertUseful(
  client: GeneratedClient,
  exchange: StartedExchange,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-client-'));
  try {
    const [command, ...args] = await client.make(directory);
    const { control } = exchange.node.urls;
    const identity = ['acme-client', 'acme-secret', 'acme-report-token', '1001'];
    const printed = await run(command, ...args, control, ...identity, today());
    const { kpi_requests: kpiRequests, ...seen } = JSON.parse(printed);
    assert.deepEqual(seen, {
      partner: 1001,
      line_item_status: 'PAUSED',
      problem_code: 'invalid_request',
      problem_pointer: '/name',
      has_line_item: true,
      discovery_days: 7,
      report_requests: AUCTIONS,
    });
    // A bid request counts for each line item that it matched.
    assert.ok(kpiRequests >= AUCTIONS, printed);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
