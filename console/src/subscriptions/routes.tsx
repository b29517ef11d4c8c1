import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';

/** Who is told what has changed: other systems, and people. */
export function subscriptionRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/webhooks',
      component: lazyPage(() => import('./subscriptions-page.tsx'), 'WebhooksPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/webhooks/$subscriptionId',
      component: lazyPage(() => import('./subscription-page.tsx'), 'WebhookPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/email-recipients',
      component: lazyPage(() => import('./subscriptions-page.tsx'), 'EmailRecipientsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/email-recipients/$subscriptionId',
      component: lazyPage(() => import('./subscription-page.tsx'), 'EmailRecipientPage'),
    }),
  ] as const;
}
