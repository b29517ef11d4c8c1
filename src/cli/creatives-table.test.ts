import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownCreative } from '../management/creatives/schema.ts';
import { describeCreative, describeCreatives, describeReviews } from './creatives-table.ts';

const AT_MS = Date.UTC(2026, 10, 20, 12, 30, 5);
const AT = new Date(AT_MS).toISOString();
const SEEN = {
  first_seen_at: AT,
  last_seen_at: new Date(AT_MS + 60_000).toISOString(),
  wins: 12,
  pending: 0,
};

function aPlace(
  differs: Partial<ShownCreative['places'][number]> = {},
): ShownCreative['places'][number] {
  return {
    publisher_id: 2001,
    ...SEEN,
    verdict: 'none',
    by: '',
    domain: '',
    reason: '',
    ...differs,
  };
}

function aCreative(differs: Partial<ShownCreative> = {}): ShownCreative {
  return {
    demand_partner_id: 1001,
    crid: 'c-1',
    adomain: ['shop.example'],
    ad_format: 'banner',
    w: 320,
    h: 50,
    markup_bytes: 20,
    markup: '<p>An ad</p>',
    ...SEEN,
    places: [aPlace()],
    ...differs,
  };
}

test('creatives stand in columns, with what holds of each', () => {
  const blocked = aPlace({ verdict: 'blocked', by: 'operator', reason: 'fake dialog' });
  const elsewhere = aPlace({ publisher_id: 2002, verdict: 'pending', by: 'publisher' });
  const text = describeCreatives([
    aCreative(),
    aCreative({ crid: 'creative-2', wins: 1_200, places: [blocked, elsewhere] }),
    aCreative({ crid: 'c-3', adomain: ['a.example', 'b.example', 'c.example'], w: 0 }),
  ]);
  assert.equal(
    text,
    [
      'CREATIVE         ADVERTISER                       FORMAT         WINS  FIRST SEEN           LAST SEEN            STANDING',
      '1001/c-1         shop.example                     banner 320x50    12  2026-11-20 12:30:05  2026-11-20 12:31:05  –',
      '1001/creative-2  shop.example                     banner 320x50  1200  2026-11-20 12:30:05  2026-11-20 12:31:05  blocked by the operator (fake dialog); waits for publisher 2002',
      '1001/c-3         a.example, b.example and 1 more  banner           12  2026-11-20 12:30:05  2026-11-20 12:31:05  –',
    ].join('\n'),
  );
});

test('one creative is shown with its publishers and its markup', () => {
  const place = aPlace({ verdict: 'blocked', by: 'publisher', domain: 'shop.example' });
  assert.equal(
    describeCreative(aCreative({ places: [place] })),
    [
      'Creative 1001/c-1',
      '  advertiser   shop.example',
      '  format       banner 320x50',
      '  seen         2026-11-20 12:30:05 to 2026-11-20 12:31:05 (UTC)',
      '  publisher 2001: 12 wins, 0 bids held back; blocked by publisher 2001 as shop.example',
      '',
      'Markup (20 bytes, of which this is the beginning):',
      '<p>An ad</p>',
    ].join('\n'),
  );
  assert.match(describeCreative(aCreative({ markup: '' })), /No markup was seen/);
});

test('nothing that a bidder writes reaches the terminal as a command', () => {
  const evil = '\u001b[2J\u0007\u202e';
  const creative = aCreative({ crid: evil, adomain: [evil], markup: `a\n\tb${evil}` });
  for (const text of [describeCreatives([creative]), describeCreative(creative)]) {
    for (const character of evil)
      if (!/[[2J]/.test(character)) assert.ok(!text.includes(character));
    assert.ok(text.includes('\\u{1b}[2J\\u{7}\\u{202e}'));
  }
  assert.ok(describeCreative(creative).includes('a\n\tb\\u{1b}'));
});

test('decisions stand in columns', () => {
  const decision = { reason: 'fraud', by: 'ops', created_at: AT } as const;
  const text = describeReviews([
    {
      id: 2,
      publisher: 2001,
      demand_partner: null,
      crid: null,
      domain: 'shop.example',
      verdict: 'blocked',
      ...decision,
    },
    {
      id: 1,
      publisher: null,
      demand_partner: 1001,
      crid: 'c-1',
      domain: null,
      verdict: 'approved',
      ...decision,
      reason: '',
    },
  ]);
  assert.equal(
    text,
    [
      'VERDICT   WHAT          WHERE           BY   AT                   REASON',
      'blocked   shop.example  publisher 2001  ops  2026-11-20 12:30:05  fraud',
      'approved  1001/c-1      everywhere      ops  2026-11-20 12:30:05',
    ].join('\n'),
  );
});
