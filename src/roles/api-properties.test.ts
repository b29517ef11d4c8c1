import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fastify, type LightMyRequestResponse } from 'fastify';
import { AnswerChecks } from '../../test/support/api-checks.ts';
import {
  operationsOf,
  requestOf,
  type ApiOperation,
  type ApiRequest,
} from '../../test/support/api-requests.ts';
import { runs } from '../../test/support/effort.ts';
import { tokenOf, rowsOf } from '../../test/support/management.ts';
import { dumpStore } from '../../test/support/store-dump.ts';
import { idsOf, openTenants, type Tenants } from '../../test/support/tenants.ts';
import { allEndpoints } from '../management/all-endpoints.ts';
import type { Report } from '../analytics/report.ts';
import { registerReporting } from '../reporting/routes.ts';
import { apiDocument } from './api-document.ts';

const OPERATOR = 'operator@example.com';

test('every operation answers as it is described, whatever it is sent, and a refusal changes nothing', async (t) => {
  const tenants = await openTenants(t);
  const all = operationsOf(apiDocument(await allEndpoints()));
  const operations = all.filter(({ path }) => !path.startsWith('/reporting/'));
  assert.ok(operations.length >= 9);
  const access = await Access.open(tenants);
  for (const operation of operations) {
    const checks = new AnswerChecks(operation);
    const request = requestOf(operation, await knownIds(tenants, operation));
    const property = fc.asyncProperty(request, async (sent) => {
      const { answer, before } = await access.send(operation, sent);
      checks.check(answer);
      if (answer.statusCode < 400) return;
      assert.equal(withoutSignIns(await dumpStore(tenants.db)), withoutSignIns(before));
    });
    await fc.assert(property, { numRuns: runs(5) });
  }
});

/** A sign-in that was refused stands in the audit log, and changes nothing else. */
function withoutSignIns(dump: string): string {
  return dump.replaceAll(/^audit_log .*"action":"sign_in_failed".*\n?/gm, '');
}

test('every report answers as it is described, whatever it is asked for', async (t) => {
  const app = fastify();
  t.after(() => app.close());
  const report = (groupBy: readonly string[]): Report => {
    const names = [
      'gross_revenue',
      'payout',
      'impressions',
      'bids',
      'clicks',
      'dsp_requests',
      'wins',
    ];
    const cells = names.map((name) => [name, 1] as const);
    return { columns: [...groupBy, ...names], rows: rowsOf(Object.fromEntries(cells)) };
  };
  registerReporting(app, {
    findAccount: (token) =>
      Promise.resolve(token === 'good' ? { demandPartnerId: 1001, publisherId: 2001 } : null),
    demandReport: (_, { groupBy }) => report(groupBy),
    supplyReport: (_, { groupBy }) => report(groupBy),
    onCutOff: (error) => assert.fail(error),
    takeReport: async () => ({
      isAllowed: true,
      limit: 100,
      windowSeconds: 3_600,
      remaining: 99,
      moreInSeconds: 3_600,
    }),
    now: () => Date.UTC(2026, 10, 20),
  });
  const reports = operationsOf(apiDocument([]));
  for (const operation of reports.filter(({ path }) => path.startsWith('/reporting/'))) {
    const checks = new AnswerChecks(operation);
    const property = fc.asyncProperty(
      requestOf(operation, {}),
      fc.constantFrom('good', 'good', 'good', 'bad', ''),
      async ({ url }, token) => {
        const url2 = `${url}${url.includes('?') ? '&' : '?'}account_auth_token=${token}`;
        checks.check(await app.inject({ url: url2 }));
      },
    );
    await fc.assert(property, { numRuns: runs(30) });
  }
});

interface Sent {
  readonly answer: LightMyRequestResponse;
  readonly before: string;
}

/** Calls operations as an operator, who may call most; some requests take away what he calls with. */
class Access {
  readonly #tenants: Tenants;
  #token: string;

  constructor(tenants: Tenants, token: string) {
    this.#tenants = tenants;
    this.#token = token;
  }

  static async open(tenants: Tenants): Promise<Access> {
    return new Access(tenants, await tokenOf(tenants.db, OPERATOR, ['read', 'write']));
  }

  /** The answer, and what was in the store before. */
  async send(operation: ApiOperation, request: ApiRequest): Promise<Sent> {
    const before = await dumpStore(this.#tenants.db);
    const answer = await this.#try(operation, request);
    if (answer.statusCode !== 401 || !operation.path.startsWith('/api/')) return { answer, before };
    this.#token = await tokenOf(this.#tenants.db, OPERATOR, ['read', 'write']);
    const renewed = await dumpStore(this.#tenants.db);
    return { answer: await this.#try(operation, request), before: renewed };
  }

  #try({ method, path }: ApiOperation, { url, headers, body }: ApiRequest) {
    const authorization = path.startsWith('/api/')
      ? { authorization: `Bearer ${this.#token}` }
      : {};
    return this.#tenants.app.inject({
      method,
      url,
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }
}

async function knownIds(
  { db }: Tenants,
  { path }: ApiOperation,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const known: Record<string, readonly string[]> = {};
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    // One after the other, as they stand in the path.
    // oxlint-disable-next-line no-await-in-loop
    const ids = await idsOf(db, name);
    if (ids !== null)
      known[name] = [ids.mine, ids.mine, ids.mine, ids.others, ids.others, ids.missing];
  }
  return known;
}
