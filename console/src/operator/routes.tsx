import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';
import {
  readAuditSearch,
  readCreativesSearch,
  readDealsSearch,
  readExchangeSearch,
  readLiveSearch,
  readPartnersSearch,
  readPublishersSearch,
  readQuarantineSearch,
  readUsersSearch,
} from './search.ts';

/** The operator’s pages. */
export function operatorRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    ...trafficRoutes(parent),
    ...partnerRoutes(parent),
    ...publisherRoutes(parent),
    ...dealRoutes(parent),
    ...administrationRoutes(parent),
  ] as const;
}

function trafficRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/operator',
      validateSearch: readLiveSearch,
      component: lazyPage(() => import('./live/live-page.tsx'), 'LivePage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/creatives',
      validateSearch: readCreativesSearch,
      component: lazyPage(() => import('./creatives/creatives-page.tsx'), 'CreativesPage'),
    }),
  ] as const;
}

function partnerRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/demand-partners',
      validateSearch: readPartnersSearch,
      component: lazyPage(
        () => import('./partners/demand-partners-page.tsx'),
        'DemandPartnersPage',
      ),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/demand-partners/new',
      component: lazyPage(
        () => import('./partners/new-demand-partner-page.tsx'),
        'NewDemandPartnerPage',
      ),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/demand-partners/$demandPartnerId',
      component: lazyPage(() => import('./partners/demand-partner-page.tsx'), 'DemandPartnerPage'),
    }),
  ] as const;
}

function publisherRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/publishers',
      validateSearch: readPublishersSearch,
      component: lazyPage(() => import('./publishers/publishers-page.tsx'), 'PublishersPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/publishers/new',
      component: lazyPage(() => import('./publishers/new-publisher-page.tsx'), 'NewPublisherPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/publishers/$publisherId',
      component: lazyPage(() => import('./publishers/publisher-page.tsx'), 'PublisherPage'),
    }),
  ] as const;
}

function dealRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/deals',
      validateSearch: readDealsSearch,
      component: lazyPage(() => import('./deals/deals-page.tsx'), 'DealsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      // Of two parts, unlike any deal's: ids are free to choose, and one may be `new`.
      path: '/operator/deals/new/deal',
      component: lazyPage(() => import('./deals/new-deal-page.tsx'), 'NewDealPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/deals/$dealId',
      component: lazyPage(() => import('./deals/deal-page.tsx'), 'DealPage'),
    }),
  ] as const;
}

function administrationRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/users',
      validateSearch: readUsersSearch,
      component: lazyPage(() => import('./users/users-page.tsx'), 'UsersPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/audit-log',
      validateSearch: readAuditSearch,
      component: lazyPage(() => import('./audit-log/audit-log-page.tsx'), 'AuditLogPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/quarantine',
      validateSearch: readQuarantineSearch,
      component: lazyPage(() => import('./quarantine/quarantine-page.tsx'), 'QuarantinePage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/status',
      component: lazyPage(() => import('./status/status-page.tsx'), 'StatusPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/operator/exchange',
      validateSearch: readExchangeSearch,
      component: lazyPage(() => import('./exchange/exchange-page.tsx'), 'ExchangePage'),
    }),
  ] as const;
}
