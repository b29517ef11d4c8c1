import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router';
import { lazyPage } from './lazy-page.ts';
import { sessionQuery } from '../api/session.ts';
import { applicationRoutes } from '../applications/routes.tsx';
import { accountRoutes } from '../account/routes.tsx';
import { auctionRoutes } from '../auctions/routes.tsx';
import { demandPartnerRoutes } from '../demand-partner/routes.tsx';
import { operatorRoutes } from '../operator/routes.tsx';
import { publisherRoutes } from '../publisher/routes.tsx';
import { reportRoutes } from '../reports/routes.tsx';
import { subscriptionRoutes } from '../subscriptions/routes.tsx';
import { FailedPage } from './failed-page.tsx';
import { homeOf } from './home.ts';
import { MissingPage } from './missing-page.tsx';
import { given, text } from './search.ts';

/** What routes may use to find out what they show. */
export interface RouterContext {
  readonly queries: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: MissingPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search) => given({ return_to: text(search['return_to']) }),
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

/** Everything that somebody has to be signed in for. */
const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'user',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { return_to: location.href } });
  },
  component: lazyPage(() => import('./shell.tsx'), 'Shell'),
  errorComponent: FailedPage,
  notFoundComponent: MissingPage,
});

const homeRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (session !== null) throw redirect({ href: homeOf(session), replace: true });
  },
});

/** Addresses of nothing, in the frame that leads to something. */
const missingRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/$',
  component: MissingPage,
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  userRoute.addChildren([
    homeRoute,
    ...applicationRoutes(userRoute),
    ...accountRoutes(userRoute),
    ...subscriptionRoutes(userRoute),
    ...demandPartnerRoutes(userRoute),
    ...auctionRoutes(userRoute, '/demand-partners/$demandPartnerId/auctions'),
    ...publisherRoutes(userRoute),
    ...operatorRoutes(userRoute),
    ...reportRoutes(userRoute),
    ...auctionRoutes(userRoute, '/operator/auctions'),
    missingRoute,
  ]),
]);

/** The addresses of the console. */
export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: FailedPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
