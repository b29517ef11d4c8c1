import type { Offer } from '../auction/offer.ts';
import { definedField, listField } from '../base/fields.ts';
import { dollarsFromMicros, PRICE_MAX_MICROS } from '../base/money.ts';
import { CONTENT_CATEGORIES } from '../openrtb/content-taxonomy.ts';
import type { Bidder, Deal } from '../snapshot/entities.ts';
import { buyeruidOf } from './buyer-ids.ts';
import { audienceKey, describeImp } from './describe-imp.ts';
import { describeApp, describeSite } from './describe-media.ts';
import { describePerson, withHardwareVersion } from './describe-person.ts';
import {
  describeSource,
  describeSupplyChain,
  type Sale,
  type SupplyChain,
} from './describe-source.ts';
import type { Facts } from './facts.ts';
import type { PlannedCall } from './plan.ts';
import type { Slot } from './slots.ts';
import { deviceTo22, impTo22, siteTo22, userTo22 } from './version-22.ts';

type Version = Bidder['openrtbVersion'];

/** What is composed: the publisher's request, and what has been found out about it. */
export interface Composition extends Omit<Sale, 'publisher'> {
  readonly slots: readonly [Slot, ...Slot[]];
  readonly facts: Facts;
}

/**
 * Writes the bid requests of one auction. What several partners get alike is described and
 * serialised once; a request is put together from these pieces of JSON.
 */
export class Composer {
  readonly #composition: Composition;
  readonly #supplyChain: SupplyChain | null;
  /** Pieces of JSON by what they depend on. */
  readonly #pieces = new Map<string, string>();

  constructor(composition: Composition) {
    this.#composition = composition;
    this.#supplyChain = describeSupplyChain(this.#sale());
  }

  /**
   * @param id of the bid request, unique for each call.
   * @param tmaxMs what is left for the bidder when the request is sent.
   */
  compose(call: PlannedCall, id: string, tmaxMs: number): string {
    const version = call.bidder.openrtbVersion;
    const audience = audienceKey(call.bidder);
    const imps = call.offers.map((offer) => this.#imp(offer, call.bidder, audience)).join(',');
    const at = call.at === undefined ? '' : `,"at":${call.at}`;
    const wseat = call.wseat === null ? '' : `,"wseat":${JSON.stringify(call.wseat)}`;
    const source = this.#source(version, id);
    const person = this.#person(call, version);
    return `{"id":"${id}","imp":[${imps}]${at},"tmax":${tmaxMs}${wseat},"allimps":0,"cur":["USD"]${this.#context(call, version)}${source}${person}}`;
  }

  #imp(offer: Offer, bidder: Bidder, audience: string): string {
    const { imp, formats } = offer;
    const { facts } = this.#composition;
    const piece = this.#piece(`imp ${imp.id} ${formats} ${audience}`, () => {
      const described = describeImp(this.#slotOf(imp.slot), offer, { bidder, os: facts.os });
      return bidder.openrtbVersion === '2.2' ? impTo22(described) : described;
    });
    return `{${piece.slice(1)}${bidfloorOf(offer, bidder)}${pmpOf(offer.deals)}}`;
  }

  /**
   * App or site, blocking and test: alike for all partners of one version to which the same ad space
   * is offered first, whose name is the site's.
   */
  #context(call: PlannedCall, version: Version): string {
    const { slot } = firstOf(call.offers).imp;
    return this.#piece(`context ${version} ${slot}`, () => {
      const { request, facts } = this.#composition;
      const { space, imp } = this.#slotOf(slot);
      const { app, site, test } = request;
      const described = site === undefined ? null : describeSite(space, request, facts.page);
      const blocking = {
        ...listField('bcat', knownCategories(this.#blocked('categories'))),
        ...listField('badv', this.#blocked('advertisers')),
      };
      const media = {
        ...(app === undefined ? {} : { app: describeApp(space, request) }),
        ...(described === null
          ? {}
          : { site: version === '2.2' ? siteTo22(described) : described }),
      };
      if (version === '2.2') return { ...blocking, ...media };
      return {
        ...listField('wlang', imp.languages),
        ...blocking,
        ...listField('bapp', this.#blocked('apps')),
        ...media,
        ...definedField('test', test === 1 ? test : undefined),
      };
    });
  }

  #slotOf(index: number): Slot {
    const { slots } = this.#composition;
    const slot = slots[index];
    if (slot === undefined) throw new Error(`an offer for slot ${index} of ${slots.length}`);
    return slot;
  }

  /** What at least one of the impressions blocks. */
  #blocked(key: 'categories' | 'advertisers' | 'apps'): readonly string[] {
    const { slots } = this.#composition;
    const [first, ...others] = slots;
    if (others.length === 0) return first.imp.blocking[key];
    // Impressions mostly share their lists, which may be long.
    const lists = new Set(slots.map(({ imp }) => imp.blocking[key]));
    return [...new Set([...lists].flat())];
  }

  /** Where the request comes from. 2.2 has no Source, and the supply chain in another place. */
  #source(version: Version, id: string): string {
    const chain = this.#supplyChain?.(id);
    const ext = chain === undefined ? '' : `,"ext":{"schain":${chain}}`;
    if (version === '2.2') return ext;
    const fields = this.#piece('source', () => describeSource(this.#sale()));
    return `,"source":{${fields.slice(1)}${ext}}`;
  }

  #sale(): Sale {
    const [{ space }] = this.#composition.slots;
    return { ...this.#composition, publisher: space.publisher };
  }

  /** Device, user and regulations: but for the user's id alike where privacy leaves the same. */
  #person(call: PlannedCall, version: Version): string {
    const { effects, partner } = call;
    const { request, facts } = this.#composition;
    const key = `${effects.key} ${version}`;
    const around = this.#piece(`around ${key}`, () => {
      const { device, user, regs } = describePerson(facts, effects);
      this.#piece(`user ${key}`, () => (version === '2.2' ? userTo22(user) : user) ?? {});
      return { device: version === '2.2' ? deviceTo22(device) : withHardwareVersion(device), regs };
    });
    const isNamed = effects.identifiers && effects.buyeruid;
    const buyeruid = isNamed ? buyeruidOf(request.user, partner.id) : undefined;
    const own = buyeruid === undefined ? '' : `,"buyeruid":${JSON.stringify(buyeruid)}`;
    const fields = `${own}${this.#pieces.get(`user ${key}`) ?? ''}`;
    return fields === '' ? around : `${around},"user":{${fields.slice(1)}}`;
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

function firstOf(offers: readonly Offer[]): Offer {
  const [first] = offers;
  if (first === undefined) throw new Error('a bid request that offers nothing');
  return first;
}

/** Lists of an ad space live as long as a snapshot, and are long: each is gone through once. */
const knownLists = new WeakMap<readonly string[], readonly string[]>();

/** What of blocked categories bidders can read. The others are enforced as well. */
function knownCategories(categories: readonly string[]): readonly string[] {
  let known = knownLists.get(categories);
  if (known === undefined) {
    known = categories.filter((category) => CONTENT_CATEGORIES.has(category));
    knownLists.set(categories, known);
  }
  return known;
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
