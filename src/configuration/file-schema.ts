import Type, { type TSchema } from 'typebox';
import { list, mapping, nullable } from '../resources/vocabulary.ts';
import { ACCOUNT_AUTH_TOKEN } from './resources/account.ts';
import { AdSpaceSchema } from '../resources/ad-space.ts';
import { ApplicationSchema } from './resources/application.ts';
import { BidderSchema } from '../resources/bidder.ts';
import { DealSchema } from '../resources/deal.ts';
import { DemandPartnerSchema } from '../resources/demand-partner.ts';
import { ExchangeSchema } from '../resources/exchange.ts';
import { LineItemSchema } from '../resources/line-item.ts';
import { AppSchema, SiteSchema } from '../resources/property.ts';
import { PublisherSchema } from '../resources/publisher.ts';
import { UserSchema } from './resources/user.ts';

/**
 * The form of a configuration file: the resources' own keys, and inside each the resources that
 * belong to it. Keys that are left out leave what is stored as it is. A list without anything
 * under it, as in `deals:`, is empty.
 */

const USER = mapping('a user', {
  ...UserSchema.properties,
  applications: members(ApplicationSchema, 'applications'),
});

const AD_SPACES = members(AdSpaceSchema, 'ad spaces');

const DEMAND_PARTNER = mapping('a demand partner', {
  ...DemandPartnerSchema.properties,
  account_auth_token: Type.Optional(ACCOUNT_AUTH_TOKEN),
  users: members(USER, 'users'),
  bidder: Type.Optional(BidderSchema),
  line_items: members(LineItemSchema, 'line items'),
});

const PUBLISHER = mapping('a publisher', {
  ...PublisherSchema.properties,
  account_auth_token: Type.Optional(ACCOUNT_AUTH_TOKEN),
  users: members(USER, 'users'),
  apps: members(mapping('an app', { ...AppSchema.properties, ad_spaces: AD_SPACES }), 'apps'),
  sites: members(mapping('a site', { ...SiteSchema.properties, ad_spaces: AD_SPACES }), 'sites'),
});

export const ConfigurationFileSchema = mapping('a configuration file', {
  exchange: Type.Optional(ExchangeSchema),
  operators: members(USER, 'users'),
  demand_partners: members(DEMAND_PARTNER, 'demand partners'),
  publishers: members(PUBLISHER, 'publishers'),
  deals: members(DealSchema, 'deals'),
});

/** Resources inside another; a file of this many would not be read for its size. */
function members<Member extends TSchema>(schema: Member, meaning: string) {
  return Type.Optional(nullable(list(schema, meaning, 100_000)));
}
