import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { latestRecordMs } from './latest-record.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);

function segmentOf(t: TestContext, text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-latest-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'money.ndjson');
  writeFileSync(path, text);
  return path;
}

test('the latest record of a segment is found wherever it stands, also across two pieces', async (t) => {
  const at = (ms: number, filling = ''): string =>
    `${JSON.stringify({ kind: 'auction', text: `"at_ms":9999999999999 ${filling}`, at_ms: ms, end: 1 })}\n`;
  for (const shift of [0, 1, 7, 12, 20, 30]) {
    const lines = [
      '{"schema":2}\n',
      at(NOON_MS, 'x'.repeat(1024 * 1024 - 100 + shift)),
      at(NOON_MS + 7_200_000),
      at(NOON_MS + 1),
    ];
    assert.equal(await latestRecordMs(segmentOf(t, lines.join(''))), NOON_MS + 7_200_000);
    assert.equal(await latestRecordMs(segmentOf(t, lines.slice(0, 2).join(''))), NOON_MS);
  }
  assert.equal(await latestRecordMs(segmentOf(t, '{"schema":2}\n')), 0);
});
