import type { Static } from 'typebox';
import { ContentSchema } from './content.ts';
import {
  advisoryFlag,
  blankableText,
  ext,
  longText,
  object,
  optional,
  text,
  texts,
} from './fields.ts';
import { PublisherSchema } from './publisher.ts';

/** App, section 2.14. */
export const AppSchema = object(
  'The app that the impression is in.',
  {
    id: optional(text('Id of the app.')),
    name: optional(blankableText('Name of the app; blank if hidden.')),
    bundle: optional(text('Android package name or iOS numeric id.')),
    domain: optional(text('Domain of the app.')),
    storeurl: optional(longText("URL of the app's store page.")),
    cat: optional(texts('Content categories of the app.')),
    sectioncat: optional(texts('Content categories of the section.')),
    pagecat: optional(texts('Content categories of the view.')),
    ver: optional(text('Version of the app.')),
    privacypolicy: optional(advisoryFlag('1 = has a privacy policy.')),
    paid: optional(advisoryFlag('1 = paid app.')),
    publisher: optional(PublisherSchema),
    content: optional(ContentSchema),
    keywords: optional(longText('Keywords, comma-separated.')),
    ext: ext(),
  },
  ['id'],
);
export type App = Static<typeof AppSchema>;
