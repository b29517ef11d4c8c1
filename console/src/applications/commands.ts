/** Commands that use an application, ready for a shell. */

/** Gets an access token with the id and the secret. Source: RFC 6749 section 4.4. */
export function tokenCommand(server: string, clientId: string, secret = '$CLIENT_SECRET'): string {
  // A variable is read by the shell in double quotes; a secret that is known stands in single ones.
  const secretPart = secret.startsWith('$')
    ? `--data-urlencode "client_secret=${secret}"`
    : `--data-urlencode ${quoted(`client_secret=${secret}`)}`;
  return [
    `curl ${quoted(`${server}/v2/auth/token/`)}`,
    `--data-urlencode ${quoted('grant_type=client_credentials')}`,
    `--data-urlencode ${quoted(`client_id=${clientId}`)}`,
    secretPart,
    `--data-urlencode ${quoted('scope=read')}`,
  ].join(' \\\n  ');
}

/** The first call: who one is. */
export function firstCallCommand(baseUrl: string, token = '$TOKEN'): string {
  return [
    `curl ${quoted(`${baseUrl.replace(/\/$/, '')}/self/`)}`,
    `-H "Authorization: Bearer ${token}"`,
  ].join(' \\\n  ');
}

/** In single quotes, in which a shell reads nothing but another single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
