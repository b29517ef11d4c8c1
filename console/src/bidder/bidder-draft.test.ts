import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ShownBidder } from '../../../src/management/bidders/schema.ts';
import { patchOf } from '../parts/forms/changes.ts';
import { bodyOf, draftOf, type BidderDraft } from './bidder-draft.ts';

const BIDDER: ShownBidder = {
  endpoint: 'https://bidder.acme.example/bid',
  openrtb_version: '2.5',
  timeout_ms: 200,
  max_qps: 5_000,
  max_concurrency: null,
  send_bidfloor: true,
  gzip: true,
  gvl_id: 9_001,
  mimes: ['image/png'],
  send_viewability: false,
  native_in_ext: false,
  interstitial_imps: 'one',
  sync_url: null,
  sync_type: 'image',
  headers: { 'x-account': 'acme', 'x-key': 'k' },
  stopped: null,
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

const patchTo = (base: BidderDraft, draft: BidderDraft): object =>
  patchOf(bodyOf(base), bodyOf(draft));

describe('the fields of a bidder', () => {
  const base = draftOf(BIDDER);

  it('change nothing as long as nothing is typed', () => {
    assert.deepEqual(patchTo(base, draftOf(BIDDER)), {});
    assert.deepEqual(patchTo(base, { ...base, endpoint: ` ${base.endpoint} ` }), {});
  });

  it('send what was changed alone, and null for what was emptied', () => {
    const draft = { ...base, timeout_ms: 150, max_qps: null, mimes: [], sync_url: ' ' };
    assert.deepEqual(patchTo(base, draft), { timeout_ms: 150, max_qps: null, mimes: null });
  });

  it('name a header that is gone with null, and take all back with null', () => {
    const headers = [
      { row: 0, name: 'x-account', value: 'other' },
      { row: 7, name: ' x-new ', value: 'n' },
      { row: 8, name: '', value: '' },
    ];
    assert.deepEqual(patchTo(base, { ...base, headers }), {
      headers: { 'x-account': 'other', 'x-key': null, 'x-new': 'n' },
    });
    assert.deepEqual(patchTo(base, { ...base, headers: [] }), { headers: null });
  });

  it('send what was typed for a partner without a bidder', () => {
    const none = draftOf(null);
    // As the server makes it where nothing is said.
    assert.equal(none.send_bidfloor, false);
    assert.deepEqual(patchTo(none, { ...none, endpoint: 'https://b.example/' }), {
      endpoint: 'https://b.example/',
    });
  });
});
