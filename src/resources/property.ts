import Type, { type Static, type TString } from 'typebox';
import { BLOCKING } from './blocking.ts';
import { FieldTable } from './field-table.ts';
import { domainOrNull, json, text, textOrNull, type Field } from './field.ts';
import { FLOORS } from './floors.ts';
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
} from './vocabulary.ts';

const SHARED = {
  name: text(NAME, '', { isNeeded: true }),
  status: text(STATUS, 'ACTIVE'),
  categories: json(list(CATEGORY, 'content categories'), '[]'),
  /** ISO 639-1 alpha-2. */
  languages: json(list(LANGUAGE, 'languages that creatives may have, empty for all', 200), '[]'),
  floors: FLOORS,
  ...BLOCKING,
};

/** An app of a publisher: what a bid request describes as `app`. A site has null in its columns. */
export const APP_FIELDS = new FieldTable({
  ...SHARED,
  /** Android package name or iOS numeric id. */
  bundle: neededText(APP),
  platform: textOrNull(Type.Enum(['Android', 'iOS'], { description: 'Android or iOS' })),
  storeurl: textOrNull(WEB_ADDRESS),
  /** That of the app's maker. */
  domain: domainOrNull(),
});

/** A site of a publisher: what a bid request describes as `site`. */
export const SITE_FIELDS = new FieldTable({
  ...SHARED,
  domain: { ...neededText(DOMAIN), write: domainOrNull().write },
});

export const AppSchema = mapping('an app', { id: ID, ...APP_FIELDS.inputs });
export const SiteSchema = mapping('a site', { id: ID, ...SITE_FIELDS.inputs });

export type AppInput = Static<typeof AppSchema>;
export type SiteInput = Static<typeof SiteSchema>;

/** A text that one of the two kinds always has, and the other may not have. */
function neededText(
  schema: TString,
): Field<TString, string | null, string | null, { readonly isNeeded: true }> {
  const kept = textOrNull(schema, { isNeeded: true });
  return { ...kept, schema, read: (stored) => stored ?? '' };
}
