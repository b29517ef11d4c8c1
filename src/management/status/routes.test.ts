import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { NO_TRAFFIC } from '../../analytics/traffic.ts';
import { AnalyticsStoreError } from '../../ports/analytics-store.ts';
import { figuresOf } from '../../analytics/held.ts';
import type { NodeStatus } from '../../ports/node-status.ts';
import type { StatusFigures } from './routes.ts';
import { StatusSchema } from './schema.ts';

const CONTROL: StatusFigures['control'] = {
  uptimeSeconds: 3_600,
  snapshot: 'e.7',
  snapshotAgeSeconds: 600,
  analytics: 'open',
  quarantine: figuresOf([]),
  pid: 40,
  cpuSeconds: 12.5,
  residentBytes: 400_000_000,
};

function status(change: Partial<NodeStatus> = {}): NodeStatus {
  return {
    incarnation: '0123456789abcdef',
    host: 'machine-1',
    version: '1.2.3',
    snapshot: 'e.7',
    shipping: {
      backlogBytes: 1_000,
      backlogSeconds: 0.5,
      loaded: 3,
      already: 1,
      quarantined: 0,
      conflicts: 0,
      retries: 4,
      shippedBytes: 5_000,
      missingRecords: 0,
      shortenedSegments: 0,
      unreadableSegments: 0,
    },
    journal: { moneyBytes: 900, traceBytes: 100, removedSegments: 6 },
    notices: {
      outcomes: {
        win: { delivered: 5, givenUp: 1, dropped: 0 },
        billing: { delivered: 4, givenUp: 2, dropped: 0 },
        loss: { delivered: 8, givenUp: 5, dropped: 3 },
      },
      pending: { win: 1, billing: 2, loss: 3 },
      oldestSeconds: 12,
      tries: 20,
      failingDestinations: 1,
      partners: [
        { demandPartnerId: 1001, waiting: 3, failing: 1, givenUp: 3 },
        { demandPartnerId: 1002, waiting: 1, failing: 0, givenUp: 0 },
      ],
      storeSeconds: 0.25,
    },
    process: { cpuSeconds: 1.5, residentBytes: 100_000_000 },
    processes: [
      { role: 'courier', worker: 0, pid: 41, cpuSeconds: 1.5, residentBytes: 100_000_000 },
      { role: 'exchange', worker: 1, pid: 42, cpuSeconds: 9, residentBytes: 200_000_000 },
    ],
    gone: [],
    ...change,
  };
}

/** The answer of the endpoint where control knows these figures. */
async function statusOf(
  t: Parameters<typeof openManagement>[0],
  figures: Omit<StatusFigures, 'certificates'> & Partial<StatusFigures>,
) {
  const server = await openManagement(t, undefined, {
    readStatus: async () => ({ certificates: [], ...figures }),
  });
  const operator = await apiOf(server, 'operator@example.com', ['read']);
  const answer = await operator('GET', '/status/');
  assert.equal(answer.status, 200);
  assert.ok(Compile(StatusSchema).Check(answer.body), JSON.stringify(answer.body));
  return answer.body;
}

test('a node that is well is shown with its backlog and notices, and nothing asks for attention', async (t) => {
  const nodes = [{ status: status(), ageSeconds: 1.5 }];
  const { control, nodes: shown, attention } = await statusOf(t, { control: CONTROL, nodes });
  assert.deepEqual(control, {
    uptime_seconds: 3_600,
    snapshot: 'e.7',
    analytics: 'open',
    quarantine: {
      entries: 0,
      refused_records: 0,
      damaged_places: 0,
      missing_records: 0,
      damaged_segments: [],
    },
    processes: [{ role: 'control', pid: 40, cpu_seconds: 12.5, resident_bytes: 400_000_000 }],
  });
  assert.deepEqual(attention, []);
  const [node] = shown;
  assert.ok(node !== undefined);
  assert.deepEqual(
    [node.id, node.host, node.version, node.age_seconds, node.snapshot],
    ['0123456789abcdef', 'machine-1', '1.2.3', 1.5, 'e.7'],
  );
  assert.deepEqual(node.processes, [
    { role: 'courier', pid: 41, cpu_seconds: 1.5, resident_bytes: 100_000_000 },
    { role: 'exchange', pid: 42, cpu_seconds: 9, resident_bytes: 200_000_000 },
  ]);
  assert.deepEqual(
    [node.journal.backlog_bytes, node.journal.backlog_seconds, node.journal.disk_bytes],
    [1_000, 0.5, 1_000],
  );
  assert.deepEqual(node.notices, {
    pending: { win: 1, billing: 2, loss: 3 },
    oldest_seconds: 12,
    failing_destinations: 1,
    given_up: 3,
    failing_demand_partners: [1001],
  });
});

const HELD = {
  entries: 2,
  refused: 2,
  damaged: 1,
  missing: 40,
  damagedSegments: ['money-0.ndjson'],
};

test('what needs a person is told with what to do, the most urgent first', async (t) => {
  const { shipping, notices, journal } = status();
  if (notices === undefined) assert.fail('a status has notices');
  const bad = status({
    snapshot: 'e.6',
    shipping: { ...shipping, backlogSeconds: 95, conflicts: 1, unreadableSegments: 2 },
    notices: { ...notices, oldestSeconds: 700 },
    journal: { ...journal, disk: { freeBytes: 499_000_000, reserveBytes: 250_000_000.5 } },
  });
  const { attention } = await statusOf(t, {
    control: { ...CONTROL, analytics: 'opening', quarantine: HELD },
    nodes: [
      { status: bad, ageSeconds: 2 },
      { status: status({ incarnation: 'fedcba9876543210' }), ageSeconds: 40 },
      { status: status({ incarnation: 'aaaaaaaaaaaaaaaa', snapshot: '' }), ageSeconds: 1 },
    ],
  });
  assert.deepEqual(
    attention.map(({ code, node }) => [code, node]),
    [
      ['analytics_not_open', null],
      ['journal_damaged', null],
      ['records_quarantined', null],
      ['batches_in_conflict', '0123456789abcdef'],
      ['segments_unreadable', '0123456789abcdef'],
      ['node_silent', 'fedcba9876543210'],
      ['node_without_snapshot', 'aaaaaaaaaaaaaaaa'],
      ['snapshot_behind', '0123456789abcdef'],
      ['disk_low', '0123456789abcdef'],
      ['journal_backlog', '0123456789abcdef'],
      ['notices_late', '0123456789abcdef'],
    ],
  );
  const late = attention.at(-1);
  assert.equal(
    late?.message,
    'Node 0123456789abcdef on machine-1 has 3 win or billing notices waiting, one since 700 s (demand partners 1001).',
  );
});

test('a store that is not the one that was loaded into is told of, with the command that goes on', async (t) => {
  for (const [analytics, said] of [
    ['empty', /is empty, and was not before/],
    ['another', /is another one than was loaded into/],
    ['older', /lacks records that had been loaded/],
  ] as const) {
    const nodes = [{ status: status(), ageSeconds: 1 }];
    const { attention } = await statusOf(t, { control: { ...CONTROL, analytics }, nodes });
    const [found] = attention;
    assert.equal(found?.code, 'analytics_replaced');
    assert.match(found.message, said);
    assert.match(found.action, /run rialto reoffer/);
  }
});

test('what has only begun is no alarm: a start, and a change that nodes have time for yet', async (t) => {
  const starting = { ...CONTROL, uptimeSeconds: 5, analytics: 'opening' as const };
  assert.deepEqual((await statusOf(t, { control: starting, nodes: [] })).attention, []);
  const changed = { ...CONTROL, snapshot: 'e.8', snapshotAgeSeconds: 1 };
  const nodes = [{ status: status(), ageSeconds: 1 }];
  assert.deepEqual((await statusOf(t, { control: changed, nodes })).attention, []);
  const { attention } = await statusOf(t, { control: { ...CONTROL, snapshot: null }, nodes: [] });
  assert.deepEqual(
    attention.map(({ code }) => code),
    ['no_nodes', 'no_snapshot'],
  );
});

test('a courier of an earlier version tells of no notices, and only operators read the status', async (t) => {
  const { notices: _, ...earlier } = status();
  const nodes = [{ status: earlier, ageSeconds: 1 }];
  assert.equal((await statusOf(t, { control: CONTROL, nodes })).nodes[0]?.notices, null);
  const server = await openManagement(t);
  for (const email of ['engineer@acme.example', 'ads@planet.example']) {
    assert.equal((await (await apiOf(server, email))('GET', '/status/')).status, 403);
  }
});

test('bidders that fail or were stopped, and traffic that ends, ask for attention', async (t) => {
  const server = await openManagement(t, undefined, {
    readStatus: async () => ({
      certificates: [],
      control: CONTROL,
      nodes: [{ status: status(), ageSeconds: 1 }],
    }),
    readPulse: async () => ({ requests: 86_400, recentRequests: 0, recentFilled: 0 }),
    readBidderSums: async ({ toS }) => {
      const sums = { ...NO_TRAFFIC, bid_requests: 50, timeouts: 50, reasons: new Map() };
      return new Map([[1001, new Map([[toS - 20, sums]])]]);
    },
  });
  const operator = await apiOf(server, 'operator@example.com');
  await operator('POST', '/demand-partners/1002/bidder/stop/', { reason: 'broken JSON' });
  const { body } = await operator('GET', '/status/');
  assert.ok(Compile(StatusSchema).Check(body), JSON.stringify(body));
  assert.deepEqual(
    body.attention.map(({ code, demand_partner_id: id }: Record<string, unknown>) => [code, id]),
    [
      ['no_traffic', undefined],
      ['bidder_failing', 1001],
      ['bidder_stopped', 1002],
    ],
  );
  assert.match(
    String(body.attention[0]?.message),
    /in the last five minutes; on the day before .* 86,400/,
  );
  assert.match(
    String(body.attention[1]?.message),
    /^Demand partner 1001: The bidder of .* fails\./,
  );
});

test('ad requests of which nothing is sold ask for attention once there are some', async (t) => {
  for (const [recentRequests, codes] of [
    [99, []],
    [100, ['nothing_sold']],
  ] as const) {
    const server = await openManagement(t, undefined, {
      readStatus: async () => ({
        certificates: [],
        control: CONTROL,
        nodes: [{ status: status(), ageSeconds: 1 }],
      }),
      readPulse: async () => ({ requests: 200, recentRequests, recentFilled: 0 }),
      readBidderSums: async () => new Map(),
    });
    const { body } = await (await apiOf(server, 'operator@example.com'))('GET', '/status/');
    assert.deepEqual(
      body.attention.map(({ code }: { code: string }) => code),
      codes,
    );
  }
});

test('an analytics store that cannot answer asks for attention, and keeps nothing else from being told', async (t) => {
  const server = await openManagement(t, undefined, {
    readStatus: async () => ({
      certificates: [],
      control: CONTROL,
      nodes: [{ status: status(), ageSeconds: 42 }],
    }),
    readPulse: async () => {
      throw new AnalyticsStoreError('Cannot read all data: /var/lib/rialto/x', 33);
    },
    readBidderSums: async () => new Map(),
  });
  const { status: code, body } = await (
    await apiOf(server, 'operator@example.com')
  )('GET', '/status/');
  assert.equal(code, 200);
  assert.ok(Compile(StatusSchema).Check(body), JSON.stringify(body));
  assert.deepEqual(
    body.attention.map(({ code: each }: { code: string }) => each),
    ['analytics_failing', 'node_silent'],
  );
  assert.match(String(body.attention[0]?.message), /ClickHouse's error 33/);
  assert.doesNotMatch(JSON.stringify(body), /var\/lib/);
});

test('a certificate that is over, or will soon be, is told with its bidder, host and day', async (t) => {
  const of = { of: 'bidder of Acme', host: 'bid.acme.example:443', demandPartnerId: 1001 };
  const certificates = [
    { ...of, validToMs: Date.UTC(2026, 11, 1, 8), state: 'expiring' },
    { ...of, validToMs: Date.UTC(2026, 10, 1), state: 'expired', demandPartnerId: null },
    { ...of, validToMs: Date.UTC(2027, 10, 1), state: 'valid' },
    { ...of, validToMs: null, state: 'unknown' },
  ] as const;
  const nodes = [{ status: status(), ageSeconds: 1 }];
  const { attention } = await statusOf(t, { control: CONTROL, nodes, certificates });
  assert.deepEqual(
    attention.map(({ code, demand_partner_id: id, message }: Record<string, unknown>) => [
      code,
      id,
      message,
    ]),
    [
      [
        'certificate_expired',
        undefined,
        'The certificate of bid.acme.example:443 (bidder of Acme) has expired on 2026-11-01.',
      ],
      [
        'certificate_expiring',
        1001,
        'The certificate of bid.acme.example:443 (bidder of Acme) expires on 2026-12-01.',
      ],
    ],
  );
});
