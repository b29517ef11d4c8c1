import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { listOf, numberOr, recordOf, textOr } from './decode.ts';

/** Width and height in device independent pixels. */
export interface Size {
  readonly w: number;
  readonly h: number;
}

/** The assets of a native ad space; what is left out is not asked for. Lengths in characters. */
export interface NativeTemplate {
  readonly title: number | undefined;
  readonly icon: Size | undefined;
  readonly image: Size | undefined;
  readonly description: number | undefined;
  readonly cta: number | undefined;
}

/** The app or site that an ad space belongs to. */
export type Medium =
  | {
      readonly kind: 'app';
      readonly id: string;
      readonly name: string;
      readonly bundle: string;
      readonly platform: string;
      readonly storeurl: string | undefined;
      readonly categories: readonly string[];
    }
  | {
      readonly kind: 'site';
      readonly id: string;
      readonly name: string;
      readonly domain: string;
      readonly categories: readonly string[];
    };

/** An ad space as far as its publisher's requests need it. */
export interface AdSpace {
  readonly id: string;
  readonly publisherId: string;
  readonly medium: Medium;
  readonly banner: { readonly sizes: readonly Size[] } | undefined;
  readonly video: Size | undefined;
  readonly native: NativeTemplate | undefined;
  readonly interstitial: boolean;
  /** USD CPM. */
  readonly floorUsd: number;
}

/** A demand partner that has a bidder. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  /** Where its bidder listens, as the file says. */
  readonly endpoint: string;
  /** The seats of its line items, each once. */
  readonly seats: readonly string[];
}

/** What the simulators need of an exchange's configuration. */
export interface Catalogue {
  readonly adSpaces: readonly AdSpace[];
  readonly partners: readonly Partner[];
}

/**
 * Reads the ad spaces and bidders of an exchange file (the form of `examples/exchange.yaml`).
 * What is there but not ACTIVE is left out, since the exchange would refuse its requests. Throws
 * when the file cannot be read or is no YAML; `rialto apply` is what checks it thoroughly.
 */
export function readCatalogue(path: string): Catalogue {
  return catalogueOf(parse(readFileSync(path, 'utf8')));
}

/** The same for a document that has been parsed already. */
export function catalogueOf(document: unknown): Catalogue {
  const root = recordOf(document) ?? {};
  return {
    adSpaces: activeOf(root['publishers']).flatMap(adSpacesOf),
    partners: activeOf(root['demand_partners']).flatMap(partnerOf),
  };
}

type Fields = Record<string, unknown>;

function activeOf(value: unknown): readonly Fields[] {
  return listOf(value)
    .map(recordOf)
    .filter((item) => item !== undefined)
    .filter(({ status }) => status === undefined || status === 'ACTIVE');
}

function partnerOf(partner: Fields): readonly Partner[] {
  const endpoint = recordOf(partner['bidder'])?.['endpoint'];
  if (typeof endpoint !== 'string') return [];
  const seats = activeOf(partner['line_items']).flatMap(({ seat }) => textOr(seat, []));
  const id = String(partner['id']);
  return [{ id, name: textOr(partner['name'], id), endpoint, seats: [...new Set(seats)] }];
}

function adSpacesOf(publisher: Fields): readonly AdSpace[] {
  const publisherId = String(publisher['id']);
  const media = [
    ...activeOf(publisher['apps']).map((fields) => ({ fields, medium: appOf(fields) })),
    ...activeOf(publisher['sites']).map((fields) => ({ fields, medium: siteOf(fields) })),
  ];
  return media.flatMap(({ fields, medium }) =>
    activeOf(fields['ad_spaces']).map((adSpace) => adSpaceOf(adSpace, publisherId, medium)),
  );
}

function appOf(app: Fields): Medium {
  return {
    kind: 'app',
    ...commonOf(app),
    bundle: String(app['bundle']),
    platform: textOr(app['platform'], ''),
    storeurl: textOr(app['storeurl'], undefined),
  };
}

function siteOf(site: Fields): Medium {
  return { kind: 'site', ...commonOf(site), domain: String(site['domain']) };
}

function commonOf(medium: Fields): Pick<Medium, 'id' | 'name' | 'categories'> {
  const categories = listOf(medium['categories']).map(String);
  return { id: String(medium['id']), name: textOr(medium['name'], ''), categories };
}

function adSpaceOf(adSpace: Fields, publisherId: string, medium: Medium): AdSpace {
  const banner = recordOf(adSpace['banner']);
  const video = recordOf(adSpace['video']);
  const native = recordOf(adSpace['native']);
  return {
    id: String(adSpace['id']),
    publisherId,
    medium,
    banner: banner && { sizes: listOf(banner['sizes']).flatMap((size) => sizeOf(size) ?? []) },
    video: video && { w: numberOr(video['w'], 640), h: numberOr(video['h'], 360) },
    native: native && {
      title: numberOr(native['title'], undefined),
      icon: sizeOf(native['icon']),
      image: sizeOf(native['image']),
      description: numberOr(native['description'], undefined),
      cta: numberOr(native['cta'], undefined),
    },
    interstitial: adSpace['interstitial'] === true,
    floorUsd: numberOr(adSpace['floor'], 0),
  };
}

/** A size as the file writes it: `320x50`. */
function sizeOf(value: unknown): Size | undefined {
  const [, w, h] = /^(\d+)x(\d+)$/.exec(String(value)) ?? [];
  return w === undefined || h === undefined ? undefined : { w: Number(w), h: Number(h) };
}
