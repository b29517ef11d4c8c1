import type { ShownAuditEntry } from '../../../../src/management/audit-log/schema.ts';

type Subject = Pick<
  ShownAuditEntry,
  'resource' | 'resource_id' | 'demand_partner_id' | 'publisher_id'
>;

/** The page of what an entry of the audit log is about; null for what has none. */
export function pageOf(entry: Subject): string | null {
  const { resource, resource_id: id, demand_partner_id: partner, publisher_id: publisher } = entry;
  if (partner !== null) {
    if (resource === 'line item') return `/demand-partners/${partner}/line-items/${id}`;
    if (resource.startsWith('bidder')) return `/demand-partners/${partner}/bidder`;
    return `/operator/demand-partners/${partner}`;
  }
  if (publisher !== null) {
    if (resource === 'ad space') return `/publishers/${publisher}/ad-spaces/${id}`;
    if (resource === 'app' || resource === 'site') {
      return `/publishers/${publisher}/properties/${resource}s/${id}`;
    }
    return `/operator/publishers/${publisher}`;
  }
  if (resource === 'deal') return `/operator/deals/${encodeURIComponent(id)}`;
  if (resource === 'user') return '/operator/users';
  return resource === 'exchange' ? '/operator/exchange' : null;
}
