import type { Static } from 'typebox';
import { advisory, blankableText, ext, object, optional, text, categories } from './fields.ts';
import { configured, filled, unsent } from './filling.ts';

/** Publisher, section 2.15. */
export const PublisherSchema = filled(
  object(
    'Publisher of the site or app.',
    {
      id: optional(text('Id of the publisher.')),
      name: optional(blankableText('Name of the publisher; blank if hidden.')),
      cat: optional(categories('Content categories.')),
      domain: optional(text('Domain of the publisher.')),
      ext: ext(),
    },
    [],
    advisory('name', 'cat', 'domain'),
  ),
  {
    id: configured('Of the publisher.'),
    name: configured('Of the publisher; blank where it hides its names.'),
    cat: configured('Of the publisher.'),
    domain: configured('Of the publisher.'),
    ext: unsent(),
  },
);
export type Publisher = Static<typeof PublisherSchema>;
