import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, RialtoError } from '../base/errors.ts';
import { answerOtherMethods } from '../base/other-methods.ts';
import { describeProblems } from '../base/problem.ts';
import {
  DEMAND_DIMENSIONS,
  SUPPLY_DIMENSIONS,
  type DemandDimension,
  type Report,
  type SupplyDimension,
} from '../analytics/report.ts';
import { readReportQuery, type ReportQuery } from './parameters.ts';
import { textOf } from './report-text.ts';
import { ReportSender } from './send-report.ts';

/** Whose reports an account token opens: one of both is set. */
export interface Account {
  readonly demandPartnerId: number | null;
  readonly publisherId: number | null;
}

export interface ReportingParts {
  /** Null for a token that nobody has. */
  readonly findAccount: (token: string) => Promise<Account | null>;
  readonly demandReport: (demandPartnerId: number, query: ReportQuery<DemandDimension>) => Report;
  /** Counts a report against the hourly limit of an account, such as `demand partner 1001`. */
  readonly takeReport: (account: string) => Promise<ReportQuota>;
  readonly supplyReport: (publisherId: number, query: ReportQuery<SupplyDimension>) => Report;
  /** Told what ended a report that was being sent. */
  readonly onCutOff: (error: Error) => void;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** What an account may still ask for. */
export interface ReportQuota {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until it is one more. */
  readonly moreInSeconds: number;
}

type Query = Readonly<Record<string, unknown>>;

/** A report in the format that was asked for. */
interface Answer {
  readonly format: 'json' | 'csv';
  readonly report: Report;
}

/**
 * The daily reporting API: `GET /reporting/brand/demand` and `/brand/supply`, each for the account
 * whose token is given. Errors come in the reports' own form, as JSON, or as one line of text where
 * CSV was asked for.
 */
export function registerReporting(app: FastifyInstance, parts: ReportingParts): void {
  const sender = new ReportSender(parts.onCutOff);
  serve(app, sender, '/reporting/brand/demand', async (query, reply) => {
    const { demandPartnerId } = await identify(query, parts);
    if (demandPartnerId === null) throw new RialtoError('wrong_account');
    const asked = readOrThrow(query, DEMAND_DIMENSIONS, parts.now());
    await takeReport(`demand partner ${demandPartnerId}`, parts, reply);
    return { format: asked.format, report: parts.demandReport(demandPartnerId, asked) };
  });
  serve(app, sender, '/reporting/brand/supply', async (query, reply) => {
    const { publisherId } = await identify(query, parts);
    if (publisherId === null) throw new RialtoError('wrong_account');
    const asked = readOrThrow(query, SUPPLY_DIMENSIONS, parts.now());
    await takeReport(`publisher ${publisherId}`, parts, reply);
    return { format: asked.format, report: parts.supplyReport(publisherId, asked) };
  });
}

/** Answers on a path, with and without the slash at its end. */
function serve(
  app: FastifyInstance,
  sender: ReportSender,
  path: string,
  answer: (query: Query, reply: FastifyReply) => Promise<Answer>,
): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-store');
    const { format, report } = await answer(Object(request.query), reply);
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
    return sender.send(reply, textOf(report, format));
  };
  for (const url of [path, `${path}/`]) app.get(url, { errorHandler: answerError }, handle);
  answerOtherMethods(app, path, ['GET'], { errorHandler: answerError });
}

/**
 * Counts the report before it is made, and says in the answer what is left
 * (draft-ietf-httpapi-ratelimit-headers). A request with wrong parameters makes none.
 */
async function takeReport(
  account: string,
  { takeReport: take }: ReportingParts,
  reply: FastifyReply,
): Promise<void> {
  const { isAllowed, limit, windowSeconds, remaining, moreInSeconds } = await take(account);
  reply.headers({
    'ratelimit-policy': `"hour";q=${limit};w=${windowSeconds}`,
    ratelimit: `"hour";r=${remaining};t=${moreInSeconds}`,
  });
  if (isAllowed) return;
  reply.header('retry-after', String(moreInSeconds));
  throw new RialtoError('too_many_reports');
}

async function identify(query: Query, { findAccount }: ReportingParts): Promise<Account> {
  const { account_auth_token: token } = query;
  const account = typeof token === 'string' && token !== '' ? await findAccount(token) : null;
  if (account === null) throw new RialtoError('invalid_account_token');
  return account;
}

function readOrThrow<Dimension extends string>(
  query: Query,
  dimensions: readonly Dimension[],
  now: number,
): ReportQuery<Dimension> {
  const checked = readReportQuery(query, dimensions, now);
  if (!checked.ok) throw new RialtoError('invalid_parameter', checked.problems);
  return checked.value;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // What was not foreseen is for the server's own handler, which logs it.
  if (!(error instanceof RialtoError)) throw error;
  const { status, message } = ERRORS[error.code];
  const said = [message, describeProblems(error.problems)].filter((text) => text !== '').join(' ');
  const { format } = Object(request.query);
  reply.code(status).header('cache-control', 'no-store');
  if (status === 503) reply.header('retry-after', '1');
  if (format === 'csv') {
    reply.type('text/plain; charset=utf-8').send(`${said}\n`);
  } else {
    reply.send({ status: 'error', code: error.code, message: said, data: [], result_count: 0 });
  }
}
