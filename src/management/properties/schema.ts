import type { Static } from 'typebox';
import { AppSchema, SiteSchema } from '../../resources/property.ts';
import { shownSchema } from '../shown.ts';

/** An app as it is shown. */
export const ShownAppSchema = shownSchema('App', AppSchema.properties);

/** A site as it is shown. */
export const ShownSiteSchema = shownSchema('Site', SiteSchema.properties);

export type ShownApp = Static<typeof ShownAppSchema>;
export type ShownSite = Static<typeof ShownSiteSchema>;
