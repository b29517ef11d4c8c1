import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SecureVersion } from 'node:tls';

import type { BidderReply } from '../ports/bidder-client.ts';
import { ask, openClients, type Subject } from './http-bidder-fixture.ts';
import {
  LOCALHOST,
  OTHER,
  startTlsServer,
  trustTestCertificates,
  type TlsServer,
} from './http-tls-fixture.ts';
import { until } from './http-fixture.ts';

/** Calls over TLS. */
export function describeTls(subject: Subject): void {
  const { client, closers } = openClients(subject);

  async function bidder(...args: Parameters<typeof startTlsServer>): Promise<TlsServer> {
    const started = await startTlsServer(...args);
    closers.push(() => started.close());
    return started;
  }

  const BID: BidderReply = { kind: 'answer', status: 200, body: '{}' };

  describe('over TLS', () => {
    test('a certificate that nobody vouches for is an error', async () => {
      const { port } = await bidder(LOCALHOST);
      const reply = await ask(client(), `https://localhost:${port}/bid`);
      assert.deepEqual(reply, { kind: 'error', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    });

    test('HTTP/1.1 is spoken with the server that was named, by name or address', async () => {
      closers.push(trustTestCertificates());
      const { port, connections } = await bidder(LOCALHOST, { ALPNProtocols: ['h2', 'http/1.1'] });
      const asking = client();
      assert.deepEqual(await ask(asking, `https://localhost:${port}/bid`), BID);
      assert.deepEqual(await ask(asking, `https://127.0.0.1:${port}/bid`), BID);
      assert.deepEqual(
        connections.map(({ alpnProtocol }) => alpnProtocol),
        ['http/1.1', 'http/1.1'],
      );
    });

    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const satisfies SecureVersion[]) {
      test(`a certificate of another name is an error, every time (${maxVersion})`, async () => {
        closers.push(trustTestCertificates());
        const { port } = await bidder(OTHER, { maxVersion });
        const asking = client();
        for (let time = 0; time < 3; time += 1) {
          const reply = await ask(asking, `https://localhost:${port}/bid`);
          assert.deepEqual(reply, { kind: 'error', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
        }
      });

      test(`a session is resumed with the same server (${maxVersion})`, async () => {
        closers.push(trustTestCertificates());
        const { port, connections } = await bidder(LOCALHOST, { maxVersion });
        const asking = client();
        const endpoint = `https://localhost:${port}/bid`;
        for (let time = 0; time < 2; time += 1) {
          assert.deepEqual(await ask(asking, endpoint), BID);
          await until(() => asking.inFlight(endpoint) === 0, 'the call is over');
        }
        assert.deepEqual(
          connections.map(({ isResumed }) => isResumed),
          [false, true],
        );
      });
    }

    test('a session gets nobody past the rules for addresses', async () => {
      closers.push(trustTestCertificates());
      let allowed = true;
      const { port, connections } = await bidder(LOCALHOST);
      const asking = client({ isAddressAllowed: () => allowed });
      assert.deepEqual(await ask(asking, `https://localhost:${port}/bid`), BID);
      allowed = false;
      const refused = { kind: 'error', code: 'ERR_ADDRESS_REFUSED' };
      assert.deepEqual(await ask(asking, `https://localhost:${port}/bid`), refused);
      assert.equal(connections.length, 1);
    });

    test('a session is not offered to another bidder of the same name', async () => {
      closers.push(trustTestCertificates());
      const ticketKeys = Buffer.alloc(48, 7);
      const first = await bidder(LOCALHOST, { ticketKeys });
      const second = await bidder(LOCALHOST, { ticketKeys });
      const asking = client();
      for (const { port } of [first, first, second]) {
        assert.deepEqual(await ask(asking, `https://localhost:${port}/bid`), BID);
      }
      const [resumed] = second.connections.map(({ isResumed }) => isResumed);
      assert.deepEqual([first.connections[1]?.isResumed, resumed], [true, false]);
    });
  });
}
