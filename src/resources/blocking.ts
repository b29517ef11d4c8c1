import { domains, json } from './field.ts';
import { APP, CATEGORY, DOMAIN, list, whole } from './vocabulary.ts';

const group = 'blocking';

/** What exchange, publisher, app, site and ad space each do not want to show. */
export const BLOCKING = {
  /** Content taxonomy ids; a blocked parent blocks its children. */
  blocked_categories: json(list(CATEGORY, 'content categories'), '[]', {
    entity: 'categories',
    group,
  }),
  /** A blocked domain blocks its subdomains. */
  blocked_advertisers: domains(list(DOMAIN, 'advertiser domains'), {
    entity: 'advertisers',
    group,
  }),
  /** Android package names and iOS numeric ids. */
  blocked_apps: json(list(APP, 'apps'), '[]', { entity: 'apps', group }),
  blocked_attributes: json(
    list(whole(1, 17, ', from OpenRTB list 5.3'), 'creative attributes', 17),
    '[]',
    { entity: 'attributes', group },
  ),
};
