import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSessionCookie } from './cookie.ts';

test('over https the cookie is of this very host, and sent over https alone', () => {
  const cookie = createSessionCookie('https://control.exchange.example');
  assert.equal(
    cookie.keep('ID'),
    '__Host-rialto_session=ID; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  assert.equal(
    cookie.forget,
    '__Host-rialto_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  assert.equal(cookie.read('rialto_session=other; __Host-rialto_session=ID'), 'ID');
});

test('without https the cookie has a plain name, since browsers would not keep the other', () => {
  const cookie = createSessionCookie('http://localhost:8080');
  assert.equal(cookie.keep('ID'), 'rialto_session=ID; Path=/; HttpOnly; SameSite=Lax');
  for (const [header, id] of [
    [undefined, null],
    ['', null],
    ['rialto_session', null],
    ['rialto_session=', null],
    ['Rialto_session=ID', null],
    ['xrialto_session=ID', null],
    ['a=rialto_session=ID', null],
    ['=;;a; rialto_session = ID ;b=c', 'ID'],
    ['rialto_session=ID; rialto_session=other', 'ID'],
    ['rialto_session=a=b', 'a=b'],
  ] as const) {
    assert.equal(cookie.read(header), id, String(header));
  }
});
