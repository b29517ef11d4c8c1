import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSignals } from '../privacy/signals.ts';
import { fillSyncUrl, signalParameters } from './sync-macros.ts';

const SIGNALS = readSignals({
  regs: { ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA~1', gpp_sid: [2, 6] } },
  user: { ext: { consent: 'COv&F' } },
});

test('every macro is filled in both spellings, percent-encoded', () => {
  const back = 'https://exchange.example/setuid?partner=1&uid=';
  const iab =
    '${GDPR}|${GDPR_CONSENT}|${GDPR_CONSENT_755}|${US_PRIVACY}|${GPP}|${GPP_SID}|${REDIRECT}';
  assert.equal(
    fillSyncUrl(iab, SIGNALS, back),
    `1|COv%26F|COv%26F|1YNN|DBAA~1|2%2C6|${encodeURIComponent(back)}`,
  );
  const prebid = '{{gdpr}}|{{.gdpr_consent}}|{{us_privacy}}|{{gpp}}|{{gpp_sid}}|{{redirect}}';
  assert.equal(
    fillSyncUrl(prebid, SIGNALS, back),
    `1|COv%26F|1YNN|DBAA~1|2%2C6|${encodeURIComponent(back)}`,
  );
});

test('a value that is not known is empty, what is no macro stays, and nothing is filled twice', () => {
  const nothing = readSignals({});
  assert.equal(fillSyncUrl('?a=${GDPR}&b={{gpp}}', nothing, ''), '?a=&b=');
  assert.equal(
    fillSyncUrl('?a=${UID}&b=${GPP_1}&c=$UID', nothing, ''),
    '?a=${UID}&b=${GPP_1}&c=$UID',
  );
  assert.equal(fillSyncUrl('?r=${REDIRECT}', SIGNALS, '${GDPR}'), '?r=%24%7BGDPR%7D');
});

test('the parameters of an address say what was said', () => {
  assert.deepEqual(Object.fromEntries(signalParameters(SIGNALS)), {
    gdpr: '1',
    consent: 'COv&F',
    us_privacy: '1YNN',
    gpp: 'DBAA~1',
    gpp_sid: '2,6',
  });
  assert.deepEqual(signalParameters(readSignals({})), []);
});
