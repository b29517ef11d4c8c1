import { Registry } from 'prom-client';
import { aPartner, aSnapshot } from '../auction/eligibility-fixtures.ts';
import { aLineItem, anOffer } from '../auction/fixtures.ts';
import { UNKNOWN_NETWORK } from '../enrich/network.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { AuctionLimits } from '../limits/auction-limits.ts';
import type { BidderReply } from '../ports/bidder-client.ts';
import { privacyFor } from '../privacy/effects.ts';
import { readSignals } from '../privacy/signals.ts';
import type { AdSpace, Bidder, Entity, Property, Publisher } from '../snapshot/entities.ts';
import { AD_SPACE } from '../resources/ad-space.ts';
import { BIDDER } from '../resources/bidder.ts';
import { VIDEO_DEFAULTS, type VideoSettings } from '../resources/formats.ts';
import { APP_FIELDS } from '../resources/property.ts';
import { PUBLISHER } from '../resources/publisher.ts';
import type { BidderHealth } from './bidder-health.ts';
import { readReply, type CallResult } from './call.ts';
import type { ExchangeParts } from './exchange.ts';
import type { Caller, Enrichment } from './facts.ts';
import { createExchangeMetrics } from './metrics.ts';
import { createMarket, type Market } from './market.ts';
import type { PlannedCall, PlanRules } from './plan.ts';

/** One constructor for each thing that the tests of this folder need; each takes what differs. */

export function aPublisher(differs: Partial<Publisher> = {}): Publisher {
  const settings = {
    ...PUBLISHER.entity(PUBLISHER.initial),
    name: 'Planet',
    revenueShareBps: 8_000,
  };
  return { kind: 'publisher', id: 2001, ...settings, ...differs };
}

export function aSite(differs: Partial<Property> = {}): Property {
  const name = 'planet.example';
  const settings = { ...APP_FIELDS.entity(APP_FIELDS.initial), name, domain: name };
  return { kind: 'property', id: 3001, publisherId: 2001, type: 'site', ...settings, ...differs };
}

export function anAdSpace(differs: Partial<AdSpace> = {}): AdSpace {
  return {
    kind: 'adSpace',
    id: 4001,
    propertyId: 3001,
    ...AD_SPACE.entity(AD_SPACE.initial),
    name: 'Box',
    banner: { sizes: [{ w: 300, h: 250 }], api: [] },
    ...differs,
  };
}

export function aVideo(differs: Partial<VideoSettings> = {}): VideoSettings {
  return { w: 640, h: 360, ...VIDEO_DEFAULTS, ...differs };
}

export function aBidder(differs: Partial<Bidder> = {}): Bidder {
  const settings = { ...BIDDER.entity(BIDDER.initial), sendBidfloor: true };
  return { ...settings, endpoint: 'http://bidder.example/bid', ...differs };
}

export function aCall(differs: Partial<PlannedCall> = {}, partnerId = 1001): PlannedCall {
  return {
    partner: aPartner(partnerId),
    bidder: aBidder(),
    effects: privacyFor(readSignals({}), null),
    offers: [anOffer()],
    lineItems: [aLineItem()],
    at: 2,
    wseat: null,
    throttled: null,
    ...differs,
  };
}

/** A publisher with a site and an ad space, and a partner with one line item; more replaces them. */
export function aMarket(...more: readonly Entity[]): Promise<Market> {
  const standard = [
    aPublisher(),
    aSite(),
    anAdSpace(),
    aPartner(1001),
    aLineItem({ id: 501, demandPartnerId: 1001 }),
  ];
  const replaced = (entity: Entity): boolean =>
    more.some((other) => other.kind === entity.kind && idOf(other) === idOf(entity));
  const entities = standard.filter((entity) => !replaced(entity));
  return createMarket(aSnapshot(...entities, ...more), () => Promise.resolve());
}

function idOf(entity: Entity): number | string | null {
  return entity.kind === 'exchange' ? null : entity.id;
}

export function aRequest(differs: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    id: 'request-1',
    imp: [{ id: 'imp-1', tagid: '4001', banner: {} }],
    site: {},
    ...differs,
  };
}

export function aCaller(differs: Partial<Caller> = {}): Caller {
  return {
    ip: '203.0.113.7',
    secure: true,
    fromBrowser: false,
    userAgent: null,
    referer: null,
    acceptLanguage: null,
    ...differs,
  };
}

/** Knows one country and no device. */
export const NO_ENRICHMENT: Enrichment = {
  detectDevice: () => ({
    devicetype: null,
    make: null,
    model: null,
    os: null,
    osv: null,
    browser: null,
  }),
  networkOf: () => ({ ...UNKNOWN_NETWORK, country: 'GB' }),
  findInvalidTraffic: () => null,
};

/** Beacons that can be read: what a page would call, without the secret. */
export const readableSeal: ExchangeParts['seal'] = (imp) => {
  const addressOf = (kind: string): string =>
    `https://tracker.example/${kind}/${imp.auction_id}-${imp.imp}`;
  return {
    win: imp.fd === 1 ? addressOf('win') : null,
    impression: addressOf('imp'),
    view: addressOf('view'),
    click: addressOf('click'),
    clickTo: (target) => `${addressOf('click')}-${Buffer.from(target).toString('base64url')}`,
  };
};

/** Limits that nothing reaches. */
export const NO_LIMITS: AuctionLimits = {
  takeQps: () => true,
  giveBackQps: () => {},
  budget: () => null,
  reserve: () => null,
  release: () => {},
};

/** Bidders that are always well, and told 5 ms less than there are. */
export const HEALTHY: BidderHealth = {
  admit: () => null,
  observe: () => {},
  observeLate: () => {},
  allowanceMs: () => 5,
};

/** Rules of a plan that hold nobody back. */
export const NO_RULES: Omit<PlanRules, 'match' | 'biddableFormats'> = {
  effectsFor: () => privacyFor(readSignals({}), null),
  budget: () => null,
  takeBidderQps: () => true,
  takeLineItemQps: () => true,
  giveBackQps: () => {},
  admit: () => null,
  test: false,
};

/** What became of a call, by what its bidder replied. */
export function replied(call: PlannedCall, requestId: string, reply: BidderReply): CallResult {
  const sent = { body: '{}', tmaxMs: 100, atMs: 1_000 };
  return readReply(call, requestId, reply, { latencyUs: 0, sent });
}

/** Parts whose clock stands still, whose bidders do not bid, and whose records go nowhere. */
export function someParts(differs: Partial<ExchangeParts> = {}): ExchangeParts {
  return {
    client: {
      ask: (_, settle) => queueMicrotask(() => settle({ kind: 'answer', status: 204, body: '' })),
      inFlight: () => 0,
      close: () => Promise.resolve(),
    },
    noticeClient: {
      call: (_, settle) => queueMicrotask(() => settle({ kind: 'timeout' })),
      close: () => Promise.resolve(),
    },
    seal: readableSeal,
    nameSeat: (publisherId, partnerId) => `seat ${publisherId}-${partnerId}`,
    node: '0123456789abcdef',
    money: { append: (_, done) => done?.(null) },
    unwritable: () => null,
    trace: { append: () => {} },
    enrichment: NO_ENRICHMENT,
    metrics: createExchangeMetrics(new Registry()),
    limits: NO_LIMITS,
    health: HEALTHY,
    creatives: { note: () => {} },
    onFault: (error) => {
      throw error;
    },
    createAuctionId: () => 'auction',
    now: () => 1_000,
    unixTime: () => Date.UTC(2026, 10, 20),
    ...differs,
  };
}
