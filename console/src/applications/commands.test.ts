import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstCallCommand, tokenCommand } from './commands.ts';

describe('the commands of an application', () => {
  it('ask for a token with the secret of the shell’s variable', () => {
    assert.equal(
      tokenCommand('https://control.example', 'app-1'),
      [
        "curl 'https://control.example/v2/auth/token/'",
        "--data-urlencode 'grant_type=client_credentials'",
        "--data-urlencode 'client_id=app-1'",
        '--data-urlencode "client_secret=$CLIENT_SECRET"',
        "--data-urlencode 'scope=read'",
      ].join(' \\\n  '),
    );
  });

  it('keep the shell from reading an id', () => {
    assert.match(tokenCommand('https://c.example', "a'$(id)"), /'client_id=a'\\''\$\(id\)'/);
  });

  it('ask who one is', () => {
    assert.equal(
      firstCallCommand('https://control.example/api/'),
      'curl \'https://control.example/api/self/\' \\\n  -H "Authorization: Bearer $TOKEN"',
    );
  });
});
