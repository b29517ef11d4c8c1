import Type from 'typebox';
import { APP, CATEGORY, DOMAIN, list, whole } from '../fields.ts';

/** The keys that exchange, publisher, app, site and ad space have in common. */
export const BLOCKING_KEYS = {
  blocked_categories: Type.Optional(list(CATEGORY, 'content categories')),
  blocked_advertisers: Type.Optional(list(DOMAIN, 'advertiser domains')),
  blocked_apps: Type.Optional(list(APP, 'apps')),
  blocked_attributes: Type.Optional(
    list(whole(1, 17, ', from OpenRTB list 5.3'), 'creative attributes', 17),
  ),
};
