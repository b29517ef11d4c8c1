import Type from 'typebox';
import { definedField, listField } from '../base/fields.ts';
import { AppSchema, type App } from '../openrtb/app.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { Publisher } from '../openrtb/publisher.ts';
import { SiteSchema, type Site } from '../openrtb/site.ts';
import type { Publisher as Owner } from '../snapshot/entities.ts';
import type { Space } from './market.ts';

/** What a name is that its owner does not show (spec, sections 2.14 and 2.15). */
const HIDDEN = '';

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
    'kwarray',
    'inventorypartnerdomain',
  ]),
);
const sendableSite = createSendable(
  Type.Pick(SiteSchema, [
    'domain',
    'sectioncat',
    'pagecat',
    'ref',
    'search',
    'mobile',
    'privacypolicy',
    'content',
    'keywords',
    'kwarray',
    'inventorypartnerdomain',
  ]),
);

/** The App object: identity from configuration, the rest as the publisher's request says. */
export function describeApp({ property, publisher }: Space, request: IncomingRequest): App {
  return {
    ...sendableApp(request.app),
    id: String(property.id),
    name: publisher.hidesNames ? HIDDEN : property.name,
    ...definedField('bundle', property.bundle),
    ...definedField('domain', property.domain),
    ...definedField('storeurl', property.storeurl),
    ...listField('cat', property.categories),
    publisher: describePublisher(publisher),
  };
}

/**
 * The Site object. Its name is the ad space's (spec, section 2.13).
 *
 * @param page where the ad will be; undefined when nobody says.
 */
export function describeSite(
  { adSpace, property, publisher }: Space,
  request: IncomingRequest,
  page: string | undefined,
): Site {
  return {
    ...sendableSite(request.site),
    id: String(property.id),
    name: adSpace.name,
    ...definedField('domain', property.domain),
    ...listField('cat', property.categories),
    ...definedField('page', page),
    publisher: describePublisher(publisher),
  };
}

function describePublisher({ id, name, categories, domain, hidesNames }: Owner): Publisher {
  const described: Publisher = { id: String(id), name: hidesNames ? HIDDEN : name };
  if (categories.length > 0) described.cat = [...categories];
  if (domain !== null) described.domain = domain;
  return described;
}
