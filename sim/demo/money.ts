import { dollarsFromMicros } from '../../src/base/money.ts';
import type { BeaconKind, BeaconRecord } from '../../src/events/beacon-record.ts';
import type { Delivery, DeliveryRecord } from '../../src/events/delivery-record.ts';

/** Impressions that a CPM price is for. */
const MILLE = 1_000;

/** What the ids of a record are called. */
export interface DemoNames {
  partner(id: number): string;
  publisher(id: number): string;
}

/** Follows what comes after the auctions: beacons, money and notices. */
export class DemoMoney {
  readonly #names: DemoNames;
  readonly #beacons: Record<BeaconKind, number> = { win: 0, impression: 0, view: 0, click: 0 };
  #clearingMicros = 0;
  #payoutMicros = 0;
  #delivered = 0;
  #givenUp = 0;
  #billed = false;

  constructor(names: DemoNames) {
    this.#names = names;
  }

  /** A line for the first of each kind, which shows that the chain works; null for the others. */
  take(record: BeaconRecord | DeliveryRecord): string | null {
    return record.kind === 'delivery' ? this.#takeDeliveries(record) : this.#takeBeacon(record);
  }

  /** The sum of everything so far, in dollars: what was billed, and what publishers get of it. */
  sum(): string {
    const { impression, view, click } = this.#beacons;
    const buyers = dollars(this.#clearingMicros).toFixed(4);
    const publishers = dollars(this.#payoutMicros).toFixed(4);
    const missed = this.#givenUp === 0 ? '' : `, ${this.#givenUp} given up`;
    return (
      `${impression} impressions, ${view} in view, ${click} clicks; ` +
      `buyers pay ${buyers} USD, publishers get ${publishers}; ` +
      `${this.#delivered} notices delivered${missed}`
    );
  }

  #takeBeacon(record: BeaconRecord): string | null {
    // Nobody pays for a test.
    if (record.test === 1) return null;
    const { kind } = record;
    this.#beacons[kind] += 1;
    if (kind === 'impression') {
      this.#clearingMicros += record.clearing_micros;
      this.#payoutMicros += record.payout_micros;
    }
    return this.#beacons[kind] === 1 ? star(this.#describeFirst(record)) : null;
  }

  #describeFirst(record: BeaconRecord): string {
    const partner = this.#names.partner(record.demand_partner_id);
    const publisher = this.#names.publisher(record.publisher_id);
    switch (record.kind) {
      case 'win':
        return `first win confirmed: ${publisher} decides itself, and takes the ad of ${partner}`;
      case 'impression': {
        const pays = dollars(record.clearing_micros).toFixed(6);
        const gets = dollars(record.payout_micros).toFixed(6);
        return `first impression: ${partner} is billed ${pays} USD, ${publisher} gets ${gets}`;
      }
      case 'view':
        return `first impression in view: an ad of ${partner} at ${publisher}`;
      case 'click':
        return `first click: on an ad of ${partner} at ${publisher}`;
    }
  }

  #takeDeliveries({ deliveries }: DeliveryRecord): string | null {
    for (const { outcome } of deliveries) {
      if (outcome === 'delivered') this.#delivered += 1;
      else this.#givenUp += 1;
    }
    const billing = deliveries.find(isBillingDelivered);
    if (billing === undefined || this.#billed) return null;
    this.#billed = true;
    const { demand_partner_id: id, status, tries } = billing;
    const said = tries === 1 ? 'at once' : `at try ${tries}`;
    return star(
      `first billing notice delivered: ${this.#names.partner(id)} answered ${status} ${said}`,
    );
  }
}

function isBillingDelivered({ event, outcome }: Delivery): boolean {
  return event === 'billing' && outcome === 'delivered';
}

function star(text: string): string {
  return `★  ${text}`;
}

/** Of one impression, or of a sum of them. */
function dollars(cpmMicros: number): number {
  return dollarsFromMicros(cpmMicros) / MILLE;
}
