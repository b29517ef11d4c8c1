import Type, { type Static } from 'typebox';
import { ID, mapping, nullable } from '../../resources/vocabulary.ts';
import { AdSpaceSchema } from '../../resources/ad-space.ts';
import { shownSchema } from '../shown.ts';

/**
 * What can be sent. In a configuration file an ad space stands inside its app or site, which is named
 * here by one of two more keys.
 */
export const AdSpaceBodySchema = mapping('an ad space', {
  ...AdSpaceSchema.properties,
  app_id: Type.Optional(nullable(ID)),
  site_id: Type.Optional(nullable(ID)),
});

export type AdSpaceBody = Static<typeof AdSpaceBodySchema>;

/** An ad space as it is shown, with the app or the site that it is in. */
export const ShownAdSpaceSchema = shownSchema('AdSpace', AdSpaceBodySchema.properties);

export type ShownAdSpace = Static<typeof ShownAdSpaceSchema>;

const ShownTagSchema = Type.Object(
  {
    kind: Type.Enum(['script', 'frame', 'app', 'vast', 'native', 'json', 'openrtb'], {
      description: 'script, frame, app, vast, native, json or openrtb',
    }),
    use: Type.String({ description: 'where it goes' }),
    text: Type.String({ description: 'what to copy' }),
  },
  { title: 'Tag', additionalProperties: false },
);

/** The ways to ask for an ad in an ad space, ready to copy. */
export const ShownTagsSchema = Type.Object(
  {
    exchange_url: Type.String({ description: 'the public address of the exchange' }),
    tags: Type.Array(ShownTagSchema),
  },
  { title: 'Tags', additionalProperties: false },
);

export type ShownTag = Static<typeof ShownTagSchema>;
export type ShownTags = Static<typeof ShownTagsSchema>;
