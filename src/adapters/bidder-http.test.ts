import { runs } from '../../test/support/effort.ts';
import { createBidderHttpClient } from './bidder-http.ts';
import { useSubject } from './http-bidder-fixture.ts';

// What every client of bidders has to do.
useSubject({
  create: createBidderHttpClient,
  module: import.meta.resolve('./bidder-http.ts'),
  runs: runs(4),
});
await import('./http-bidder-suite.ts');
await import('./http-bidder-connections-suite.ts');
await import('./http-bidder-faults-suite.ts');
await import('./http-bidder-tls-suite.ts');
