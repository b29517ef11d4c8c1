import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/support/effort.ts';
import { SUBSCRIBABLE } from './event-types.ts';
import { emailOf, type SentEvent } from './email-message.ts';

const AT = '2026-11-20T12:00:00.000Z';
const ANA = { id: 7 };

function wordsOf(type: SentEvent['type'], data: object) {
  return emailOf({ id: 'evt_1', type, created_at: AT, data }, ANA, 'https://control.example');
}

test('an event is said in its subject, and the mail says what to do and who chose it', () => {
  const { subject, text } = wordsOf('bidder.unhealthy', {
    demand_partner_id: 1001,
    name: 'Acme',
    state: 'failing',
    sentence: 'It refuses connections.',
    action: 'Ask the partner.',
  });
  assert.equal(subject, '[Rialto] The bidder of Acme fails');
  assert.equal(
    text,
    `The bidder of Acme fails.

It refuses connections.
Ask the partner.

demand_partner_id: 1001
name: Acme
state: failing

Event evt_1 (bidder.unhealthy), ${AT}

Change or stop these e-mails here:
https://control.example/email-recipients/7
`,
  );
});

test('a test says nothing that somebody chose', () => {
  const { subject, text } = wordsOf('subscription.test', { name: 'Pay at https://evil.example' });
  assert.equal(subject, '[Rialto] Test of e-mail');
  assert.doesNotMatch(text, /evil/);
});

test('a subject is one line of bounded length, whatever stands in the event', () => {
  const pieces = [
    '\r',
    '\n',
    '\0',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u001b[',
    'a',
    'é',
    '😀',
    ' Bcc: ',
  ];
  const texts = fc
    .array(fc.constantFrom(...pieces), { maxLength: 200 })
    .map((chosen) => chosen.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...SUBSCRIBABLE), texts, (type, text) => {
      const data = {
        name: text,
        message: text,
        sentence: text,
        waiting: 3,
        creatives: [{ crid: text }],
      };
      const { subject } = wordsOf(type, data);
      return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject) && Array.from(subject).length <= 150;
    }),
    { numRuns: runs(100) },
  );
});
