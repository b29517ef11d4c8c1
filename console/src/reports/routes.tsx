import { createRoute, type AnyRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.ts';
import { readReportSearch } from './search.ts';
import { DEMAND, SUPPLY } from './sides.ts';

/** The reports of both sides. */
export function reportRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/demand-partners/$demandPartnerId/reports',
      validateSearch: (search: Record<string, unknown>) => readReportSearch(search, DEMAND),
      component: lazyPage(() => import('./report-pages.tsx'), 'DemandReportPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/publishers/$publisherId/reports',
      validateSearch: (search: Record<string, unknown>) => readReportSearch(search, SUPPLY),
      component: lazyPage(() => import('./report-pages.tsx'), 'SupplyReportPage'),
    }),
  ] as const;
}
