import Type, { type TSchema } from 'typebox';

/** A parameter of an address, as the reference describes it. */
export interface PathParameter {
  readonly description: string;
  readonly schema: TSchema;
  readonly example: string | number;
}

const ID = Type.Integer({ minimum: 1 });
const TEXT = Type.String();

/** Those whose form or example says more than their name does. */
const KNOWN: Readonly<Record<string, PathParameter>> = {
  demand_partner_id: {
    description: 'the demand partner; `association.entity_id` of its users',
    schema: ID,
    example: 1001,
  },
  publisher_id: {
    description: 'the publisher; `association.entity_id` of its users',
    schema: ID,
    example: 2001,
  },
  line_item_id: { description: 'the line item', schema: ID, example: 501 },
  app_id: { description: 'the app', schema: ID, example: 3001 },
  site_id: { description: 'the site', schema: ID, example: 3002 },
  ad_space_id: { description: 'the ad space', schema: ID, example: 4001 },
  deal_id: { description: 'the deal', schema: TEXT, example: 'planet-acme-1' },
  auction_id: {
    description: 'the auction: `BidRequest.id`, or what an answer to a publisher has as its id',
    schema: TEXT,
    example: '019aa1b2c3d4e5f60718293a4b5c6d7e',
  },
};

/** The parameters of a path such as `/line-items/:line_item_id`, in their order. */
export function pathParameters(
  path: string,
): readonly (PathParameter & { readonly name: string })[] {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  return names.map((name) => Object.assign({ name }, KNOWN[name] ?? byName(name)));
}

/** Most names say what they are: `user_id` is the id of a user. */
function byName(name: string): PathParameter {
  const noun = name.replace(/_id$/, '').replaceAll('_', ' ');
  if (!name.endsWith('_id')) return { description: `the ${noun}`, schema: TEXT, example: name };
  return { description: `the ${noun}`, schema: ID, example: 1_000_001 };
}
