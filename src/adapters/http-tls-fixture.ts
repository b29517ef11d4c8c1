import { once } from 'node:events';
import {
  createServer,
  getCACertificates,
  setDefaultCACertificates,
  type Server,
  type TLSSocket,
} from 'node:tls';

/**
 * Bidders over TLS for the tests: two certificates made for them alone, valid until 2126, of which
 * both are trusted by a process that calls `trustTestCertificates`.
 */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Of `localhost` and `127.0.0.1`. */
export const LOCALHOST: Certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUccMfvMn2N1J59L2BOZ0lZN+moOkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE2MDkxNFoYDzIxMjYxMDI5
MTYwOTE0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARHisyhAI92MwYCi+eT1HCizYDluedb8/SkUzHeQSNGTwThOdINw8sd
y/ctetzID1Buds4BOX0n9VearP/c+Ar/o28wbTAdBgNVHQ4EFgQUyuZ4+fuHRPAc
ff7L9uz1OmVirrswHwYDVR0jBBgwFoAUyuZ4+fuHRPAcff7L9uz1OmVirrswDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgGVKo+YExLops3rQ+u4d8cadEFvKQUEVCQEfpyoXqN6QCIQDo
oIiGwwI1f7ip+MPTGznm0VsuIPd9YKrQ3CG2XKmEcw==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgulhV5sEe/8X9CH9G
jJZCPXvlg/km1DLeHOiYuRACcWOhRANCAARHisyhAI92MwYCi+eT1HCizYDluedb
8/SkUzHeQSNGTwThOdINw8sdy/ctetzID1Buds4BOX0n9VearP/c+Ar/
-----END PRIVATE KEY-----`,
};

/** Of `other.example` alone. */
export const OTHER: Certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBojCCAUegAwIBAgIUF31YhVlbGSSAhKTgv7PSeIzE1F4wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjIxNjA5MTRaGA8yMTI2
MTAyOTE2MDkxNFowGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABMOgYPBO9Psf/UO3xmJ12rbEjbKxhvC++sFLubw8DdZ6
QCUzv0+dcy227lIMpyoIwSFR+De6sZ4yCO69DwUyBzmjbTBrMB0GA1UdDgQWBBRm
X14SdQ7+zcmu8oP//iJ8txB6DzAfBgNVHSMEGDAWgBRmX14SdQ7+zcmu8oP//iJ8
txB6DzAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUw
CgYIKoZIzj0EAwIDSQAwRgIhANkVWGtmXjrytbWSQYzUt4QGfiw0KNsDB5NEMLPJ
lHRVAiEAuzmv0MQUFlpbWe6Dp48P3c55i5OdOHQFW8zFPz8+7Qs=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9ajPmzFbD+GGqeNj
SuDUhH3+uqpk8NLsrrY8LHs6INWhRANCAATDoGDwTvT7H/1Dt8Ziddq2xI2ysYbw
vvrBS7m8PA3WekAlM79PnXMttu5SDKcqCMEhUfg3urGeMgjuvQ8FMgc5
-----END PRIVATE KEY-----`,
};

/** @returns what makes the process trust as before. */
export function trustTestCertificates(): () => Promise<void> {
  const before = getCACertificates('default');
  setDefaultCACertificates([LOCALHOST.cert, OTHER.cert]);
  return async () => setDefaultCACertificates(before);
}

/** A server that answers each request with `{}` and tells of its connections. */
export interface TlsServer {
  readonly port: number;
  /** Of each connection in turn. */
  readonly connections: {
    readonly alpnProtocol: string | false | null;
    readonly isResumed: boolean;
  }[];
  close(): Promise<void>;
}

/** @param settings more of `tls.createServer` */
export async function startTlsServer(
  certificate: Certificate,
  settings: object = {},
): Promise<TlsServer> {
  const connections: TlsServer['connections'] = [];
  const sockets: TLSSocket[] = [];
  const server: Server = createServer({ ...certificate, ...settings }, (socket) => {
    sockets.push(socket);
    const { alpnProtocol } = socket;
    connections.push({ alpnProtocol, isResumed: socket.isSessionReused() });
    socket.on('error', () => {});
    // Each request gets a connection of its own.
    socket.on('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}'),
    );
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
