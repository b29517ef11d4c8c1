import Type from 'typebox';
import { definedField, listField } from '../base/fields.ts';
import { AppSchema, type App } from '../openrtb/app.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { SiteSchema, type Site } from '../openrtb/site.ts';
import type { Space } from './market.ts';

/** What the publisher's request says; what it is about is configured, not said. */
const sendableApp = createSendable(
  Type.Pick(AppSchema, [
    'sectioncat',
    'pagecat',
    'ver',
    'privacypolicy',
    'paid',
    'content',
    'keywords',
  ]),
);
const sendableSite = createSendable(
  Type.Pick(SiteSchema, [
    'domain',
    'sectioncat',
    'pagecat',
    'page',
    'ref',
    'search',
    'mobile',
    'privacypolicy',
    'content',
    'keywords',
  ]),
);

/** The App object: identity from configuration, the rest as the publisher's request says. */
export function describeApp({ property, publisher }: Space, request: IncomingRequest): App {
  return {
    ...sendableApp(request.app),
    id: String(property.id),
    name: property.name,
    ...definedField('bundle', property.bundle),
    ...definedField('domain', property.domain),
    ...definedField('storeurl', property.storeurl),
    ...listField('cat', property.categories),
    publisher: { id: String(publisher.id), name: publisher.name },
  };
}

/** The Site object. Its name is the ad space's (spec, section 2.13). */
export function describeSite(
  { adSpace, property, publisher }: Space,
  request: IncomingRequest,
): Site {
  return {
    ...sendableSite(request.site),
    id: String(property.id),
    name: adSpace.name,
    ...definedField('domain', property.domain),
    ...listField('cat', property.categories),
    publisher: { id: String(publisher.id), name: publisher.name },
  };
}
