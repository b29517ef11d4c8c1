import type { ShownApp, ShownSite } from '../../../../src/management/properties/schema.ts';
import type { Status } from '../../parts/status/statuses.ts';
import { useAsk, type Asked } from '../../api/use-ask.ts';
import { usePublisher } from '../use-publisher.ts';

/** An app or a site, as lists have it. */
export interface Property {
  readonly type: 'app' | 'site';
  readonly id: number;
  readonly name: string;
  readonly status: Status;
  /** The app's bundle, or the site's domain. */
  readonly place: string;
  readonly platform: string | null;
}

export interface AskedProperties {
  readonly apps: Asked<readonly ShownApp[]>;
  readonly sites: Asked<readonly ShownSite[]>;
  /** Both together; undefined until both are there. */
  readonly all: readonly Property[] | undefined;
}

/** The apps and sites of the publisher whose page this is. */
export function useProperties(): AskedProperties {
  const { api } = usePublisher();
  const apps = useAsk(`${api}/apps/`);
  const sites = useAsk(`${api}/sites/`);
  const all =
    apps.data === undefined || sites.data === undefined
      ? undefined
      : [...sites.data.body.map(siteRow), ...apps.data.body.map(appRow)];
  return { apps, sites, all };
}

function appRow({ id, name, status, bundle, platform }: ShownApp): Property {
  return { type: 'app', id, name, status, place: bundle, platform };
}

function siteRow({ id, name, status, domain }: ShownSite): Property {
  return { type: 'site', id, name, status, place: domain, platform: null };
}

/** The page of an app or a site. */
export function propertyHref(root: string, { type, id }: Pick<Property, 'type' | 'id'>): string {
  return `${root}/properties/${type}s/${id}`;
}
