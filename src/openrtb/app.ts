import type { Static } from 'typebox';
import { ContentSchema } from './content.ts';
import {
  advisory,
  advisoryFlag,
  blankableText,
  ext,
  longText,
  object,
  optional,
  text,
  categories,
  recommended,
} from './fields.ts';
import { PublisherSchema } from './publisher.ts';
import { configured, requested } from './filling.ts';
import { keywordArray, categoryTaxonomy, inventoryPartner } from './later-fields.ts';

/** App, section 2.14. */
export const AppSchema = object('The app that the impression is in.', {
  id: optional(text('Id of the app.'), recommended, configured('Of the app.')),
  name: optional(
    blankableText('Name of the app; blank if hidden.'),
    advisory,
    configured('Of the app; blank where the publisher hides its names.'),
  ),
  bundle: optional(
    text('Android package name or iOS numeric id.'),
    advisory,
    configured('Of the app.'),
  ),
  domain: optional(text('Domain of the app.'), advisory, configured('Of the app.')),
  storeurl: optional(longText("URL of the app's store page."), advisory, configured('Of the app.')),
  cattax: categoryTaxonomy(['cat', 'sectioncat', 'pagecat']),
  cat: optional(categories('Content categories of the app.'), advisory, configured('Of the app.')),
  sectioncat: optional(categories('Content categories of the section.'), advisory, requested()),
  pagecat: optional(categories('Content categories of the view.'), advisory, requested()),
  ver: optional(text('Version of the app.'), advisory, requested()),
  privacypolicy: optional(advisoryFlag('1 = has a privacy policy.'), advisory, requested()),
  paid: optional(advisoryFlag('1 = paid app.'), advisory, requested()),
  publisher: optional(PublisherSchema, configured('Who owns the app.')),
  content: optional(ContentSchema, advisory, requested()),
  keywords: optional(longText('Keywords, comma-separated.'), advisory, requested()),
  kwarray: keywordArray(),
  inventorypartnerdomain: inventoryPartner(),
  ext: ext(),
});
export type App = Static<typeof AppSchema>;
