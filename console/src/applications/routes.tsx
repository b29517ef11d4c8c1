import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';
import { readApplicationsSearch } from './applications-search.ts';

/** The authorization console: applications and their access tokens. */
export function applicationRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/v2/auth/applications',
      validateSearch: readApplicationsSearch,
      component: lazyPage(() => import('./applications-page.tsx'), 'ApplicationsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/v2/auth/applications/$clientId',
      component: lazyPage(() => import('./application-page.tsx'), 'ApplicationPage'),
    }),
  ] as const;
}
