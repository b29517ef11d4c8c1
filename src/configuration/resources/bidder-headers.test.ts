import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyQuickly,
  openTestStore,
  problemsOf,
} from '../../../test/support/configuration-store.ts';
import { hiddenHeaders } from './bidder-headers.ts';

/** A file whose only bidder has the headers that a mapping of YAML says. */
function file(headers: string): string {
  return `demand_partners: [{ id: 1, name: A, bidder: { endpoint: "https://b.example/", headers: ${headers} } }]`;
}

test('headers that the exchange sets, that steer the connection, or that come twice are refused', async (t) => {
  const { db } = await openTestStore(t);
  const taken = [
    'Content-Type',
    'host',
    'TE',
    'transfer-encoding',
    'Proxy-Authorization',
    'cookie',
  ];
  for (const name of [...taken, 'connection', 'X-OpenRTB-Version', 'expect', 'content-length']) {
    const [problem = '', ...others] = await problemsOf(db, file(`{ ${name}: x }`));
    assert.match(problem, /bidder\.headers\S* must be a header that neither/, name);
    assert.deepEqual(others, []);
  }
  assert.deepEqual(await problemsOf(db, file('{ x-key: a, X-Key: b }')), [
    'line 1: demand_partners[0].bidder.headers.X-Key is the header "x-key" again: case makes no other',
  ]);
});

test('names are tokens and values one line of ASCII, and a message shows no value', async (t) => {
  const { db } = await openTestStore(t);
  for (const headers of [
    '{ "a b": x }',
    '{ "a:": x }',
    '{ "": x }',
    '{ "é": x }',
    '{ "a\\r\\nb": x }',
    '{ a: "secret\\r\\nb: c" }',
    '{ a: "secret " }',
    '{ a: "" }',
    '{ a: "secret é" }',
    `{ a: ${'secret'.repeat(200)} }`,
    `{ ${'a'.repeat(65)}: secret }`,
    '{ a: 7 }',
    '[a]',
    `{ ${Array.from({ length: 21 }, (_, at) => `a${at}: secret`).join(', ')} }`,
  ]) {
    const problems = await problemsOf(db, file(headers));
    assert.equal(problems.length, 1, `${headers}: ${problems.join('; ')}`);
    assert.match(problems[0] ?? '', /bidder\.headers.* must be a (text|mapping)/);
    assert.doesNotMatch(problems[0] ?? '', /secret/);
  }
});

test('the audit log shows the names of headers and which values are new, never a value', async (t) => {
  const { db } = await openTestStore(t);
  for (const headers of ['{ a: secret-1, b: secret-2 }', '{ a: secret-3, b: secret-2 }', 'null']) {
    const applied = await applyQuickly(db, file(headers));
    assert.ok(applied.ok && applied.created + applied.updated > 0);
  }
  const lines = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource', '=', 'bidder of demand partner')
    .orderBy('id')
    .execute();
  const changes = lines.map((line) =>
    JSON.parse(line.changes).find(({ field }: { field: string }) => field === 'headers'),
  );
  const hidden = { a: '(hidden)', b: '(hidden)' };
  assert.deepEqual(changes, [
    { field: 'headers', after: hidden },
    { field: 'headers', before: hidden, after: { a: '(hidden, new)', b: '(hidden)' } },
    { field: 'headers', before: hidden, after: null },
  ]);
  assert.doesNotMatch(JSON.stringify(lines), /secret/);
});

test('a name that objects inherit is a name like any other', () => {
  assert.deepEqual(hiddenHeaders({ constructor: 'x' }, {}), { constructor: '(hidden, new)' });
});
