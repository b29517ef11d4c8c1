import Type, { type Static } from 'typebox';
import { PublisherSchema } from '../../resources/publisher.ts';
import { shownSchema } from '../shown.ts';

/** A publisher as it is shown: what a configuration file says of it, without what belongs to it. */
export const ShownPublisherSchema = shownSchema('Publisher', PublisherSchema.properties);

export type ShownPublisher = Static<typeof ShownPublisherSchema>;

const LINES = Type.Array(Type.String());

/** The lines of the two files that name a publisher's sellers. */
export const ShownAdsTxtSchema = Type.Object(
  { ads_txt: LINES, app_ads_txt: LINES },
  { title: 'AdsTxt', additionalProperties: false },
);

export type ShownAdsTxt = Static<typeof ShownAdsTxtSchema>;
