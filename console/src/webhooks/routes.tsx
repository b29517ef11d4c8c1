import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';

/** Addresses that the exchange tells what has changed. */
export function webhookRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/webhooks',
      component: lazyPage(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/webhooks/$webhookId',
      component: lazyPage(() => import('./webhook-page.tsx'), 'WebhookPage'),
    }),
  ] as const;
}
