import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { readShippingState, writeShippingState, type ShippingState } from './shipping-state.ts';

const base = mkdtempSync(join(tmpdir(), 'rialto-state-'));
after(() => rmSync(base, { recursive: true }));

const STATE: ShippingState = {
  acknowledged: new Map([['money-1.ndjson', { offset: 100, atMs: 5 }]]),
  inFlight: {
    incarnation: '0123456789abcdef',
    schema: 1,
    segments: [{ segment: 'money-1.ndjson', start: 100, end: 200 }],
  },
  lastLines: new Map([['money-0123456789abcdef-20261120T000000000Z-00000001', 12]]),
  gone: new Set(['money-0.ndjson']),
  trimmedMs: 4,
  reofferedAt: 0,
  again: new Map(),
};

function read(name: string, log: string[] = []): Promise<ShippingState> {
  const logger = pino({}, { write: (line) => void log.push(JSON.parse(line).msg) });
  return readShippingState(join(base, name), 'money', logger);
}

test('what was written is read, and nothing else is left in the directory', async () => {
  const directory = join(base, 'written', 'courier');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'shipping.json.4711.tmp'), '{"half":');
  await writeShippingState(join(base, 'written'), 'money', { ...STATE, inFlight: null });
  await writeShippingState(join(base, 'written'), 'money', STATE);
  assert.deepEqual(await read('written'), STATE);
  assert.deepEqual(readdirSync(directory), ['shipping.json']);
});

test('each stream has a state of its own', async () => {
  const directory = join(base, 'streams');
  const logger = pino({ level: 'silent' });
  const trace: ShippingState = { ...STATE, inFlight: null, gone: new Set(['trace-1.ndjson']) };
  await writeShippingState(directory, 'money', STATE);
  await writeShippingState(directory, 'trace', trace);
  writeFileSync(join(directory, 'courier', 'shipping-trace.json.4711.tmp'), '{"half":');
  assert.deepEqual(await readShippingState(directory, 'money', logger), STATE);
  const both = ['shipping-trace.json', 'shipping-trace.json.4711.tmp', 'shipping.json'];
  assert.deepEqual(readdirSync(join(directory, 'courier')).sort(), both, 'what is being written');
  assert.deepEqual(await readShippingState(directory, 'trace', logger), trace);
});

test('a node that has never shipped begins with nothing, without a word', async () => {
  const log: string[] = [];
  const { trimmedMs, ...state } = await read('fresh', log);
  const nothing = {
    acknowledged: new Map(),
    inFlight: null,
    lastLines: new Map(),
    gone: new Set(),
  };
  assert.deepEqual(state, { ...nothing, reofferedAt: 0, again: new Map() });
  // Since when the journal is complete is as unknown as what was removed.
  assert.ok(Math.abs(trimmedMs - Date.now()) < 60_000);
  assert.deepEqual(log, []);
});

for (const text of ['', '{"schema":1', '{"schema":2}', '{"schema":1,"acknowledged":{"a":-1}}']) {
  test(`a state of ${JSON.stringify(text)} counts as none, with a warning`, async () => {
    const directory = join(base, 'bad', 'courier');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'shipping.json'), text);
    const log: string[] = [];
    assert.equal((await read('bad', log)).acknowledged.size, 0);
    assert.deepEqual(log, ['the state of shipping is lost; asking control']);
  });
}
