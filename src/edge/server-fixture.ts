import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { pino, type DestinationStream } from 'pino';
import { Registry } from 'prom-client';
import { NO_WAIT } from '../base/loop-wait-fixture.ts';
import { Exchange, type ExchangeParts } from '../exchange/exchange.ts';
import { aMarket, someParts } from '../exchange/fixtures.ts';
import type { Market } from '../exchange/market.ts';
import { createExchangeMetrics } from '../exchange/metrics.ts';
import { Admission } from './admission.ts';
import { createEdge, type Edge } from './server.ts';
import { someUsers } from './user-fixtures.ts';

/** What differs from an exchange without bidders. */
export interface EdgeSetting {
  readonly parts?: Partial<ExchangeParts>;
  readonly auctionsMax?: number;
  /** False for none. */
  readonly market?: Market | false;
  /** Where the log goes; by default nowhere. */
  readonly log?: DestinationStream;
}

export interface ServedEdge {
  readonly edge: Edge;
  readonly exchange: Exchange;
  readonly port: number;
  readonly url: string;
  readonly metrics: () => Promise<string>;
  /** How many ad requests had each outcome. */
  readonly outcomes: () => Promise<Readonly<Record<string, number>>>;
}

/** Serves an exchange's HTTP until the test ends. */
export async function serveEdge(t: TestContext, setting: EdgeSetting = {}): Promise<ServedEdge> {
  const registry = new Registry();
  const metrics = createExchangeMetrics(registry);
  const exchange = new Exchange(
    someParts({ metrics, now: performance.now.bind(performance), ...setting.parts }),
  );
  if (setting.market !== false) exchange.useMarket(setting.market ?? (await aMarket()));
  const edge = createEdge({
    exchange,
    metrics,
    keeper: { keep: () => Promise.resolve('key'), find: () => Promise.resolve(null) },
    exchangeUrl: 'https://exchange.example',
    trackerUrl: 'https://tracker.example',
    users: someUsers(registry),
    clientAddress: (ip) => ({ ip: ip ?? null, secure: false }),
    admission: new Admission({ clock: NO_WAIT, auctionsMax: setting.auctionsMax ?? 10 }),
    logger: setting.log === undefined ? pino({ level: 'silent' }) : pino({}, setting.log),
  });
  edge.server.listen(0, '127.0.0.1');
  await once(edge.server, 'listening');
  t.after(() => {
    edge.server.closeAllConnections();
    edge.server.close();
  });
  const address = edge.server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const { port } = address;
  const metricsText = (): Promise<string> => registry.metrics();
  const outcomes = async (): Promise<Record<string, number>> => {
    const text = await metricsText();
    const lines = text.matchAll(/rialto_auctions_total\{outcome="(\w+)"\} (\d+)/g);
    return Object.fromEntries([...lines].map(([, name = '', count]) => [name, Number(count)]));
  };
  return { edge, exchange, port, url: `http://127.0.0.1:${port}`, metrics: metricsText, outcomes };
}
