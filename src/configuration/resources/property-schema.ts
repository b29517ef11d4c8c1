import Type, { type Static } from 'typebox';
import {
  APP,
  CATEGORY,
  DOMAIN,
  ID,
  LANGUAGE,
  NAME,
  STATUS,
  WEB_ADDRESS,
  list,
  mapping,
  nullable,
} from '../fields.ts';
import { BLOCKING_KEYS } from './blocking-schema.ts';
import { FLOORS } from './floors-schema.ts';

const SHARED_KEYS = {
  id: ID,
  name: Type.Optional(NAME),
  status: Type.Optional(STATUS),
  categories: Type.Optional(list(CATEGORY, 'content categories')),
  languages: Type.Optional(list(LANGUAGE, 'languages that creatives may have, empty for all', 200)),
  floors: FLOORS,
  ...BLOCKING_KEYS,
};

/** An app of a publisher: what a bid request describes as `app`. */
export const AppSchema = mapping('an app', {
  ...SHARED_KEYS,
  bundle: Type.Optional(APP),
  platform: Type.Optional(
    nullable(Type.Enum(['Android', 'iOS'], { description: 'Android or iOS' })),
  ),
  storeurl: Type.Optional(nullable(WEB_ADDRESS)),
  domain: Type.Optional(nullable(DOMAIN)),
});

/** A site of a publisher: what a bid request describes as `site`. */
export const SiteSchema = mapping('a site', { ...SHARED_KEYS, domain: Type.Optional(DOMAIN) });

export type AppInput = Static<typeof AppSchema>;
export type SiteInput = Static<typeof SiteSchema>;
