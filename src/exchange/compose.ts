import { lowestFloorMicros } from '../auction/floors.ts';
import type { Offer } from '../auction/offer.ts';
import { definedField, listField, unlessEmpty } from '../base/fields.ts';
import { wellFormedJson } from '../base/well-formed-json.ts';
import { dollarsFromMicros, PRICE_MAX_MICROS } from '../base/money.ts';
import type { Matches } from '../matching/match.ts';
import { CONTENT_CATEGORIES } from '../openrtb/content-taxonomy.ts';
import type { Effects } from '../privacy/effects.ts';
import type { Bidder, Deal, Publisher } from '../snapshot/entities.ts';
import { gatherBuyerIds, ownIds, type BuyerIds, type OwnIds } from './buyer-ids.ts';
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
import { inVersion } from './in-version.ts';

type Version = Bidder['openrtbVersion'];

/** A person in the words of a version. */
interface Described {
  readonly device: object | undefined;
  readonly user: object | undefined;
  readonly regs: object | undefined;
}

/** What is composed: the publisher's request, and what has been found out about it. */
export interface Composition extends Sale {
  readonly slots: readonly [Slot, ...Slot[]];
  readonly facts: Facts;
  /** What the user's browser has of partners; absent where it has nothing. */
  readonly matches?: Matches | undefined;
}

/**
 * Writes the bid requests of one auction. What several partners get alike is described and
 * serialised once; a request is put together from these pieces of JSON, each of well-formed texts.
 */
export class Composer {
  readonly #composition: Composition;
  readonly #supplyChain: SupplyChain | null;
  readonly #buyerIds: BuyerIds | undefined;
  /** Pieces of JSON by what they depend on. */
  readonly #pieces = new Map<string, string>();

  constructor(composition: Composition) {
    this.#composition = composition;
    this.#supplyChain = describeSupplyChain(composition, publisherOf(composition));
    this.#buyerIds = gatherBuyerIds(composition.request.user, composition.matches);
  }

  /**
   * @param id of the bid request, unique for each call.
   * @param tmaxMs what is left for the bidder when the request is sent.
   */
  compose(call: PlannedCall, id: string, tmaxMs: number): string {
    const { bidder, offers } = call;
    const audience = audienceKey(bidder);
    const imps = offers.map((offer) => this.#imp(offer, bidder, audience)).join(',');
    const at = call.at === undefined ? '' : `,"at":${call.at}`;
    const wseat = call.wseat === null ? '' : `,"wseat":${wellFormedJson(call.wseat)}`;
    const rest = this.#rest(call, id);
    return `{"id":"${id}","imp":[${imps}]${at},"tmax":${tmaxMs}${wseat},"allimps":0,"cur":["USD"]${rest}}`;
  }

  #imp(offer: Offer, bidder: Bidder, audience: string): string {
    const { imp, formats } = offer;
    const { facts } = this.#composition;
    const piece = this.#piece(`imp ${imp.id} ${formats} ${audience}`, () => {
      const described = describeImp(this.#slotOf(imp.slot), offer, { bidder, os: facts.os });
      return inVersion[bidder.openrtbVersion].imp(described);
    });
    return `{${piece.slice(1)}${bidfloorOf(offer, bidder)}${pmpOf(offer.deals)}}`;
  }

  /** All but the impressions. Mostly it names neither the bid request nor the partner's user. */
  #rest(call: PlannedCall, id: string): string {
    const version = call.bidder.openrtbVersion;
    const { slot } = firstOf(call.offers).imp;
    const chain = this.#supplyChain;
    if (chain !== null || this.#buyerIds !== undefined) {
      const source = chain === null ? '' : this.#source(version, chain(id));
      return `${this.#context(slot, version)}${source}${this.#person(call, version)}`;
    }
    const key = `rest ${call.effects.key} ${version} ${slot}`;
    let rest = this.#pieces.get(key);
    if (rest === undefined) {
      rest = `${this.#context(slot, version)}${this.#person(call, version)}`;
      this.#pieces.set(key, rest);
    }
    return rest;
  }

  /**
   * App or site, blocking, test and, unless it has a supply chain, the source: alike for all partners
   * of one version to which the same ad space is offered first, whose name is the site's.
   */
  #context(slot: number, version: Version): string {
    return this.#piece(`context ${version} ${slot}`, () => {
      const { request, facts } = this.#composition;
      const { space, imp } = this.#slotOf(slot);
      const { app, site, test } = request;
      const write = inVersion[version];
      const blocking = {
        ...listField('bcat', knownCategories(this.#blocked('categories'))),
        ...listField('badv', this.#blocked('advertisers')),
      };
      const media = {
        ...(app === undefined ? {} : { app: write.app(describeApp(space, request)) }),
        ...(site === undefined
          ? {}
          : { site: write.site(describeSite(space, request, facts.page)) }),
      };
      if (version === '2.2') return { ...blocking, ...media };
      return {
        ...listField('wlang', imp.languages),
        ...blocking,
        ...listField('bapp', this.#blocked('apps')),
        ...media,
        ...(this.#supplyChain === null ? { source: this.#describeSource() } : {}),
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

  /** The source with its supply chain, which names this bid request. Each version has it elsewhere. */
  #source(version: Version, chain: string): string {
    const schain = `"schain":${chain}`;
    if (version === '2.2') return `,"ext":{${schain}}`;
    const fields = this.#piece('source', () => this.#describeSource());
    return `,"source":{${fields.slice(1)},${version === '2.5' ? `"ext":{${schain}}` : schain}}`;
  }

  #describeSource(): object {
    return describeSource(this.#composition, publisherOf(this.#composition));
  }

  /** Device, user and regulations: but for the user's id alike where privacy leaves the same. */
  #person({ effects, partner }: PlannedCall, version: Version): string {
    const ids = this.#buyerIds;
    const isNamed = ids !== undefined && effects.identifiers && effects.buyeruid;
    const own = isNamed ? fieldsOf(ownIds(ids, partner.id)) : '';
    const key = `${effects.key} ${version}`;
    if (own === '') {
      return this.#piece(`person ${key}`, () => this.#describePerson(effects, version));
    }
    const around = this.#piece(`around ${key}`, () => {
      const { user, ...others } = this.#describePerson(effects, version);
      this.#piece(`user ${key}`, () => user ?? {});
      return others;
    });
    const user = this.#pieces.get(`user ${key}`) ?? '';
    return `${around},"user":{${own.slice(1)}${user}}`;
  }

  #describePerson(effects: Effects, version: Version): Described {
    const { device, user, regs } = describePerson(this.#composition.facts, effects);
    const write = inVersion[version];
    return {
      // 2.2 has no field for the hardware version, and gets the model as it came.
      device: write.device(version === '2.2' ? device : withHardwareVersion(device)),
      user: user === undefined ? undefined : unlessEmpty(write.user(user)),
      regs: regs === undefined ? undefined : write.regs(regs),
    };
  }

  /** The fields of an object as JSON, each with a comma before it. */
  #piece(key: string, describe: () => object): string {
    let piece = this.#pieces.get(key);
    if (piece === undefined) {
      const json = wellFormedJson(describe());
      piece = json === '{}' ? '' : `,${json.slice(1, -1)}`;
      this.#pieces.set(key, piece);
    }
    return piece;
  }
}

/** The fields as JSON, each with a comma before it. */
function fieldsOf({ buyeruid, customdata }: OwnIds): string {
  const id = buyeruid === undefined ? '' : `,"buyeruid":${textOf(buyeruid)}`;
  return customdata === undefined ? id : `${id},"customdata":${textOf(customdata)}`;
}

function textOf(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** All impressions belong to one publisher. */
function publisherOf({ slots: [{ space }] }: Composition): Publisher {
  return space.publisher;
}

function firstOf(offers: readonly Offer[]): Offer {
  const [first] = offers;
  if (first === undefined) throw new Error('a bid request that offers nothing');
  return first;
}

/** What of blocked categories bidders can read. The others are enforced as well. */
function knownCategories(categories: readonly string[]): readonly string[] {
  return categories.filter((category) => CONTENT_CATEGORIES.has(category));
}

/**
 * The lowest price that could win, for those who want it: the highest of the floors that apply to
 * every bid on this impression, and of the formats on offer that with the lowest floor.
 */
function bidfloorOf(offer: Offer, bidder: Bidder): string {
  if (!bidder.sendBidfloor) return '';
  let lineItemFloorMicros = Infinity;
  for (const { lineItem } of offer.lineItems) {
    lineItemFloorMicros = Math.min(lineItemFloorMicros, lineItem.floorMicros);
  }
  const floorMicros = Math.max(lowestFloorMicros(offer.imp, offer.formats), lineItemFloorMicros);
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
  return `,"pmp":{"private_auction":1,"deals":${wellFormedJson(described)}}`;
}
