import type { InvalidTraffic } from '../enrich/invalid-traffic.ts';
import type { ExchangeSettings, Publisher, TrafficTreatment } from '../snapshot/entities.ts';

/** Invalid traffic, and what is done with it. */
export interface TreatedTraffic {
  readonly kind: InvalidTraffic;
  readonly treatment: TrafficTreatment;
}

/** What the publisher's setting, else the exchange's, does with an ad request; null if it is valid. */
export function treatmentOf(
  kind: InvalidTraffic | null,
  exchange: ExchangeSettings,
  publisher: Publisher,
): TreatedTraffic | null {
  if (kind === null) return null;
  return { kind, treatment: publisher.invalidTraffic ?? exchange.invalidTraffic };
}
