import { day, given, oneOf, text, whole } from '../app/search.ts';
import { STATUSES } from '../parts/status/statuses.ts';

/** What the addresses of these pages say after their question mark; pages of lists count from 0. */

type Raw = Record<string, unknown>;

export const ROLES = ['operator', 'demand-partner', 'publisher'] as const;
export const DEAL_TYPES = ['first_price', 'second_price', 'fixed_price'] as const;
export const CREATIVE_VIEWS = ['seen', 'pending', 'decisions'] as const;
const MINUTES = [15, 60, 360, 1_440] as const;

/** Of the live page. */
export function readLiveSearch(raw: Raw) {
  return given({
    minutes: MINUTES.find((each) => each === whole(raw['minutes'])),
    paused: raw['paused'] === true ? true : undefined,
  });
}

/** Of the creatives: `crid` and `of`, its demand partner, are those of the one that is open. */
export function readCreativesSearch(raw: Raw) {
  return given({
    view: oneOf(CREATIVE_VIEWS, raw['view']),
    partner: whole(raw['partner']),
    publisher: whole(raw['publisher']),
    page: whole(raw['page']),
    crid: text(raw['crid']),
    of: whole(raw['of']),
  });
}

/** Of the demand partners. */
export function readPartnersSearch(raw: Raw) {
  return given({ status: oneOf(STATUSES, raw['status']) });
}

/** Of the publishers. */
export function readPublishersSearch(raw: Raw) {
  return given({ status: oneOf(STATUSES, raw['status']), page: whole(raw['page']) });
}

/** Of the deals. */
export function readDealsSearch(raw: Raw) {
  return given({
    status: oneOf(STATUSES, raw['status']),
    type: oneOf(DEAL_TYPES, raw['type']),
    page: whole(raw['page']),
  });
}

/** Of the users. */
export function readUsersSearch(raw: Raw) {
  return given({
    role: oneOf(ROLES, raw['role']),
    status: oneOf(STATUSES, raw['status']),
    email: text(raw['email']),
    page: whole(raw['page']),
  });
}

/** Of quarantine. */
export function readQuarantineSearch(raw: Raw) {
  return given({ page: whole(raw['page']) });
}

/** Of the audit log. */
export function readAuditSearch(raw: Raw) {
  return given({
    resource: text(raw['resource']),
    resource_id: text(raw['resource_id']),
    actor: text(raw['actor']),
    action: text(raw['action']),
    from: day(raw['from']),
    to: day(raw['to']),
    page: whole(raw['page']),
  });
}

/** Of the exchange's settings. */
export function readExchangeSearch(raw: Raw) {
  return given({ view: oneOf(['settings', 'file'], raw['view']) });
}
