import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { Compile } from 'typebox/compile';
import { NodeStatusSchema, type NodeStatus } from '../ports/node-status.ts';
import { registerNodeMetrics } from './node-metrics.ts';
import { NodeRegister } from './node-register.ts';

const HOUR_MS = 60 * 60 * 1000;

function status(incarnation: string, backlogBytes: number): NodeStatus {
  return {
    incarnation,
    host: 'machine-1',
    version: '1.2.3',
    snapshot: 'e.7',
    shipping: {
      backlogBytes,
      backlogSeconds: 2.5,
      loaded: 3,
      already: 1,
      quarantined: 0,
      conflicts: 0,
      retries: 4,
      shippedBytes: 5000,
      missingRecords: 0,
      shortenedSegments: 0,
      unreadableSegments: 0,
    },
    traces: {
      backlogBytes: 7,
      backlogSeconds: 1.5,
      loaded: 1,
      already: 0,
      quarantined: 0,
      conflicts: 0,
      retries: 0,
      shippedBytes: 70,
      missingRecords: 0,
    },
    journal: { moneyBytes: 900, traceBytes: 100, removedSegments: 6 },
    notices: {
      outcomes: {
        win: { delivered: 5, givenUp: 1, dropped: 0 },
        billing: { delivered: 4, givenUp: 0, dropped: 0 },
        loss: { delivered: 8, givenUp: 2, dropped: 3 },
      },
      pending: { win: 1, billing: 2, loss: 3 },
      oldestSeconds: 12,
      tries: 20,
      failingDestinations: 1,
      partners: [{ demandPartnerId: 1001, waiting: 3, failing: 1, givenUp: 4 }],
      storeSeconds: 0.25,
    },
    process: { cpuSeconds: 1.5, residentBytes: 1e8 },
    gone: [],
  };
}

/** A register at a time that the test sets, and the metrics of it. */
function metricsOf() {
  const time = { nowMs: 1_000_000 };
  const register = new NodeRegister(() => time.nowMs);
  const registry = new Registry();
  registerNodeMetrics(registry, register);
  return { time, register, lines: async () => (await registry.metrics()).split('\n') };
}

test('every node is a row of its own, with what it said last', async () => {
  const { time, register, lines } = metricsOf();
  register.take(status('a', 10));
  register.take(status('b', 20));
  time.nowMs += 3_000;
  register.take(status('a', 30));
  const text = await lines();
  for (const line of [
    'rialto_node_backlog_bytes{node="a"} 30',
    'rialto_node_backlog_bytes{node="b"} 20',
    'rialto_node_backlog_seconds{node="a"} 2.5',
    'rialto_node_retries_total{node="a"} 4',
    'rialto_node_trace_backlog_bytes{node="a"} 7',
    'rialto_node_trace_backlog_seconds{node="a"} 1.5',
    'rialto_node_trace_shipped_bytes_total{node="a"} 70',
    'rialto_node_batches_total{node="a",result="loaded"} 3',
    'rialto_node_journal_bytes{node="a",stream="trace"} 100',
    'rialto_node_notices_total{node="a",event="billing",outcome="delivered"} 4',
    'rialto_node_notices_total{node="a",event="loss",outcome="dropped"} 3',
    'rialto_node_notices_pending{node="a",event="billing"} 2',
    'rialto_node_notices_oldest_seconds{node="a"} 12',
    'rialto_node_notices_failing_destinations{node="a"} 1',
    'rialto_node_notices_waiting{node="a",demand_partner="1001"} 3',
    'rialto_node_notices_failing{node="a",demand_partner="1001"} 1',
    'rialto_node_notices_given_up_total{node="a",demand_partner="1001"} 4',
    'rialto_node_info{node="a",host="machine-1",version="1.2.3",snapshot="e.7"} 1',
    'rialto_node_silence_seconds{node="a"} 0',
    'rialto_node_silence_seconds{node="b"} 3',
  ]) {
    assert.ok(text.includes(line), `${line} in\n${text.join('\n')}`);
  }
});

test('a courier of an earlier version, which tells nothing of notices, is shown without them', async () => {
  const { register, lines } = metricsOf();
  const { notices: _, ...earlier } = status('0123456789abcdef', 10);
  assert.ok(Compile(NodeStatusSchema).Check(earlier));
  register.take(earlier);
  const text = (await lines()).filter((line) => line.includes('node="0123456789abcdef"'));
  assert.ok(text.includes('rialto_node_backlog_bytes{node="0123456789abcdef"} 10'));
  assert.deepEqual(
    text.filter((line) => line.includes('notice')),
    [],
  );
});

test('a node that has been silent for long is not shown', async () => {
  const { time, register, lines } = metricsOf();
  register.take(status('a', 10));
  time.nowMs += HOUR_MS;
  assert.equal(register.nodes.length, 1);
  time.nowMs += 1;
  assert.equal(register.nodes.length, 0);
  assert.deepEqual(
    (await lines()).filter((line) => line.includes('node="a"')),
    [],
  );
});

test('more nodes than there can be are not shown', () => {
  const { register } = metricsOf();
  for (let n = 0; n < 1001; n += 1) register.take(status(`node-${n}`, n));
  assert.equal(register.nodes.length, 1000);
  register.take(status('node-5', 7));
  assert.equal(register.nodes[5]?.status.shipping.backlogBytes, 7);
});
