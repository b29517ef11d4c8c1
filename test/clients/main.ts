/**
 * `npm run test:clients`: what every generator makes of the API's description does its work against a
 * running exchange. A toolchain that this machine lacks is said; it fails nothing.
 */
import { startExchange } from '../support/exchange.ts';
import { GO, isThere, PYTHON, TYPESCRIPT } from './generated.ts';
import { assertUseful, holdAuctions } from './use-client.ts';

const ends: (() => unknown)[] = [];
try {
  const exchange = await startExchange({ t: { passed: true, after: (end) => ends.push(end) } });
  await holdAuctions(exchange);
  for (const client of [TYPESCRIPT, PYTHON, GO]) {
    // Compilers take all cores, and a line for each is easier to follow.
    // oxlint-disable-next-line no-await-in-loop
    if (!(await isThere(client))) {
      console.log(`${client.name}: not run, because ${client.toolchain?.[0]} is not there`);
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop
    await assertUseful(client, exchange);
    console.log(`${client.name}: does its work`);
  }
} finally {
  // oxlint-disable-next-line no-await-in-loop
  for (const end of ends.toReversed()) await end();
}
