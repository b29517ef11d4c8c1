import { runs } from '../../test/support/effort.ts';
import { createBidderSocketClient } from './bidder-socket.ts';
import type { Subject } from './http-bidder-fixture.ts';
import { describeConnections } from './http-bidder-connections-suite.ts';
import { describeFaults } from './http-bidder-faults-suite.ts';
import { describeRequests } from './http-bidder-suite.ts';
import { describeTls } from './http-bidder-tls-suite.ts';

const SUBJECT: Subject = {
  create: createBidderSocketClient,
  module: import.meta.resolve('./bidder-socket.ts'),
  runs: runs(4),
};

// What every client of bidders has to do.
describeRequests(SUBJECT);
describeConnections(SUBJECT);
describeFaults(SUBJECT);
describeTls(SUBJECT);
