import { runs } from '../../test/support/effort.ts';
import { createBidderSocketClient } from './bidder-socket.ts';
import { useSubject } from './http-bidder-fixture.ts';

// What every client of bidders has to do.
useSubject({
  create: createBidderSocketClient,
  module: import.meta.resolve('./bidder-socket.ts'),
  runs: runs(4),
});
await import('./http-bidder-suite.ts');
await import('./http-bidder-connections-suite.ts');
await import('./http-bidder-faults-suite.ts');
await import('./http-bidder-tls-suite.ts');
