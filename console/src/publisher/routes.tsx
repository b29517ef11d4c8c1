import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';
import { readAdSpaceSearch, readAdSpacesSearch, readNewAdSpaceSearch } from './ad-spaces/search.ts';
import { readCreativesSearch } from './creatives/search.ts';
import { readNewPropertySearch, readPropertiesSearch } from './properties/search.ts';
import { readOverviewSearch } from './overview-search.ts';

const ROOT = '/publishers/$publisherId';

/** A publisher’s pages. */
export function publisherRoutes<Parent extends AnyRoute>(parent: Parent) {
  const shared = { getParentRoute: () => parent };
  return [
    createRoute({
      ...shared,
      path: ROOT,
      validateSearch: readOverviewSearch,
      component: lazyPage(() => import('./overview-page.tsx'), 'OverviewPage'),
    }),
    ...propertyRoutes(parent),
    ...adSpaceRoutes(parent),
    createRoute({
      ...shared,
      path: `${ROOT}/creatives`,
      validateSearch: readCreativesSearch,
      component: lazyPage(() => import('./creatives/creatives-page.tsx'), 'CreativesPage'),
    }),
    createRoute({
      ...shared,
      path: `${ROOT}/blocking`,
      component: lazyPage(() => import('./blocking-page.tsx'), 'BlockingPage'),
    }),
    createRoute({
      ...shared,
      path: `${ROOT}/ads-txt`,
      component: lazyPage(() => import('./ads-txt-page.tsx'), 'AdsTxtPage'),
    }),
  ] as const;
}

function propertyRoutes<Parent extends AnyRoute>(parent: Parent) {
  const shared = { getParentRoute: () => parent };
  return [
    createRoute({
      ...shared,
      path: `${ROOT}/properties`,
      validateSearch: readPropertiesSearch,
      component: lazyPage(() => import('./properties/properties-page.tsx'), 'PropertiesPage'),
    }),
    createRoute({
      ...shared,
      path: `${ROOT}/properties/new`,
      validateSearch: readNewPropertySearch,
      component: lazyPage(() => import('./properties/new-property-page.tsx'), 'NewPropertyPage'),
    }),
    createRoute({
      ...shared,
      path: `${ROOT}/properties/apps/$appId`,
      component: lazyPage(() => import('./properties/app-page.tsx'), 'AppPage'),
    }),
    createRoute({
      ...shared,
      path: `${ROOT}/properties/sites/$siteId`,
      component: lazyPage(() => import('./properties/site-page.tsx'), 'SitePage'),
    }),
  ] as const;
}

function adSpaceRoutes<Parent extends AnyRoute>(parent: Parent) {
  const shared = { getParentRoute: () => parent };
  return [
    createRoute({
      ...shared,
      path: `${ROOT}/ad-spaces`,
      validateSearch: readAdSpacesSearch,
      component: lazyPage(() => import('./ad-spaces/ad-spaces-page.tsx'), 'AdSpacesPage'),
    }),
    createRoute({
      ...shared,
      path: `${ROOT}/ad-spaces/new`,
      validateSearch: readNewAdSpaceSearch,
      component: lazyPage(() => import('./ad-spaces/new-ad-space-page.tsx'), 'NewAdSpacePage'),
    }),
    createRoute({
      ...shared,
      path: `${ROOT}/ad-spaces/$adSpaceId`,
      validateSearch: readAdSpaceSearch,
      component: lazyPage(() => import('./ad-spaces/ad-space-page.tsx'), 'AdSpacePage'),
    }),
  ] as const;
}
