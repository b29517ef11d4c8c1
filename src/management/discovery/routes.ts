import type { Discovery } from '../../analytics/discovery.ts';
import { TargetingSchema, type Targeting } from '../../resources/targeting.ts';
import { DEMAND_SIDE, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { ShownDiscoverySchema, type ShownDiscovery } from './schema.ts';

/** What discovery is read with. */
export interface DiscoveryParts {
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly discover: (targeting: Targeting) => Promise<Discovery>;
}

/** `POST /api/inventory/discovery/`: how much traffic a targeting object would have met. */
export function registerDiscovery(endpoints: Endpoints, { discover }: DiscoveryParts): void {
  endpoints.add(
    {
      id: 'discoverInventory',
      method: 'POST',
      path: '/inventory/discovery',
      tag: 'Inventory',
      summary: 'Ask how much traffic a targeting object meets',
      description:
        'Counts the ad requests of the past week that a line item with this targeting would have matched, exactly and not from a sample. Every key is optional, and any combination of keys is answered; an empty object stands for all traffic.',
      roles: DEMAND_SIDE,
      scope: 'read',
      query: NO_QUERY,
      body: { schema: TargetingSchema, example: EXAMPLE.targeting },
      answer: {
        status: 200,
        meaning: 'the traffic',
        schema: ShownDiscoverySchema,
        example: EXAMPLE,
      },
      errors: ['analytics_unavailable'],
    },
    async ({ body: targeting }) => {
      const { days, total } = await discover(targeting);
      return { days, total, targeting };
    },
  );
}

const DAY = { complete: true, ad_requests: 864_000, qps_avg: 10, qps_peak: 17.5 };

const EXAMPLE: ShownDiscovery = {
  days: [
    ...[14, 15, 16, 17, 18, 19].map((day) => Object.assign({ date: `2026-11-${day}` }, DAY)),
    { date: '2026-11-20', complete: false, ad_requests: 297_000, qps_avg: 10, qps_peak: 12.25 },
  ],
  total: { ad_requests: 5_481_000, qps_avg: 10, qps_peak: 17.5 },
  targeting: {
    geo: {
      is_geo_data_required: true,
      countries: { identifiers: [{ code: 'US' }], is_whitelist: true },
    },
  },
};
