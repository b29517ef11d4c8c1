import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BATCH_SEGMENTS_MAX, type BatchManifest } from './batch.ts';
import {
  decodeBatch,
  decodeBatchAnswer,
  encodeManifest,
  MANIFEST_BYTES_MAX,
  type BatchAnswer,
} from './batch-wire.ts';

function manifestOf(segments: BatchManifest['segments']): BatchManifest {
  return { incarnation: '0123456789abcdef', schema: 1, segments };
}

const MANIFEST = manifestOf([{ segment: 'money-1.ndjson', start: 0, end: 300 }]);

test('a batch comes out as it went in, whatever its records are', () => {
  const range = fc.record(
    {
      segment: fc.stringMatching(/^[\w.-]{1,200}$/),
      start: fc.maxSafeNat(),
      end: fc.maxSafeNat(),
    },
    { noNullPrototype: true },
  );
  const property = fc.property(
    fc.array(range, { minLength: 1, maxLength: 5 }),
    fc.uint8Array({ maxLength: 200 }),
    (segments, records) => {
      const manifest = manifestOf(segments);
      const batch = decodeBatch(Buffer.concat([encodeManifest(manifest), records]));
      assert.deepEqual(batch?.manifest, manifest);
      assert.deepEqual(new Uint8Array(batch.records), new Uint8Array(records));
    },
  );
  fc.assert(property);
});

test('the largest manifest fits into its place', () => {
  const segments = Array.from({ length: BATCH_SEGMENTS_MAX }, () => ({
    segment: 'x'.repeat(200),
    start: Number.MAX_SAFE_INTEGER,
    end: Number.MAX_SAFE_INTEGER,
  }));
  const line = encodeManifest(manifestOf(segments));
  assert.ok(line.length <= MANIFEST_BYTES_MAX, `${line.length} bytes`);
  assert.notEqual(decodeBatch(line), null);
});

test('what does not begin with a manifest is no batch', () => {
  const line = encodeManifest(MANIFEST).toString();
  const wrong = [
    '',
    '\n',
    'null\n',
    line.trimEnd(),
    line.replace('"schema":1', '"schema":0'),
    line.replace('0123456789abcdef', '0123456789ABCDEF'),
    line.replace('money-1', '../money'),
    line.replace('"start":0', '"start":-1'),
    line.replace('"end":300', '"end":1e300'),
    line.replace('{"segment"', '{"more":1,"segment"'),
    line.replace('"schema":1', '"schema":1,"more":1'),
    JSON.stringify({ ...MANIFEST, segments: [] }) + '\n',
    `${' '.repeat(MANIFEST_BYTES_MAX)}${line}`,
  ];
  for (const text of wrong) assert.equal(decodeBatch(Buffer.from(text)), null, text.slice(0, 200));
});

test('an answer is one of five, and nothing else is an answer', () => {
  const answers: BatchAnswer[] = [
    { kind: 'loaded', records: 3 },
    { kind: 'already' },
    { kind: 'quarantined', records: 5, refused: 1, missing: 2, reason: 'x' },
    { kind: 'conflict', offsets: { 'money-1.ndjson': 4 }, pending: null },
    { kind: 'conflict', offsets: {}, pending: MANIFEST },
    { kind: 'failed', reason: 'x' },
  ];
  for (const answer of answers) {
    assert.deepEqual(decodeBatchAnswer(JSON.stringify(answer)), answer);
  }
  for (const text of [
    '',
    '{',
    '[]',
    '{"kind":"lost"}',
    '{"kind":"loaded"}',
    '{"kind":"conflict"}',
  ]) {
    assert.equal(decodeBatchAnswer(text), null);
  }
});

test('a manifest that is nested too deeply is invalid', () => {
  const deep = Buffer.from(`${'['.repeat(1_000)}${']'.repeat(1_000)}\n`);
  assert.equal(decodeBatch(deep), null);
});
