import { test } from 'node:test';
import { TYPESCRIPT } from '../clients/generated.ts';
import { assertUseful, holdAuctions } from '../clients/use-client.ts';
import { startExchange } from '../support/exchange.ts';

test('a client that openapi-typescript generates compiles and does its work', async (t) => {
  const exchange = await startExchange({ t });
  await holdAuctions(exchange);
  await assertUseful(TYPESCRIPT, exchange);
});
