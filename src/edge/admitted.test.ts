import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { aMarket, aRequest } from '../exchange/fixtures.ts';
import { UNKNOWN_PUBLISHER } from './admission.ts';
import { publisherIn } from './admitted.ts';

test('the publisher of a request is told by its first ad space, without reading it', async () => {
  const market = await aMarket();
  const told = (text: string | Buffer): number => publisherIn(Buffer.from(text), market);
  assert.equal(told(JSON.stringify(aRequest())), 2001);
  assert.equal(told('{"imp": [{"tagid" :\n "4001"'), 2001);
  const zipped = gzipSync(JSON.stringify(aRequest()));
  assert.equal(told(zipped), 2001);
  // Looked into as far as it has come.
  assert.equal(told(zipped.subarray(0, -9)), 2001);
  for (const other of [
    '',
    '{"imp":[]}',
    '"tagid"',
    '{"tagid":4001}',
    '{"tagid":"9"}',
    `{"tagid":"${'4'.repeat(1_000)}`,
    gzipSync('{}'),
    Buffer.from([0x1f, 0x8b, 8, 1, 2, 3]),
    // A bomb is not inflated to its end, whatever stands there.
    gzipSync(Buffer.concat([Buffer.alloc(1_000_000), Buffer.from('"tagid":"4001"')])),
  ]) {
    assert.equal(told(other), UNKNOWN_PUBLISHER, String(other).slice(0, 40));
  }
  assert.equal(publisherIn(Buffer.from('"tagid":"4001"'), null), UNKNOWN_PUBLISHER);
});
