import type { Kysely } from 'kysely';
import { Document, isScalar, visit } from 'yaml';
import { adSpaceDocument } from './resources/ad-space.ts';
import { BIDDER } from '../resources/bidder.ts';
import { dealDocument } from './resources/deal.ts';
import { demandPartnerDocument } from './resources/demand-partner.ts';
import { exchangeDocument } from './resources/exchange.ts';
import { lineItemDocument } from './resources/line-item.ts';
import {
  isSameOwner,
  OPERATOR,
  ofDemandPartner,
  ofPublisher,
  type Owner,
} from './resources/owner.ts';
import { appDocument, siteDocument } from './resources/property.ts';
import { publisherDocument } from './resources/publisher.ts';
import type { Database } from './schema.ts';
import { loadState, readOnly, type Row, type State } from './state.ts';

const HEAD = ` The whole configuration but its secrets: passwords, secrets of applications, reporting tokens and
 headers of bidders. "rialto apply" takes this file; what it leaves out there stays as it is.`;

/**
 * The whole configuration as a file that `applyFile` takes, without its secrets. The same configuration
 * gives the same text, in whichever store it is.
 */
export async function exportConfiguration(db: Kysely<Database>): Promise<string> {
  const state = await readOnly(db, loadState);
  const document = new Document(contentsOf(state), { aliasDuplicateObjects: false });
  document.commentBefore = HEAD;
  visit(document, {
    // Sizes, countries and the like stand on one line.
    Seq: (_key, list) => {
      list.flow = list.items.every((item) => isScalar(item));
    },
  });
  return document.toString({ lineWidth: 0 });
}

function contentsOf(state: State) {
  const lineItems = groupBy(state.lineItems, (row) => row.demand_partner_id);
  const properties = groupBy(state.properties, (row) => row.publisher_id);
  const adSpaces = groupBy(state.adSpaces, (row) => row.property_id);
  const usersOf = readUsers(state);
  const spacesOf = (row: Row<'properties'>) => ({
    ad_spaces: (adSpaces.get(row.id) ?? []).map(adSpaceDocument),
  });
  return {
    exchange: exchangeDocument(state.exchange),
    operators: usersOf(OPERATOR),
    demand_partners: [...state.demandPartners.values()].map((row) =>
      Object.assign(
        demandPartnerDocument(row),
        { users: usersOf(ofDemandPartner(row.id)) },
        bidderOf(state.bidders.get(row.id)),
        { line_items: (lineItems.get(row.id) ?? []).map(lineItemDocument) },
      ),
    ),
    publishers: [...state.publishers.values()].map((row) => {
      const own = properties.get(row.id) ?? [];
      const [apps, sites] = [own.filter(isApp), own.filter((property) => !isApp(property))];
      return Object.assign(publisherDocument(row), {
        users: usersOf(ofPublisher(row.id)),
        apps: apps.map((app) => Object.assign(appDocument(app), spacesOf(app))),
        sites: sites.map((site) => Object.assign(siteDocument(site), spacesOf(site))),
      });
    }),
    // PostgreSQL sorts texts in an order of its own.
    deals: [...state.deals.values()].map(dealDocument).toSorted(by(({ id }) => id)),
  };
}

/** Headers often hold a key: they are a secret as a whole. */
function bidderOf(row: Row<'bidders'> | undefined) {
  if (row === undefined) return {};
  const { headers: _, ...bidder } = BIDDER.document(row);
  return { bidder };
}

function isApp({ type }: Row<'properties'>): boolean {
  return type === 'app';
}

/** Ids of users and applications are another store's own: names say what is which, and the order. */
function readUsers({ users, applications }: State) {
  const applicationsOf = groupBy(applications, (row) => row.user_id);
  return (owner: Owner) =>
    [...users.values()]
      .filter((user) => isSameOwner(user, owner))
      .toSorted(by(({ email }) => email))
      .map(({ id, email, status }) => ({
        email,
        status,
        applications: (applicationsOf.get(id) ?? [])
          .map(({ name, client_id }) => ({ name, client_id }))
          .toSorted(by(({ client_id: clientId }) => clientId)),
      }));
}

function groupBy<T>(rows: ReadonlyMap<unknown, T>, keyOf: (row: T) => number): Map<number, T[]> {
  return Map.groupBy(rows.values(), keyOf);
}

/** In the order of their characters' numbers. */
function by<T>(textOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (textOf(a) < textOf(b) ? -1 : 1);
}
