import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallView, OperatorAuction } from '../../../src/management/auctions/schema.ts';
import { timelineOf } from './timeline-scale.ts';

const CALL: CallView = {
  demand_partner: { id: 1001, name: 'Acme DSP' },
  request_id: null,
  outcome: 'timeout',
  reason: '',
  detail: null,
  imps: [0],
  deals: null,
  line_items: [{ id: 501, name: null }],
  at: 2,
  sent_after_ms: null,
  tmax_ms: null,
  answered_after_ms: null,
  status: null,
  response_bytes: null,
  request: null,
  response: null,
  sentence: '',
};

const AUCTION: OperatorAuction = {
  view: 'operator',
  id: '019aa1b2c3d4e5f60718293a4b5c6d7e',
  at: '2026-11-20T12:00:00.000Z',
  test: false,
  publisher_decides: false,
  place: {
    publisher_id: 2001,
    property_id: 3001,
    app_bundle: '',
    app_site_domain: '',
    categories: [],
  },
  configuration: { version: 'e1.1', present_version: 'e1.1', is_present: true, sentence: '' },
  trace: { is_kept: true, sentence: '' },
  calls: [],
  bids: [],
  beacons: [],
  notices: [],
  sentence: '',
  request_id: 'r1',
  publisher_name: null,
  property_name: null,
  audience: {
    country: '',
    platform: '',
    os: '',
    language: '',
    connectiontype: 0,
    has_location: false,
  },
  tmax_ms: null,
  duration_ms: null,
  imps: [],
  bids_dropped: 0,
  not_called: [],
  not_called_dropped: 0,
};

describe('the timeline of an auction', () => {
  const sent: CallView = { ...CALL, sent_after_ms: 300, answered_after_ms: 150, tmax_ms: 145 };
  const unsent = CALL;

  it('ends a bar so long after it began as the answer took', () => {
    const { bars } = timelineOf({ ...AUCTION, calls: [sent] });
    assert.deepEqual(
      bars.map(({ startMs, endMs, deadlineMs }) => [startMs, endMs, deadlineMs]),
      [[300, 450, 445]],
    );
  });

  it('puts calls that were not sent below the others, and keeps their index', () => {
    const { bars } = timelineOf({ ...AUCTION, calls: [unsent, sent] });
    assert.deepEqual(
      bars.map(({ index, startMs }) => [index, startMs]),
      [
        [1, 300],
        [0, null],
      ],
    );
  });

  it('reaches beyond what happened, in even steps', () => {
    const auction = { ...AUCTION, tmax_ms: 500, duration_ms: 453.2, calls: [sent] };
    const { endMs, ticks } = timelineOf(auction);
    assert.equal(endMs, 600);
    assert.deepEqual(ticks, [0, 100, 200, 300, 400, 500, 600]);
  });

  it('is there without any call', () => {
    const { bars, ticks } = timelineOf({ ...AUCTION, calls: [] });
    assert.deepEqual(bars, []);
    assert.ok(ticks.length > 1);
  });
});
