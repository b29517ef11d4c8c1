import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';
import { readAuctionSearch } from './list-search.ts';
import { readAuctionViewSearch } from './view-search.ts';

/** The auction inspector, below the pages of whoever looks: operators see every auction, whole. */
export function auctionRoutes<Parent extends AnyRoute, Root extends string>(
  parent: Parent,
  root: Root,
) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: root,
      validateSearch: readAuctionSearch,
      component: lazyPage(() => import('./auction-list-page.tsx'), 'AuctionListPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: `${root}/$auctionId` as const,
      validateSearch: readAuctionViewSearch,
      component: lazyPage(() => import('./auction-page.tsx'), 'AuctionPage'),
    }),
  ] as const;
}
