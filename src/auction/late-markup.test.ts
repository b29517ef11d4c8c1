import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossReason } from '../openrtb/loss-reason.ts';
import { aBid, aCandidate, anImp } from './fixtures.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import { takeLateMarkup } from './late-markup.ts';

const VAST = '<VAST version="2.0"><Ad></Ad></VAST>';

test('late markup tells the format of its bid', () => {
  const candidate = aCandidate({ adm: null, format: FORMAT_BANNER | FORMAT_VIDEO });
  const taken = takeLateMarkup(candidate, VAST);
  assert.ok(taken.ok);
  assert.equal(taken.candidate.adm, VAST);
  assert.equal(taken.candidate.format, FORMAT_VIDEO);
});

test('late markup is held against all that markup in a bid is held against', () => {
  const secure = anImp({ secure: true });
  const cases = [
    [aCandidate({ adm: null }), ' \n', LossReason.MissingMarkup],
    [aCandidate({ adm: null }), VAST, LossReason.IncorrectFormat],
    [aCandidate({ adm: null, format: FORMAT_NATIVE }), '<p>', LossReason.IncorrectFormat],
    [aCandidate({ adm: null, imp: secure }), '<img src="http://a.example/">', LossReason.NotSecure],
    [aCandidate({ adm: null, bid: aBid({ w: 1, h: 1 }) }), '<p>', LossReason.SizeNotAllowed],
  ] as const;
  for (const [candidate, adm, reason] of cases) {
    const taken = takeLateMarkup(candidate, adm);
    assert.ok(!taken.ok, adm);
    assert.equal(taken.objection.reason, reason);
  }
});
