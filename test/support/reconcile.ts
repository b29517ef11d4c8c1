import assert from 'node:assert/strict';
import { exitCodeOf } from '../../src/base/exit-codes.ts';
import type { ReconcileReport } from '../../src/commands/reconcile-section.ts';
import { runRialto } from './node.ts';
import { until } from './wait.ts';

/**
 * What a node's `rialto reconcile` says of today, as soon as it has all that is waited for. Until then control
 * may not have its store open, and records may wait to be loaded.
 */
export function reconciledWhen(
  dataDirectory: string,
  isWhole: (report: ReconcileReport) => boolean,
): Promise<ReconcileReport> {
  return until('all is loaded and compared', 60_000, async () => {
    const report = await reconcile(dataDirectory);
    return report !== undefined && isWhole(report) && report;
  });
}

/** The comparison as it stands; undefined as long as control cannot answer. */
async function reconcile(dataDirectory: string): Promise<ReconcileReport | undefined> {
  const command = ['reconcile', '--data', dataDirectory, '--json'];
  const { code, stdout, stderr } = await runRialto(command);
  if (code === exitCodeOf('unreachable')) return undefined;
  assert.notEqual(stdout, '', stderr);
  const report: ReconcileReport = JSON.parse(stdout);
  if (!report.isEmpty) assert.equal(code, exitCodeOf(report.agrees ? 'done' : 'failed'), stdout);
  return report;
}
