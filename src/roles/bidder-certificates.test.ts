import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostsOf } from './bidder-certificates.ts';

test('the hosts of bidders that are called over TLS are looked at', () => {
  const bidder = { name: 'Acme', status: 'ACTIVE', stop: null } as const;
  const endpoint = 'https://bid.acme.example/openrtb';
  assert.deepEqual(
    hostsOf([
      { ...bidder, demandPartnerId: 1, endpoint },
      { ...bidder, demandPartnerId: 2, endpoint: 'https://[2001:db8::1]:8443/bid' },
      { ...bidder, demandPartnerId: 3, endpoint: 'http://bid.acme.example/' },
      { ...bidder, demandPartnerId: 4, endpoint: null },
      { ...bidder, demandPartnerId: 5, endpoint, status: 'PAUSED' },
      { ...bidder, demandPartnerId: 6, endpoint, stop: { reason: '', atMs: 1 } },
    ]),
    [
      { demandPartnerId: 1, of: 'bidder of Acme', hostname: 'bid.acme.example', port: 443 },
      { demandPartnerId: 2, of: 'bidder of Acme', hostname: '[2001:db8::1]', port: 8443 },
    ],
  );
});
