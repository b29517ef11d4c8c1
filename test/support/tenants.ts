import type { TestContext } from 'node:test';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../src/configuration/schema.ts';
import type { CallerRole } from '../../src/identity/caller.ts';
import {
  MANY_REQUESTS,
  openManagement,
  sessionOf,
  tokenOf,
  type ManagementServer,
} from './management.ts';

/** An exchange with two buyers and two sellers, each of which has everything that can be had. */
export interface Tenants extends ManagementServer {
  readonly callers: readonly TenantCaller[];
}

/** Somebody who calls, and what must never be shown to him. */
export interface TenantCaller {
  readonly name: string;
  /** Null for no token at all. */
  readonly token: string | null;
  /** The headers of a browser in which he has signed in, where he has no token. */
  readonly session?: Readonly<Record<string, string>>;
  /** What a request gets that is refused before anybody looks where it leads. */
  readonly refused: 401 | null;
  readonly role: CallerRole;
  readonly mayWrite: boolean;
  /** False for operators, to whom all belongs. */
  readonly isTenant: boolean;
  /** His own ids, where they are not those that `idsOf` has as mine. */
  readonly own?: Readonly<Record<string, string>>;
  /** Texts that belong to others alone. */
  readonly hidden: readonly string[];
}

/** Texts of the second buyer and the second seller; they occur nowhere else. */
const BUYER = 'zqbuyer';
const SELLER = 'zqseller';
/** Their names, which the other side may have to know. */
const BUYER_NAME = 'zqnamedbuyer';
const SELLER_NAME = 'zqnamedseller';

const HIDDEN_FROM_BUYERS = [BUYER, SELLER, BUYER_NAME];
const HIDDEN_FROM_SELLERS = [BUYER, SELLER, SELLER_NAME];

export async function openTenants(t: TestContext): Promise<Tenants> {
  const server = await openManagement(t, () => FILE, MANY_REQUESTS);
  await addReviews(server.db);
  await addSubscriptions(server.db);
  return { ...server, callers: await callersOf(server.db) };
}

/** No file has reviews of creatives; each seller has made one. */
async function addReviews(db: Kysely<Database>): Promise<void> {
  const review = { demand_partner_id: 0, target: 'domain', verdict: 'blocked' } as const;
  const times = { created_at: 1_700_000_000_000, updated_at: 1_700_000_000_000 };
  await db
    .insertInto('creative_reviews')
    .values([
      { ...review, ...times, id: 6001, publisher_id: 2001, ...said('oneseller') },
      { ...review, ...times, id: 6002, publisher_id: 2002, ...said(SELLER) },
    ])
    .execute();
}

/** No file has webhooks and recipients of e-mail; each buyer and seller has one of each. */
async function addSubscriptions(db: Kysely<Database>): Promise<void> {
  const marks = [
    [1001, null, 'one'],
    [1002, null, BUYER],
    [null, 2001, 'oneseller'],
    [null, 2002, SELLER],
  ] as const;
  const times = { created_at: 1_700_000_000_000, updated_at: 1_700_000_000_000 };
  const secrets = { previous_secret: null, previous_secret_until: null };
  const kinds = [
    { channel: 'webhook', first: 7001 },
    { channel: 'email', first: 7101 },
  ] as const;
  const rows = kinds.flatMap(({ channel, first }) =>
    marks.map(([demand_partner_id, publisher_id, mark], index) => {
      const isWebhook = channel === 'webhook';
      const address = isWebhook ? `https://${mark}.example/` : `${mark}@two.example`;
      const secret = isWebhook ? `${mark}-secret` : null;
      const owned = { id: first + index, demand_partner_id, publisher_id, ...times, ...secrets };
      return { ...owned, channel, name: mark, address, secret };
    }),
  );
  for (const each of rows) {
    const events = '["creative.awaiting_review"]';
    const row = { ...each, events, status: 'ACTIVE' } as const;
    await db.insertInto('subscriptions').values(row).execute();
    const mark = row.name;
    const id = `${row.channel}_${mark}`;
    const delivery = {
      id: `dlv_${id}`,
      subscription_id: row.id,
      event_id: `evt_${id}`,
      tries: 0,
    };
    const body = JSON.stringify({ of: mark });
    const state = {
      type: 'subscription.test',
      state: 'pending',
      next_try_at: 1,
      created_at: 1,
    } as const;
    const untried = { tried_at: null, answer_status: null, failure: null };
    const sent = { ...delivery, ...state, ...untried, body };
    await db.insertInto('deliveries').values(sent).execute();
  }
}

function said(mark: string) {
  return { value: `${mark}.example`, reason: `${mark} says`, created_by: `${mark}@two.example` };
}

async function callersOf(db: Kysely<Database>): Promise<readonly TenantCaller[]> {
  const read = ['read'] as const;
  const write = ['read', 'write'] as const;
  const aBuyer = { role: 'demand-partner', isTenant: true, hidden: HIDDEN_FROM_BUYERS } as const;
  const aSeller = { role: 'publisher', isTenant: true, hidden: HIDDEN_FROM_SELLERS } as const;
  const nobody = { ...aBuyer, refused: 401, mayWrite: false } as const;
  const live = { refused: null, mayWrite: true } as const;
  const expired = await tokenOf(db, 'buyer@one.example', write);
  await db.updateTable('access_tokens').set({ expires_at: 1 }).execute();
  const archived = await tokenOf(db, 'gone@four.example', write);
  const archive = db.updateTable('demand_partners').set({ status: 'ARCHIVED' });
  await archive.where('id', '=', 1004).execute();
  const ended = await sessionOf(db, 'buyer@one.example');
  await db.updateTable('sessions').set({ expires_at: 1 }).execute();
  return [
    { ...nobody, name: 'nobody', token: null },
    { ...nobody, name: 'a session that has ended', token: null, session: ended },
    { ...nobody, name: 'a token that has expired', token: expired },
    { ...nobody, name: 'a token that never was', token: 'rialto_23_never' },
    { ...nobody, name: 'a user of an archived partner', token: archived },
    {
      ...aBuyer,
      name: 'a buyer who may only read',
      token: await tokenOf(db, 'buyer@one.example', read),
      refused: null,
      mayWrite: false,
    },
    { ...aBuyer, ...live, name: 'a buyer', token: await tokenOf(db, 'buyer@one.example', write) },
    {
      ...aBuyer,
      ...live,
      name: 'a buyer that is paused',
      token: await tokenOf(db, 'paused@three.example', write),
      own: { demand_partner_id: '1003', line_item_id: '503' },
    },
    {
      ...aBuyer,
      ...live,
      name: 'a buyer in a browser',
      token: null,
      session: await sessionOf(db, 'buyer@one.example'),
    },
    {
      ...aSeller,
      ...live,
      name: 'a seller',
      token: await tokenOf(db, 'seller@one.example', write),
    },
    {
      ...live,
      name: 'an operator',
      token: await tokenOf(db, 'operator@example.com', write),
      role: 'operator',
      isTenant: false,
      hidden: [],
    },
  ];
}

/** The ids that the parameter of an address may have. */
export interface Ids {
  readonly mine: string;
  readonly others: string;
  /** In the form of the others. */
  readonly missing: string;
}

/** What a parameter names: of the first buyer or seller, and of the second. Null for no name of these. */
export async function idsOf(db: Kysely<Database>, name: string): Promise<Ids | null> {
  const fixed = FIXED[name];
  if (fixed !== undefined) return idsFrom(...fixed);
  const query = STORED[name];
  if (query === undefined) return null;
  const { rows } = await query.execute(db);
  const [mine, others] = rows.map(({ id }) => String(id));
  return mine === undefined || others === undefined ? null : idsFrom(mine, others);
}

export function idsFrom(mine: string, others: string): Ids {
  return { mine, others, missing: /^\d+$/.test(others) ? '987654321' : 'qqmissing' };
}

const FIXED: Readonly<Record<string, readonly [mine: string, others: string]>> = {
  demand_partner_id: ['1001', '1002'],
  publisher_id: ['2001', '2002'],
  line_item_id: ['501', '502'],
  app_id: ['3001', '3003'],
  site_id: ['3002', '3004'],
  ad_space_id: ['4001', '4003'],
  deal_id: ['deal-one', `${BUYER}-deal`],
  auction_id: ['019aa1b2c3d4e5f60718293a4b5c6d7e', '019aa1b2c3d4e5f60718293a4b5c6d7f'],
};

/** Of the first and of the second buyer, in this order. */
const STORED: Readonly<Record<string, ReturnType<typeof sql<{ id: string | number }>>>> = {
  webhook_id: sql`select id from subscriptions where channel = 'webhook' and demand_partner_id in (1001, 1002) order by demand_partner_id`,
  email_recipient_id: sql`select id from subscriptions where channel = 'email' and demand_partner_id in (1001, 1002) order by demand_partner_id`,
  user_id: sql`select id from users where demand_partner_id in (1001, 1002) order by demand_partner_id`,
  application_id: sql`select a.id from applications a join users u on u.id = a.user_id
    where u.demand_partner_id in (1001, 1002) and a.name <> 'test' order by u.demand_partner_id`,
};

function buyer(id: number, names: { readonly name: string; readonly mark: string }): string {
  const { name, mark } = names;
  const email =
    { 1001: 'buyer@one.example', 1003: 'paused@three.example' }[id] ?? `${mark}@two.example`;
  // The first has the client of the reference's examples.
  const client = id === 1001 ? 'acme' : mark;
  return `
  - id: ${id}
    name: ${name}
    status: ${id === 1003 ? 'PAUSED' : 'ACTIVE'}
    account_auth_token: ${mark}-report-token
    users:
      - email: ${id === 1004 ? 'gone@four.example' : email}
        applications: [{ name: ${mark}-app, client_id: ${client}-client, client_secret: ${client}-secret }]
    bidder: { endpoint: "http://127.0.0.1:9101/${mark}", openrtb_version: "2.5", timeout_ms: 200 }
    line_items: [{ id: ${id - 500}, name: ${mark} everywhere, seat: ${mark}-seat }]`;
}

function seller(
  id: number,
  names: { readonly name: string; readonly mark: string; readonly email: string },
): string {
  const { name, mark, email } = names;
  const first = (id - 2001) * 2;
  return `
  - id: ${id}
    name: ${name}
    status: ACTIVE
    account_auth_token: ${mark}-report-token
    revenue_share: 0.8
    users: [{ email: ${email}, applications: [{ name: ${mark}-app, client_id: ${mark}-client, client_secret: ${mark}-secret }] }]
    apps:
      - id: ${3001 + first}
        name: ${mark} app
        bundle: com.${mark}.app
        platform: Android
        categories: [IAB12]
        ad_spaces: [{ id: ${4001 + first}, name: ${mark} banner, banner: { sizes: [320x50] }, floor: 0.20 }]
    sites:
      - id: ${3002 + first}
        name: ${mark} site
        domain: ${mark}.example
        categories: [IAB12]
        ad_spaces: [{ id: ${4002 + first}, name: ${mark} box, banner: { sizes: [300x250] }, floor: 0.30 }]`;
}

const FILE = `exchange:
  name: Matrix
  domain: exchange.example
  allow_private_addresses: [127.0.0.0/8]
operators:
  - email: operator@example.com
    applications: [{ name: ops, client_id: ops, client_secret: ops-secret }]
demand_partners:${[
  buyer(1001, { name: 'First buyer', mark: 'one' }),
  buyer(1002, { name: BUYER_NAME, mark: BUYER }),
  buyer(1003, { name: 'Paused buyer', mark: 'three' }),
  buyer(1004, { name: 'Archived buyer', mark: 'four' }),
].join('')}
publishers:${[
  seller(2001, { name: 'First seller', mark: 'oneseller', email: 'seller@one.example' }),
  seller(2002, { name: SELLER_NAME, mark: SELLER, email: `${SELLER}@two.example` }),
].join('')}
deals:
  - { id: deal-one, name: First deal, ad_spaces: [4001], seats: [one-seat], type: fixed_price, price: 3.00 }
  - { id: ${BUYER}-deal, name: ${BUYER} deal, ad_spaces: [4003], seats: [${BUYER}-seat], type: fixed_price, price: 3.00 }
`;
