import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { Market } from './market.ts';

/**
 * The request with the `site` or `app` that its ad spaces belong to, where it names neither: the ad
 * space says which it is. Where no ad space is known either, the request is left as it is, and each of
 * its impressions is refused.
 */
export function withNamedPlace(request: IncomingRequest, market: Market): IncomingRequest {
  if (request.site !== undefined || request.app !== undefined) return request;
  for (const { tagid } of request.imp) {
    const space = market.space(tagid);
    if (space !== undefined) return { ...request, [space.property.type]: {} };
  }
  return request;
}
