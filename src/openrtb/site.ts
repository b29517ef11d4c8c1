import type { Static } from 'typebox';
import { ContentSchema } from './content.ts';
import { advisoryFlag, ext, longText, object, optional, text, texts } from './fields.ts';
import { PublisherSchema } from './publisher.ts';

/** Site, section 2.13. */
export const SiteSchema = object(
  'The website that the impression is on.',
  {
    id: optional(text('Id of the site.')),
    name: optional(text('Name of the ad space.')),
    domain: optional(text('Domain of the page.')),
    cat: optional(texts('Content categories of the site.')),
    sectioncat: optional(texts('Content categories of the section.')),
    pagecat: optional(texts('Content categories of the page.')),
    page: optional(longText('URL of the page.')),
    ref: optional(longText('URL that led to the page.')),
    search: optional(longText('Search that led to the page.')),
    mobile: optional(advisoryFlag('1 = made for mobile.')),
    privacypolicy: optional(advisoryFlag('1 = has a privacy policy.')),
    publisher: optional(PublisherSchema),
    content: optional(ContentSchema),
    keywords: optional(longText('Keywords, comma-separated.')),
    ext: ext(),
  },
  ['id'],
);
export type Site = Static<typeof SiteSchema>;
