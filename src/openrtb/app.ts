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
} from './fields.ts';
import { PublisherSchema } from './publisher.ts';
import { configured, filled, requested, unsent } from './filling.ts';

/** App, section 2.14. */
export const AppSchema = filled(
  object(
    'The app that the impression is in.',
    {
      id: optional(text('Id of the app.')),
      name: optional(blankableText('Name of the app; blank if hidden.')),
      bundle: optional(text('Android package name or iOS numeric id.')),
      domain: optional(text('Domain of the app.')),
      storeurl: optional(longText("URL of the app's store page.")),
      cat: optional(categories('Content categories of the app.')),
      sectioncat: optional(categories('Content categories of the section.')),
      pagecat: optional(categories('Content categories of the view.')),
      ver: optional(text('Version of the app.')),
      privacypolicy: optional(advisoryFlag('1 = has a privacy policy.')),
      paid: optional(advisoryFlag('1 = paid app.')),
      publisher: optional(PublisherSchema),
      content: optional(ContentSchema),
      keywords: optional(longText('Keywords, comma-separated.')),
      ext: ext(),
    },
    ['id'],
    advisory(
      'name',
      'bundle',
      'domain',
      'storeurl',
      'cat',
      'sectioncat',
      'pagecat',
      'ver',
      'privacypolicy',
      'paid',
      'content',
      'keywords',
    ),
  ),
  {
    id: configured('Of the app.'),
    name: configured('Of the app; blank where the publisher hides its names.'),
    bundle: configured('Of the app.'),
    domain: configured('Of the app.'),
    storeurl: configured('Of the app.'),
    cat: configured('Of the app.'),
    sectioncat: requested(),
    pagecat: requested(),
    ver: requested(),
    privacypolicy: requested(),
    paid: requested(),
    content: requested(),
    keywords: requested(),
    publisher: configured('Who owns the app.'),
    ext: unsent(),
  },
);
export type App = Static<typeof AppSchema>;
