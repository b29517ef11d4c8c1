import { blankableText, ext, object, optional, text, texts } from './fields.ts';

/** Publisher, section 2.15. */
export const PublisherSchema = object('Publisher of the site or app.', {
  id: optional(text('Id of the publisher.')),
  name: optional(blankableText('Name of the publisher; blank if hidden.')),
  cat: optional(texts('Content categories.')),
  domain: optional(text('Domain of the publisher.')),
  ext: ext(),
});
