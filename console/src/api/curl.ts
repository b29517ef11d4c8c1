import { addressOf, type Call } from './client.ts';

/**
 * The command that does the same with an access token in `$TOKEN`. Texts stand in single quotes, in
 * which a shell reads nothing but another single quote.
 */
export function curlOf(call: Call, server: string): string {
  const lines = [`curl ${quoted(server + addressOf(call))}`];
  if (call.method !== 'GET') lines.push(`-X ${call.method}`);
  lines.push('-H "Authorization: Bearer $TOKEN"');
  if (call.ifMatch !== undefined && call.ifMatch !== null) {
    lines.push(`-H ${quoted(`If-Match: ${call.ifMatch}`)}`);
  }
  if (call.body !== undefined) {
    lines.push(`-H ${quoted(`Content-Type: ${call.type ?? 'application/json'}`)}`);
    const text = typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
    lines.push(`--data-raw ${quoted(text)}`);
  }
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
