import type { Static } from 'typebox';
import { ContentSchema } from './content.ts';
import {
  advisory,
  advisoryFlag,
  ext,
  longText,
  object,
  optional,
  text,
  categories,
  recommended,
} from './fields.ts';
import { PublisherSchema } from './publisher.ts';
import { configured, overridable, requested } from './filling.ts';
import { since, inVersion } from './variations.ts';
import { keywordArray, categoryTaxonomy, inventoryPartner } from './later-fields.ts';

/** Site, section 2.13. */
export const SiteSchema = object('The website that the impression is on.', {
  id: optional(text('Id of the site.'), recommended, configured('Of the site.')),
  name: optional(
    text('Name of the ad space.'),
    advisory,
    configured('The name of the ad space that the request offers first.'),
  ),
  domain: optional(
    text('Domain of the page.'),
    advisory,
    configured('Of the site; as the request says where none is configured.'),
  ),
  cattax: categoryTaxonomy(['cat', 'sectioncat', 'pagecat']),
  cat: optional(
    categories('Content categories of the site.'),
    advisory,
    configured('Of the site.'),
  ),
  sectioncat: optional(categories('Content categories of the section.'), advisory, requested()),
  pagecat: optional(categories('Content categories of the page.'), advisory, requested()),
  page: optional(
    longText('URL of the page.'),
    inVersion('2.2', recommended),
    advisory,
    overridable('As the request says, else the referer of a browser that asks itself.'),
  ),
  ref: optional(longText('URL that led to the page.'), advisory, requested()),
  search: optional(longText('Search that led to the page.'), advisory, requested()),
  mobile: optional(advisoryFlag('1 = made for mobile.'), advisory, since('2.5'), requested()),
  privacypolicy: optional(advisoryFlag('1 = has a privacy policy.'), advisory, requested()),
  publisher: optional(PublisherSchema, configured('Who owns the site.')),
  content: optional(ContentSchema, advisory, requested()),
  keywords: optional(longText('Keywords, comma-separated.'), advisory, requested()),
  kwarray: keywordArray(),
  inventorypartnerdomain: inventoryPartner(),
  ext: ext(),
});
export type Site = Static<typeof SiteSchema>;
