import type { TestContext } from 'node:test';
import { openManagement } from './management.ts';

const EMAIL = 'engineer@acme.example';
const PASSWORD = 'acme-password';
const JSON_TYPE = { 'content-type': 'application/json' };

export type Headers = Readonly<Record<string, string>>;
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Control with a browser that keeps one cookie, as it is told, and more of them. */
export async function browserOf(t: TestContext) {
  const server = await openManagement(t);
  const open = (remoteAddress = '192.0.2.1') => {
    let cookie = '';
    let csrf = '';
    const ask = async (method: Method, url: string, body?: unknown, headers: Headers = {}) => {
      const answer = await server.app.inject({
        method,
        url,
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(csrf === '' ? {} : { 'x-csrf-token': csrf }),
          ...(body === undefined ? {} : JSON_TYPE),
          ...headers,
        },
        remoteAddress,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const [told = ''] = [answer.headers['set-cookie'] ?? ''].flat();
      if (told !== '') cookie = /^[^=]+=;/.test(told) ? '' : (told.split(';')[0] ?? '');
      const isJson = /json/.test(String(answer.headers['content-type']));
      const said = isJson && answer.body !== '' ? answer.json() : null;
      if (typeof said?.session?.csrf_token === 'string') csrf = said.session.csrf_token;
      return { status: answer.statusCode, body: said, headers: answer.headers, told };
    };
    const signIn = (email = EMAIL, password = PASSWORD, headers: Headers = {}) =>
      ask('POST', '/v2/auth/session/', { email, password }, headers);
    return { ask, signIn, cookie: () => cookie, csrf: () => csrf };
  };
  return { server, open, ...open() };
}
