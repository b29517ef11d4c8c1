import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';
import { readBidderSearch } from '../bidder/bidder-search.ts';
import { readLostBidsSearch } from '../lost-bids/lost-bids-search.ts';
import {
  readDiscoverySearch,
  readLineItemSearch,
  readLineItemsSearch,
  readNewLineItemSearch,
  readOverviewSearch,
} from './search.ts';

const ROOT = '/demand-partners/$demandPartnerId';

/** A demand partner’s pages. */
export function demandPartnerRoutes<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: ROOT,
      validateSearch: readOverviewSearch,
      component: lazyPage(() => import('./overview-page.tsx'), 'OverviewPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${ROOT}/line-items`,
      validateSearch: readLineItemsSearch,
      component: lazyPage(() => import('./line-items-page.tsx'), 'LineItemsPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${ROOT}/line-items/new`,
      validateSearch: readNewLineItemSearch,
      component: lazyPage(() => import('./new-line-item-page.tsx'), 'NewLineItemPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${ROOT}/line-items/$lineItemId`,
      validateSearch: readLineItemSearch,
      component: lazyPage(() => import('./line-item-page.tsx'), 'LineItemPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${ROOT}/discovery`,
      validateSearch: readDiscoverySearch,
      component: lazyPage(() => import('./discovery-page.tsx'), 'DiscoveryPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${ROOT}/lost-bids`,
      validateSearch: readLostBidsSearch,
      component: lazyPage(() => import('../lost-bids/lost-bids-page.tsx'), 'LostBidsPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${ROOT}/bidder`,
      validateSearch: readBidderSearch,
      component: lazyPage(() => import('../bidder/bidder-page.tsx'), 'BidderPage'),
    }),
  ] as const;
}
