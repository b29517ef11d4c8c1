import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import * as oauth from 'oauth4webapi';
import { openManagement } from '../support/management.ts';

const CLIENT: oauth.Client = { client_id: 'acme-client' };
const SECRET = 'acme-secret';

/** The test speaks plain HTTP over loopback, which the client refuses unless it is told to. */
const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

const METHODS = [
  ['HTTP Basic', oauth.ClientSecretBasic],
  ['the form', oauth.ClientSecretPost],
] as const;

/** The token endpoints on a socket, and what a client is configured with. */
async function startServer(t: TestContext) {
  const { app } = await openManagement(t);
  const issuer = await app.listen({ host: '127.0.0.1', port: 0 });
  const server: oauth.AuthorizationServer = {
    issuer,
    token_endpoint: `${issuer}/v2/auth/token/`,
    revocation_endpoint: `${issuer}/v2/auth/revoke/`,
    introspection_endpoint: `${issuer}/v2/auth/introspect/`,
  };
  return { server, issuer };
}

async function requestToken(
  server: oauth.AuthorizationServer,
  authentication: oauth.ClientAuth,
  parameters: Record<string, string> = {},
): Promise<oauth.TokenEndpointResponse> {
  const answer = await oauth.clientCredentialsGrantRequest(
    server,
    CLIENT,
    authentication,
    parameters,
    INSECURE,
  );
  return oauth.processClientCredentialsResponse(server, CLIENT, answer);
}

for (const [name, method] of METHODS) {
  test(`an independent client gets, uses, asks about and revokes a token, with ${name}`, async (t) => {
    const { server, issuer } = await startServer(t);
    const authentication = method(SECRET);
    const token = await requestToken(server, authentication, { scope: 'write' });
    assert.equal(token.token_type, 'bearer');
    assert.equal(token.expires_in, 3_600);
    assert.equal(token.scope, 'read write');

    const ask = async (): Promise<Response> =>
      oauth.protectedResourceRequest(
        token.access_token,
        'GET',
        new URL('/api/self/', issuer),
        undefined,
        undefined,
        INSECURE,
      );
    assert.equal((await ask()).status, 200);
    const introspect = async (): Promise<oauth.IntrospectionResponse> => {
      const text = token.access_token;
      return oauth.processIntrospectionResponse(
        server,
        CLIENT,
        await oauth.introspectionRequest(server, CLIENT, authentication, text, INSECURE),
      );
    };
    const { active, client_id: clientId, scope } = await introspect();
    assert.deepEqual([active, clientId, scope], [true, 'acme-client', 'read write']);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, CLIENT, authentication, token.access_token, INSECURE),
    );
    assert.equal((await introspect()).active, false);
    // The client reads the challenge by itself.
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
      const [challenge] = error.cause;
      assert.deepEqual(
        [error.status, challenge?.scheme, challenge?.parameters.error],
        [401, 'bearer', 'invalid_token'],
      );
      return true;
    });
  });
}

test('an independent client reads our errors', async (t) => {
  const { server } = await startServer(t);
  await assert.rejects(requestToken(server, oauth.ClientSecretPost('wrong-secret')), (error) => {
    assert.ok(error instanceof oauth.ResponseBodyError);
    assert.deepEqual([error.status, error.error], [401, 'invalid_client']);
    return true;
  });
  await assert.rejects(requestToken(server, oauth.ClientSecretBasic('wrong-secret')), (error) => {
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
    assert.deepEqual([error.status, error.cause[0]?.scheme], [401, 'basic']);
    return true;
  });
  const asked = requestToken(server, oauth.ClientSecretPost(SECRET), { scope: 'admin' });
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof oauth.ResponseBodyError);
    assert.deepEqual([error.status, error.error], [400, 'invalid_scope']);
    return true;
  });
});
