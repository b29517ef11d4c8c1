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
} from './fields.ts';
import { PublisherSchema } from './publisher.ts';
import { configured, filled, overridable, requested, unsent } from './filling.ts';

/** Site, section 2.13. */
export const SiteSchema = filled(
  object(
    'The website that the impression is on.',
    {
      id: optional(text('Id of the site.')),
      name: optional(text('Name of the ad space.')),
      domain: optional(text('Domain of the page.')),
      cat: optional(categories('Content categories of the site.')),
      sectioncat: optional(categories('Content categories of the section.')),
      pagecat: optional(categories('Content categories of the page.')),
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
    advisory(
      'name',
      'domain',
      'cat',
      'sectioncat',
      'pagecat',
      'page',
      'ref',
      'search',
      'mobile',
      'privacypolicy',
      'content',
      'keywords',
    ),
  ),
  {
    id: configured('Of the site.'),
    name: configured('The name of the ad space that the request offers first.'),
    domain: configured('Of the site; as the request says where none is configured.'),
    cat: configured('Of the site.'),
    sectioncat: requested(),
    pagecat: requested(),
    page: overridable('As the request says, else the referer of a browser that asks itself.'),
    ref: requested(),
    search: requested(),
    mobile: requested(),
    privacypolicy: requested(),
    content: requested(),
    keywords: requested(),
    publisher: configured('Who owns the site.'),
    ext: unsent(),
  },
);
export type Site = Static<typeof SiteSchema>;
