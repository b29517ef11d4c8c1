import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';

/** What a user changes about themself. */
export function accountRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/account',
      component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
    }),
  ] as const;
}
