import { isDate, reportWindow, type DateWindow } from '../analytics/dates.ts';
import type { Checked, Problem } from '../base/problem.ts';

/** A report that was asked for, its parameters checked. Dates are UTC days, both included. */
export interface ReportQuery<Dimension extends string> {
  readonly startDate: string;
  readonly endDate: string;
  readonly format: 'json' | 'csv';
  /** In the order asked for; `date` when nothing was. */
  readonly groupBy: readonly Dimension[];
}

/**
 * Reads the parameters of a report, but for the account's token. Everything that is wrong is told
 * at once; `pointer` is the name of the parameter.
 *
 * @param query the query string as it was parsed: a parameter given twice is a list.
 * @param now Unix time in milliseconds, which decides what the current month is.
 */
export function readReportQuery<Dimension extends string>(
  query: Readonly<Record<string, unknown>>,
  dimensions: readonly Dimension[],
  now: number,
): Checked<ReportQuery<Dimension>> {
  const problems: Problem[] = [];
  const startDate = readDate(query, 'start_date', problems);
  const endDate = readDate(query, 'end_date', problems);
  const format = readFormat(query, problems);
  const groupBy = readGroupBy(query, dimensions, problems);
  for (const name of Object.keys(query)) {
    if (PARAMETERS.some((each) => each === name)) continue;
    problems.push({ pointer: name, message: `is no parameter; use ${PARAMETERS.join(', ')}` });
  }
  if (startDate !== null && endDate !== null) {
    problems.push(...checkWindow(startDate, endDate, reportWindow(now)));
  }
  if (problems.length > 0 || startDate === null || endDate === null) {
    return { ok: false, problems };
  }
  return { ok: true, value: { startDate, endDate, format, groupBy } };
}

/** The parameters of a report, of which the token is read elsewhere. */
const PARAMETERS = ['account_auth_token', 'start_date', 'end_date', 'format', 'group_by'] as const;

export type ReportParameter = (typeof PARAMETERS)[number];

type Query = Readonly<Record<string, unknown>>;

function readDate(query: Query, name: string, problems: Problem[]): string | null {
  const value = query[name];
  if (typeof value === 'string' && isDate(value)) return value;
  const found = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
  problems.push({ pointer: name, message: `${found}; give a day as YYYY-MM-DD` });
  return null;
}

function readFormat(query: Query, problems: Problem[]): 'json' | 'csv' {
  const { format = 'json' } = query;
  if (format === 'json' || format === 'csv') return format;
  problems.push({ pointer: 'format', message: `is ${JSON.stringify(format)}; use json or csv` });
  return 'json';
}

function readGroupBy<Dimension extends string>(
  query: Query,
  dimensions: readonly Dimension[],
  problems: Problem[],
): readonly Dimension[] {
  const { group_by: given = 'date' } = query;
  const allowed = `use one or several of ${dimensions.join(', ')}, with commas between them`;
  if (typeof given !== 'string') {
    problems.push({ pointer: 'group_by', message: `is given several times; ${allowed}` });
    return [];
  }
  const groupBy: Dimension[] = [];
  for (const name of given.split(',')) {
    const dimension = dimensions.find((each) => each === name);
    const what = name === '' ? 'has an empty entry' : `has ${JSON.stringify(name)}`;
    if (dimension === undefined) {
      problems.push({ pointer: 'group_by', message: `${what}; ${allowed}` });
    } else if (groupBy.includes(dimension)) {
      problems.push({ pointer: 'group_by', message: `${what} twice; ${allowed}` });
    } else groupBy.push(dimension);
  }
  return groupBy;
}

function checkWindow(startDate: string, endDate: string, { first, last }: DateWindow): Problem[] {
  if (startDate > endDate) {
    const message = `is ${startDate}, after end_date ${endDate}; give the earlier day first`;
    return [{ pointer: 'start_date', message }];
  }
  const problems: Problem[] = [];
  const allowed = `days from ${first} to ${last} can be had`;
  if (startDate < first || startDate > last) {
    problems.push({ pointer: 'start_date', message: `is ${startDate}; ${allowed}` });
  }
  if (endDate < first || endDate > last) {
    problems.push({ pointer: 'end_date', message: `is ${endDate}; ${allowed}` });
  }
  return problems;
}
