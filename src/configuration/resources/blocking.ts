import type { Blocking } from '../../snapshot/entities.ts';
import { domainsColumn, jsonColumn } from '../columns.ts';
import type { Json } from '../schema.ts';

interface BlockingInput {
  blocked_categories?: readonly string[];
  blocked_advertisers?: readonly string[];
  blocked_apps?: readonly string[];
  blocked_attributes?: readonly number[];
}

interface BlockingColumns {
  blocked_categories: Json;
  blocked_advertisers: Json;
  blocked_apps: Json;
  blocked_attributes: Json;
}

/** The columns of a resource that blocks nothing. */
export const NOTHING_BLOCKED: BlockingColumns = {
  blocked_categories: '[]',
  blocked_advertisers: '[]',
  blocked_apps: '[]',
  blocked_attributes: '[]',
};

/** The columns after the given keys have replaced theirs, each list as a whole. */
export function blockingColumns(input: BlockingInput, before: BlockingColumns): BlockingColumns {
  return {
    blocked_categories: jsonColumn(input.blocked_categories, before.blocked_categories),
    blocked_advertisers: domainsColumn(input.blocked_advertisers, before.blocked_advertisers),
    blocked_apps: jsonColumn(input.blocked_apps, before.blocked_apps),
    blocked_attributes: jsonColumn(input.blocked_attributes, before.blocked_attributes),
  };
}

/** The lists in the form that people write. */
export function blockingDocument(row: BlockingColumns) {
  const { categories, advertisers, apps, attributes } = blockingEntity(row);
  return {
    blocked_categories: [...categories],
    blocked_advertisers: [...advertisers],
    blocked_apps: [...apps],
    blocked_attributes: [...attributes],
  };
}

/** The lists as the exchange works with them. */
export function blockingEntity(row: BlockingColumns): Blocking {
  return {
    categories: JSON.parse(row.blocked_categories),
    advertisers: JSON.parse(row.blocked_advertisers),
    apps: JSON.parse(row.blocked_apps),
    attributes: JSON.parse(row.blocked_attributes),
  };
}
