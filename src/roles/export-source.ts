import { readCountFacts } from '../analytics/count-facts.ts';
import { readLog } from '../analytics/read-log.ts';
import { readDemandReport, readSupplyReport } from '../analytics/report.ts';
import { readDaySums, readIdSums } from '../analytics/sums.ts';
import { loadedUntilMs } from '../control/loaded-until.ts';
import type { NodeRegister } from '../control/node-register.ts';
import type { ExportSource } from '../management/exports/parts.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';

/**
 * What exports are read from: the analytics store, which is as far as the nodes have handed over.
 *
 * @param opened throws as long as the store is not open.
 */
export function createExportSource(
  opened: () => AnalyticsStore,
  nodes: Pick<NodeRegister, 'nodes'>,
): ExportSource {
  return {
    log: (owner, window) => readLog(opened(), owner, window),
    demandReport: async (question) => readDemandReport(opened(), question),
    supplyReport: async (question) => readSupplyReport(opened(), question),
    daySums: async (question) => readDaySums(opened(), question),
    idSums: async (question) => readIdSums(opened(), question),
    countFacts: async (question) => readCountFacts(opened(), question),
    loadedUntilMs: () => loadedUntilMs(nodes.nodes, Date.now()),
  };
}
