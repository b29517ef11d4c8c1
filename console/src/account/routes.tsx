import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';

/** What a user changes about themself. */
export function accountRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/account',
      component: lazyPage(() => import('./password-page.tsx'), 'PasswordPage'),
    }),
  ] as const;
}
