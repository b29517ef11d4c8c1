import type { Endpoints } from '../endpoints.ts';
import { addComparisons } from './comparisons.ts';
import { addLogs } from './log.ts';
import type { ExportParts } from './parts.ts';
import { addReports } from './reports.ts';
import { addStatements } from './statements.ts';

/** What an account takes away: its log, reports and statements, and what compares them with its own. */
export function registerExports(endpoints: Endpoints, parts: ExportParts): void {
  addLogs(endpoints, parts);
  addReports(endpoints, parts);
  addStatements(endpoints, parts);
  addComparisons(endpoints, parts);
}
