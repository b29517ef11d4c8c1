import type { Offer } from '../auction/offer.ts';
import { definedField, listField } from '../base/fields.ts';
import { dollarsFromMicros, PRICE_MAX_MICROS } from '../base/money.ts';
import { SourceSchema, type Source } from '../openrtb/bid-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { Bidder, Deal } from '../snapshot/entities.ts';
import { describeImp } from './describe-imp.ts';
import { describeApp, describeSite } from './describe-media.ts';
import { describePerson } from './describe-person.ts';
import type { Facts } from './facts.ts';
import type { PlannedCall } from './plan.ts';
import type { Slot } from './slots.ts';
import { impTo22, personTo22, siteTo22 } from './version-22.ts';

type Version = Bidder['openrtbVersion'];

/**
 * Writes the bid requests of one auction. What several partners get alike is described and
 * serialised once; a request is put together from these pieces of JSON.
 */
export class Composer {
  readonly #request: IncomingRequest;
  readonly #slots: readonly [Slot, ...Slot[]];
  readonly #facts: Facts;
  readonly #publisherDecides: boolean;
  /** Pieces of JSON by what they depend on. */
  readonly #pieces = new Map<string, string>();

  /** @param publisherDecides whether a win is final only once the publisher confirms it. */
  constructor(
    request: IncomingRequest,
    slots: readonly [Slot, ...Slot[]],
    facts: Facts,
    publisherDecides: boolean,
  ) {
    this.#request = request;
    this.#publisherDecides = publisherDecides;
    this.#slots = slots;
    this.#facts = facts;
  }

  /**
   * @param id of the bid request, unique for each call.
   * @param tmaxMs what is left for the bidder when the request is sent.
   */
  compose(call: PlannedCall, id: string, tmaxMs: number): string {
    const version = call.bidder.openrtbVersion;
    const imps = call.offers.map((offer) => this.#imp(offer, call)).join(',');
    const at = call.at === undefined ? '' : `,"at":${call.at}`;
    const wseat = call.wseat === null ? '' : `,"wseat":${JSON.stringify(call.wseat)}`;
    const person = this.#person(call, version);
    return `{"id":"${id}","imp":[${imps}]${at},"tmax":${tmaxMs}${wseat},"allimps":0,"cur":["USD"]${this.#context(version)}${person}}`;
  }

  #imp(offer: Offer, call: PlannedCall): string {
    const version = call.bidder.openrtbVersion;
    const { imp, formats } = offer;
    const piece = this.#piece(`imp ${imp.slot} ${formats} ${version}`, () => {
      const slot = this.#slots[imp.slot];
      if (slot === undefined)
        throw new Error(`an offer for slot ${imp.slot} of ${this.#slots.length}`);
      const described = describeImp(slot, formats);
      return version === '2.2' ? impTo22(described) : described;
    });
    return `{${piece.slice(1)}${bidfloorOf(offer, call.bidder)}${pmpOf(offer.deals)}}`;
  }

  /** App or site, blocking, source and test: alike for all partners of one version. */
  #context(version: Version): string {
    return this.#piece(`context ${version}`, () => {
      const [{ space }] = this.#slots;
      const { app, site, test } = this.#request;
      const described = site === undefined ? null : describeSite(space, this.#request);
      const blocking = {
        ...listField('bcat', this.#blocked('categories')),
        ...listField('badv', this.#blocked('advertisers')),
      };
      const media = {
        ...(app === undefined ? {} : { app: describeApp(space, this.#request) }),
        ...(described === null
          ? {}
          : { site: version === '2.2' ? siteTo22(described) : described }),
      };
      if (version === '2.2') return { ...blocking, ...media };
      return {
        ...blocking,
        ...listField('bapp', this.#blocked('apps')),
        ...media,
        source: describeSource(this.#request, this.#publisherDecides),
        ...definedField('test', test === 1 ? test : undefined),
      };
    });
  }

  /** What at least one of the impressions blocks. */
  #blocked(key: 'categories' | 'advertisers' | 'apps'): readonly string[] {
    const [first, ...others] = this.#slots;
    if (others.length === 0) return first.imp.blocking[key];
    // Impressions mostly share their lists, which may be long.
    const lists = new Set(this.#slots.map(({ imp }) => imp.blocking[key]));
    return [...new Set([...lists].flat())];
  }

  /** Device, user and regulations: alike for all partners to which privacy leaves the same. */
  #person(call: PlannedCall, version: Version): string {
    return this.#piece(`person ${call.effects.key} ${version}`, () => {
      const person = describePerson(this.#facts, call.effects);
      return version === '2.2' ? personTo22(person) : person;
    });
  }

  /** The fields of an object as JSON, each with a comma before it. */
  #piece(key: string, describe: () => object): string {
    let piece = this.#pieces.get(key);
    if (piece === undefined) {
      const json = JSON.stringify(describe());
      piece = json === '{}' ? '' : `,${json.slice(1, -1)}`;
      this.#pieces.set(key, piece);
    }
    return piece;
  }
}

/** The highest of the floors that apply to every bid on this impression, for those who want it. */
function bidfloorOf(offer: Offer, bidder: Bidder): string {
  if (!bidder.sendBidfloor) return '';
  let lineItemFloorMicros = Infinity;
  for (const { lineItem } of offer.lineItems) {
    lineItemFloorMicros = Math.min(lineItemFloorMicros, lineItem.floorMicros);
  }
  const floorMicros = Math.max(offer.imp.floorMicros, lineItemFloorMicros);
  // A floor above any allowed price is kept, and not said: no bid reaches it.
  const saidMicros = Math.min(floorMicros, PRICE_MAX_MICROS);
  return `,"bidfloor":${dollarsFromMicros(saidMicros)},"bidfloorcur":"USD"`;
}

/** Deal.at: 1 first price, 2 second price, 3 the floor is the agreed price (spec, section 2.12). */
const DEAL_AT = { first_price: 1, second_price: 2, fixed_price: 3 } as const;

function pmpOf(deals: readonly Deal[]): string {
  if (deals.length === 0) return '';
  const described = deals.map((deal) => ({
    id: deal.id,
    bidfloor: dollarsFromMicros(deal.floorMicros),
    bidfloorcur: 'USD',
    at: DEAL_AT[deal.type],
    ...listField('wseat', deal.seats),
    ...listField('wadomain', deal.advertisers),
  }));
  return `,"pmp":{"private_auction":1,"deals":${JSON.stringify(described)}}`;
}

const sendableSource = createSendable(SourceSchema);

/** The supply chain and the transaction's id are passed on; who decides is always said. */
function describeSource({ source }: IncomingRequest, publisherDecides: boolean): Source {
  return { ...sendableSource(source), fd: publisherDecides ? 1 : 0 };
}
