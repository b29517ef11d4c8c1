import { ownField } from '../base/fields.ts';
import { isRecord } from '../openrtb/schema-node.ts';
import type { TagBeacons } from './tag-fill.ts';

/** Native 1.2 tells a view by an event of its own, which a renderer of 1.1 reads over. */
const VIEWABLE_MRC_50 = 2;
const BY_PICTURE = 1;

/**
 * The native ad as the bidder wrote it, under the root `native`.
 *
 * @param markup JSON of a native ad, which the auction has checked, with or without that root.
 */
export function nativeAd(markup: string): Readonly<Record<string, unknown>> {
  const document: unknown = JSON.parse(markup);
  const ad = ownField(document, 'native') ?? document;
  if (!isRecord(ad)) throw new Error('a native ad that is no object won');
  return ad;
}

/** The same with what counts impression, view and click added to its own trackers. */
export function trackedNativeAd(markup: string, beacons: TagBeacons): object {
  const ad = nativeAd(markup);
  const { imptrackers, eventtrackers, link, assets } = ad;
  const view = { event: VIEWABLE_MRC_50, method: BY_PICTURE, url: beacons.view };
  return {
    ...ad,
    link: withClick(link, beacons.click),
    ...(Array.isArray(assets)
      ? { assets: assets.map((asset: unknown) => withAssetClick(asset, beacons.click)) }
      : {}),
    imptrackers: [...listOf(imptrackers), beacons.impression],
    eventtrackers: [...listOf(eventtrackers), view],
  };
}

/** An asset's own link takes the place of the ad's. */
function withAssetClick(asset: unknown, click: string): unknown {
  if (!isRecord(asset) || !isRecord(asset['link'])) return asset;
  return { ...asset, link: withClick(asset['link'], click) };
}

/** Where the markup carries the address already, it is not called twice. */
function withClick(link: unknown, click: string): unknown {
  if (!isRecord(link)) return link;
  const trackers = listOf(link['clicktrackers']);
  if (trackers.includes(click)) return link;
  return { ...link, clicktrackers: [...trackers, click] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
