import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import { createJsonParser, limitJsonBodies } from '../base/json-body.ts';
import type { Caller } from '../identity/caller.ts';
import type { AuctionExplainer } from './auctions/explain-auction.ts';
import { registerAuctionList, type AuctionListParts } from './auctions/list-routes.ts';
import { registerAuctions } from './auctions/routes.ts';
import { registerAdSpaces } from './ad-spaces/routes.ts';
import { createAuthenticate, requireCaller, type FindCaller } from './authenticate.ts';
import { registerCreativeReviews } from './creative-reviews/routes.ts';
import { registerCreatives, type CreativeFinder } from './creatives/routes.ts';
import { createHealthReader, type BidderHealthParts } from './bidder-health/health-reader.ts';
import { registerBidderHealth } from './bidder-health/routes.ts';
import { registerBidderTest, type BidderTestParts } from './bidder-test/routes.ts';
import { registerBidders } from './bidders/routes.ts';
import { registerDeals } from './deals/routes.ts';
import { registerDemandPartners } from './demand-partners/routes.ts';
import type { Endpoint } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import { registerExchange } from './exchange/routes.ts';
import { registerAuditLog } from './audit-log/routes.ts';
import {
  acceptConfigurationFiles,
  registerConfiguration,
  type ConfigurationParts,
} from './configuration/routes.ts';
import { registerDiscovery, type DiscoveryParts } from './discovery/routes.ts';
import { registerFirstSteps, type FirstStepsParts } from './first-steps/routes.ts';
import { registerFunnel, type FunnelParts } from './funnel/routes.ts';
import { registerKpi, type KpiParts } from './kpi/routes.ts';
import { registerLosses, type LossParts } from './losses/routes.ts';
import { acceptCounts } from './exports/comparisons.ts';
import type { ExportSource } from './exports/parts.ts';
import { registerExports } from './exports/routes.ts';
import { ExportSlots } from './exports/slots.ts';
import { registerLineItems } from './line-items/routes.ts';
import { registerProperties } from './properties/routes.ts';
import { registerPublishers } from './publishers/routes.ts';
import { registerQuarantine, type QuarantineParts } from './quarantine/routes.ts';
import { registerSelf } from './self/routes.ts';
import { registerStatus, type StatusParts } from './status/routes.ts';
import { registerTraffic, type TrafficParts } from './traffic/routes.ts';
import { limitRequests, type RequestRateParts } from './request-rate.ts';
import { registerApplications, type ApplicationParts } from './applications/routes.ts';
import { registerApplicationTokens } from './applications/tokens.ts';
import { registerReportingTokens } from './reporting-tokens/routes.ts';
import { registerSubscriptions } from './subscriptions/routes.ts';
import type { UserParts } from './users/link-routes.ts';
import { registerUsers } from './users/routes.ts';

/** What the management API works with. */
export interface ManagementParts
  extends
    IdentityParts,
    KpiParts,
    DiscoveryParts,
    StatusParts,
    QuarantineParts,
    AuctionListParts,
    FunnelParts,
    LossParts,
    Omit<TrafficParts, 'exports'>,
    BidderHealthParts,
    BidderTestParts,
    FirstStepsParts,
    ConfigurationParts,
    RequestRateParts {
  /** Whom the token lets in at this moment; null for a token that opens nothing (any more). */
  readonly findCaller: FindCaller;
  /** Whose browser sends a request; null for one without a session's cookie. */
  readonly findSessionCaller: (request: FastifyRequest) => Promise<Caller | null>;
  readonly explainAuction: AuctionExplainer;
  readonly findCreatives: CreativeFinder;
  readonly exports: ExportSource;
  /** The public address of the exchange; null if it is not known here. */
  readonly exchangeUrl: string | null;
  /** Whether the node has a mail server. */
  readonly sendsEmail: boolean;
  /** Told of all endpoints once they are there: for the reference, and for tests of all of them. */
  readonly onEndpoints?: (endpoints: readonly Endpoint[]) => void;
}

/**
 * The management API, everything below `/api`. A resource is a folder with a function
 * `register…(endpoints, parts)`, called from here: its paths begin after `/api`, and every request
 * that reaches it comes from a caller whose role and whose token's scope its endpoint asks for.
 */
export function registerManagement(app: FastifyInstance, parts: ManagementParts): void {
  app.register(
    async (api) => {
      requireCaller(api, createAuthenticate(parts.findCaller, parts.findSessionCaller));
      const countWrites = limitRequests(api, parts, () => performance.now());
      api.setNotFoundHandler(async () => {
        throw new RialtoError('not_found');
      });
      acceptMergePatches(api);
      acceptConfigurationFiles(api);
      acceptCounts(api);
      const endpoints = new Endpoints(api, parts);
      registerSelf(endpoints);
      registerAuctions(endpoints, { explain: parts.explainAuction });
      registerAuctionList(endpoints, parts);
      const health = createHealthReader(parts);
      registerDemandPartners(endpoints, parts);
      registerBidderHealth(endpoints, { db: parts.db, health });
      registerBidders(endpoints, parts);
      registerBidderTest(endpoints, parts);
      registerLineItems(endpoints, { ...parts, countWrites });
      registerPublishers(endpoints, parts);
      registerProperties(endpoints, parts);
      registerAdSpaces(endpoints, parts);
      registerCreatives(endpoints, parts);
      registerCreativeReviews(endpoints, parts);
      registerIdentities(endpoints, parts);
      registerSubscriptions(endpoints, parts);
      registerDeals(endpoints, parts);
      registerExchange(endpoints, parts);
      const slots = new ExportSlots();
      registerKpi(endpoints, { ...parts, slots });
      registerFunnel(endpoints, parts);
      registerLosses(endpoints, parts);
      registerDiscovery(endpoints, parts);
      registerAuditLog(endpoints, parts);
      registerStatus(endpoints, {
        readStatus: parts.readStatus,
        readPulse: parts.readPulse,
        health,
      });
      registerFirstSteps(endpoints, parts);
      registerQuarantine(endpoints, parts);
      registerTraffic(endpoints, parts);
      registerConfiguration(endpoints, parts);
      registerExports(endpoints, { ...parts, slots });
      endpoints.answerOtherMethods();
      parts.onEndpoints?.(endpoints.all);
    },
    { prefix: '/api' },
  );
}

/** RFC 7396 has a content type of its own; plain JSON does as well, and text is neither. */
function acceptMergePatches(api: FastifyInstance): void {
  api.removeContentTypeParser('text/plain');
  const parse = createJsonParser(api);
  limitJsonBodies(api);
  api.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, parse);
}

interface IdentityParts extends UserParts, ApplicationParts {}

/** Who uses the exchange, and what they prove it with. */
function registerIdentities(endpoints: Endpoints, parts: IdentityParts): void {
  registerUsers(endpoints, parts);
  registerApplications(endpoints, parts);
  registerApplicationTokens(endpoints, parts);
  registerReportingTokens(endpoints, parts);
}
