import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AD_SPACE } from './ad-space.ts';
import { BIDDER } from './bidder.ts';
import { DEAL } from './deal.ts';
import { DEMAND_PARTNER } from './demand-partner.ts';
import { EXCHANGE } from './exchange.ts';
import { FieldTable, type Fields } from './field-table.ts';
import { domains, flag, json, numberOrNull, price, share, text } from './field.ts';
import { LINE_ITEM } from './line-item.ts';
import { APP_FIELDS, SITE_FIELDS } from './property.ts';
import { PUBLISHER } from './publisher.ts';
import { DOMAIN, NAME, list, whole } from './vocabulary.ts';

const TABLE = new FieldTable({
  name: text(NAME, '', { isNeeded: true }),
  floor: price({ column: 'floor_micros' }),
  send_name: flag(1, { entity: 'sendsName', isOperators: true }),
  trace_share: share(100, { column: 'trace_share_bps' }),
  blocked_words: json(list(NAME, 'words'), '[]', { entity: 'words', group: 'blocking' }),
  blocked_domains: domains(list(DOMAIN, 'domains'), { entity: 'domains', group: 'blocking' }),
  note: text(NAME, '-', { entity: null }),
  max_qps: numberOrNull(whole(1, 10)),
});

test('a row has the columns of what is given, and keeps the others', () => {
  const before = { ...TABLE.initial, name: 'Box', max_qps: 3 };
  const given = { floor: 1.25, trace_share: 0.07, blocked_domains: ['B.example'], max_qps: null };
  assert.deepEqual(TABLE.row(given, before), {
    name: 'Box',
    floor_micros: 1_250_000,
    send_name: 1,
    trace_share_bps: 700,
    blocked_words: '[]',
    blocked_domains: '["b.example"]',
    note: '-',
    max_qps: null,
  });
});

test('a snapshot has a field by its column in camel case, in its group, or not at all', () => {
  const row = { ...TABLE.initial, floor_micros: 5, blocked_words: '["a"]' };
  assert.deepEqual(TABLE.entity(row), {
    name: '',
    floorMicros: 5,
    sendsName: true,
    traceShareBps: 100,
    blocking: { words: ['a'], domains: [] },
    maxQps: null,
  });
});

test('the keys that are needed, and those of operators, come from the fields', () => {
  assert.deepEqual([TABLE.needed, TABLE.operators], [['name'], ['send_name']]);
});

test('a column may be null where it begins as null', () => {
  const nullable = TABLE.columns.filter(({ isNullable }) => isNullable);
  assert.deepEqual(nullable, [{ name: 'max_qps', type: 'integer', isNullable: true }]);
});

type AnyTable = Pick<FieldTable<Fields>, 'initial' | 'row' | 'document' | 'entity'>;

const TABLES: readonly AnyTable[] = [
  AD_SPACE,
  BIDDER,
  DEAL,
  DEMAND_PARTNER,
  EXCHANGE,
  LINE_ITEM,
  PUBLISHER,
];

test('what is shown of a new resource makes the same row again', () => {
  for (const table of TABLES) {
    assert.deepEqual(table.row(table.document(table.initial), table.initial), table.initial);
  }
});

test('a text that only an app or only a site has to have is empty where the other has none', () => {
  assert.equal(SITE_FIELDS.document(SITE_FIELDS.initial).domain, '');
  assert.equal(APP_FIELDS.document(APP_FIELDS.initial).bundle, '');
});

test('what a snapshot carries is the same after it was sent as JSON', () => {
  const tables: readonly AnyTable[] = [...TABLES, APP_FIELDS];
  for (const table of tables) {
    const carried = table.entity(table.initial);
    assert.deepEqual(JSON.parse(JSON.stringify(carried)), carried);
  }
});
