import type { Kysely } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import {
  findReportingToken,
  issueReportingToken,
  revokeReportingToken,
} from '../../configuration/reporting-tokens.ts';
import { ofDemandPartner, ofPublisher, type Owner } from '../../configuration/resources/owner.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller, CallerRole } from '../../identity/caller.ts';
import { actorOf } from '../actor.ts';
import { DEMAND_SIDE, NO_BODY, NO_QUERY, SUPPLY_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { GraceSchema, previousOf, showPrevious } from '../grace.ts';
import { demandPartnerOf, publisherOf } from '../owners.ts';
import type { Params } from '../resource.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { showInstant } from '../shown.ts';
import {
  IssuedReportingTokenSchema,
  ShownReportingTokenSchema,
  type IssuedReportingToken,
  type ShownReportingToken,
} from './schema.ts';

const EXAMPLE: ShownReportingToken = {
  prefix: 'rialto_report_dG5b5u',
  created_at: '2026-11-20T08:15:00.000Z',
  previous: { expires_at: '2026-11-21T08:15:00.000Z' },
};

const ISSUED_EXAMPLE: IssuedReportingToken = {
  ...EXAMPLE,
  token: 'rialto_report_dG5b5uxsPauVU9MbhL0chz7p6oTLEJslTAgEd2e8x3k',
};

/** One of the two kinds of accounts that reports are for. */
interface Side {
  /** `DemandPartner`, for the names of operations. */
  readonly name: string;
  readonly noun: string;
  readonly path: string;
  /** The parameter of the path that names the owner. */
  readonly param: string;
  readonly roles: readonly CallerRole[];
  /** @throws RialtoError `not_found` for what is another's, or where nothing is. */
  readonly ownerOf: (db: Kysely<Database>, caller: Caller, params: Params) => Promise<Owner>;
}

const SIDES: readonly Side[] = [
  {
    name: 'DemandPartner',
    noun: 'demand partner',
    path: '/demand-partners/:demand_partner_id/reporting-token',
    param: 'demand_partner_id',
    roles: DEMAND_SIDE,
    ownerOf: async (db, caller, params) =>
      ofDemandPartner(await demandPartnerOf(db, caller, params)),
  },
  {
    name: 'Publisher',
    noun: 'publisher',
    path: '/publishers/:publisher_id/reporting-token',
    param: 'publisher_id',
    roles: SUPPLY_SIDE,
    ownerOf: async (db, caller, params) => ofPublisher(await publisherOf(db, caller, params)),
  },
];

/** The tokens that open the daily reports: one for each demand partner and publisher. */
export function registerReportingTokens(endpoints: Endpoints, parts: ResourceParts): void {
  for (const side of SIDES) {
    addReading(endpoints, side, parts);
    addIssuing(endpoints, side, parts);
    addRevoking(endpoints, side, parts);
  }
}

const TAG = 'Reporting tokens';

function addReading(endpoints: Endpoints, side: Side, { db, now }: ResourceParts): void {
  const { name, noun, path, roles, ownerOf } = side;
  endpoints.add(
    {
      id: `get${name}ReportingToken`,
      method: 'GET',
      path,
      tag: TAG,
      summary: `Tell which reporting token a ${noun} has`,
      description: 'Not found where there is none, or it was revoked.',
      roles,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the token, without itself',
        schema: ShownReportingTokenSchema,
        example: EXAMPLE,
      },
    },
    async ({ caller, params }) => {
      const account = await findReportingToken(db, await ownerOf(db, caller, params));
      if (account === null) throw new RialtoError('not_found');
      return show(account, now());
    },
  );
}

function addIssuing(endpoints: Endpoints, side: Side, { db, now }: ResourceParts): void {
  const { name, noun, path, roles, ownerOf } = side;
  endpoints.add(
    {
      id: `issue${name}ReportingToken`,
      method: 'POST',
      path,
      tag: TAG,
      summary: `Give a ${noun} a new reporting token`,
      description:
        'The token is shown once. The one that there was stays good for `grace_seconds` (with 0 it ends at once), the one before that ends.',
      roles,
      query: NO_QUERY,
      body: { schema: GraceSchema, example: { grace_seconds: 86_400 } },
      answer: {
        status: 201,
        meaning: 'the token',
        schema: IssuedReportingTokenSchema,
        shownOnce: side.param,
        example: ISSUED_EXAMPLE,
      },
    },
    async ({ caller, params, body }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const { token, account } = await db.transaction().execute(async (transaction) => {
        const owner = await ownerOf(transaction, caller, params);
        return issueReportingToken(transaction, owner, {
          by,
          keepPrevious: (hash) => previousOf(hash, body, by.nowMs),
        });
      });
      return { ...show(account, by.nowMs), token };
    },
  );
}

function addRevoking(endpoints: Endpoints, side: Side, { db, now }: ResourceParts): void {
  const { name, noun, path, roles, ownerOf } = side;
  endpoints.add(
    {
      id: `revoke${name}ReportingToken`,
      method: 'DELETE',
      path,
      tag: TAG,
      summary: `Revoke the reporting token of a ${noun}`,
      description: 'It ends at once, and so does one before it that was still good.',
      roles,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 204, meaning: 'it is revoked', schema: null },
    },
    async ({ caller, params }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const wasThere = await db.transaction().execute(async (transaction) => {
        const owner = await ownerOf(transaction, caller, params);
        return revokeReportingToken(transaction, owner, by);
      });
      if (!wasThere) throw new RialtoError('not_found');
    },
  );
}

/** An account changes only when its token does. */
function show(account: Database['accounts'], nowMs: number): ShownReportingToken {
  return {
    prefix: account.token_prefix,
    created_at: showInstant(account.updated_at),
    previous: showPrevious(account.previous_token_until, nowMs),
  };
}
