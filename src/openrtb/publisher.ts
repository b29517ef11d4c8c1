import type { Static } from 'typebox';
import { advisory, blankableText, ext, object, optional, text, categories } from './fields.ts';
import { configured } from './filling.ts';
import { categoryTaxonomy } from './later-fields.ts';

/** Publisher, section 2.15. */
export const PublisherSchema = object('Publisher of the site or app.', {
  id: optional(text('Id of the publisher.'), configured('Of the publisher.')),
  name: optional(
    blankableText('Name of the publisher; blank if hidden.'),
    advisory,
    configured('Of the publisher; blank where it hides its names.'),
  ),
  cattax: categoryTaxonomy(['cat']),
  cat: optional(categories('Content categories.'), advisory, configured('Of the publisher.')),
  domain: optional(text('Domain of the publisher.'), advisory, configured('Of the publisher.')),
  ext: ext(),
});
export type Publisher = Static<typeof PublisherSchema>;
