// Written by "npm run gen" from the endpoints of src/management; change them there.
import type { AuctionView } from '../../../src/management/auctions/schema.ts';
import type { BidderHealth } from '../../../src/management/bidder-health/schema.ts';
import type { Comparison } from '../../../src/management/exports/schema.ts';
import type { FirstSteps } from '../../../src/management/first-steps/schema.ts';
import type { Funnel } from '../../../src/management/funnel/schema.ts';
import type { Kpi } from '../../../src/management/kpi/schema.ts';
import type { ListedAuction } from '../../../src/management/auctions/list-schema.ts';
import type { Losses } from '../../../src/management/losses/schema.ts';
import type { Self } from '../../../src/management/self/schema.ts';
import type { ShownAdSpace } from '../../../src/management/ad-spaces/schema.ts';
import type { ShownAdsTxt } from '../../../src/management/publishers/schema.ts';
import type { ShownApp } from '../../../src/management/properties/schema.ts';
import type { ShownApplication } from '../../../src/management/applications/schema.ts';
import type { ShownAuditEntry } from '../../../src/management/audit-log/schema.ts';
import type { ShownBidder } from '../../../src/management/bidders/schema.ts';
import type { ShownCreative } from '../../../src/management/creatives/schema.ts';
import type { ShownCreativeReview } from '../../../src/management/creative-reviews/schema.ts';
import type { ShownDeal } from '../../../src/management/deals/schema.ts';
import type { ShownDelivery } from '../../../src/management/subscriptions/schema.ts';
import type { ShownDemandPartner } from '../../../src/management/demand-partners/schema.ts';
import type { ShownDiscovery } from '../../../src/management/discovery/schema.ts';
import type { ShownExchange } from '../../../src/management/exchange/schema.ts';
import type { ShownHeld } from '../../../src/analytics/held-schema.ts';
import type { ShownHeldDetails } from '../../../src/analytics/held-schema.ts';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import type { ShownPublisher } from '../../../src/management/publishers/schema.ts';
import type { ShownRecipient } from '../../../src/management/subscriptions/schema.ts';
import type { ShownReport } from '../../../src/management/exports/schema.ts';
import type { ShownReportingToken } from '../../../src/management/reporting-tokens/schema.ts';
import type { ShownSite } from '../../../src/management/properties/schema.ts';
import type { ShownTags } from '../../../src/management/ad-spaces/schema.ts';
import type { ShownToken } from '../../../src/management/applications/schema.ts';
import type { ShownUser } from '../../../src/management/users/schema.ts';
import type { ShownWebhook } from '../../../src/management/subscriptions/schema.ts';
import type { Statement } from '../../../src/management/exports/schema.ts';
import type { Status } from '../../../src/management/status/schema.ts';
import type { Traffic } from '../../../src/management/traffic/schema.ts';

/** What each address of the management API answers; the first that fits is meant. */
export type Answers = [
  [`/api/demand-partners/${string}/line-items/xch/kpi/`, readonly Kpi[]],
  [`/api/demand-partners/${string}/line-items/xch/${string}/`, ShownLineItem],
  [`/api/publishers/${string}/ad-spaces/${string}/tags/`, ShownTags],
  [`/api/demand-partners/${string}/line-items/xch/`, readonly ShownLineItem[]],
  [`/api/publishers/${string}/ad-spaces/${string}/`, ShownAdSpace],
  [`/api/publishers/${string}/apps/${string}/`, ShownApp],
  [`/api/publishers/${string}/sites/${string}/`, ShownSite],
  [`/api/applications/${string}/tokens/`, readonly ShownToken[]],
  [`/api/demand-partners/${string}/bidder/`, ShownBidder],
  [`/api/demand-partners/${string}/comparison/`, Comparison],
  [`/api/demand-partners/${string}/funnel/`, Funnel],
  [`/api/demand-partners/${string}/health/`, BidderHealth],
  [`/api/demand-partners/${string}/losses/`, Losses],
  [`/api/demand-partners/${string}/report/`, ShownReport],
  [`/api/demand-partners/${string}/reporting-token/`, ShownReportingToken],
  [`/api/demand-partners/${string}/statement/`, Statement],
  [`/api/email-recipients/${string}/deliveries/`, readonly ShownDelivery[]],
  [`/api/publishers/${string}/ad-spaces/`, readonly ShownAdSpace[]],
  [`/api/publishers/${string}/ads-txt/`, ShownAdsTxt],
  [`/api/publishers/${string}/apps/`, readonly ShownApp[]],
  [`/api/publishers/${string}/comparison/`, Comparison],
  [`/api/publishers/${string}/report/`, ShownReport],
  [`/api/publishers/${string}/reporting-token/`, ShownReportingToken],
  [`/api/publishers/${string}/sites/`, readonly ShownSite[]],
  [`/api/publishers/${string}/statement/`, Statement],
  [`/api/webhooks/${string}/deliveries/`, readonly ShownDelivery[]],
  ['/api/demand-partners/health/', readonly BidderHealth[]],
  ['/api/inventory/discovery/', ShownDiscovery],
  [`/api/applications/${string}/`, ShownApplication],
  [`/api/auctions/${string}/`, AuctionView],
  [`/api/creative-reviews/${string}/`, ShownCreativeReview],
  [`/api/deals/${string}/`, ShownDeal],
  [`/api/demand-partners/${string}/`, ShownDemandPartner],
  [`/api/email-recipients/${string}/`, ShownRecipient],
  [`/api/publishers/${string}/`, ShownPublisher],
  [`/api/quarantine/${string}/`, ShownHeldDetails],
  [`/api/users/${string}/`, ShownUser],
  [`/api/webhooks/${string}/`, ShownWebhook],
  ['/api/applications/', readonly ShownApplication[]],
  ['/api/auctions/', readonly ListedAuction[]],
  ['/api/audit-log/', readonly ShownAuditEntry[]],
  ['/api/creative-reviews/', readonly ShownCreativeReview[]],
  ['/api/creatives/', readonly ShownCreative[]],
  ['/api/deals/', readonly ShownDeal[]],
  ['/api/demand-partners/', readonly ShownDemandPartner[]],
  ['/api/email-recipients/', readonly ShownRecipient[]],
  ['/api/exchange/', ShownExchange],
  ['/api/first-steps/', FirstSteps],
  ['/api/publishers/', readonly ShownPublisher[]],
  ['/api/quarantine/', readonly ShownHeld[]],
  ['/api/self/', Self],
  ['/api/status/', Status],
  ['/api/traffic/', Traffic],
  ['/api/users/', readonly ShownUser[]],
  ['/api/webhooks/', readonly ShownWebhook[]],
];
