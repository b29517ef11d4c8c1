import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../../auction/formats.ts';
import type { ImpTraits } from '../../auction/targeting-traits.ts';
import { alpha2FromAlpha3 } from '../../resources/country-codes.ts';
import type { AuctionRecord, ImpRecord } from '../../events/auction-record.ts';
import type { AdFormat, DemandPlatform } from '../../events/dimensions.ts';
import type { AuctionTrace } from '../../events/trace-record.ts';
import type { Size } from '../../resources/formats.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

const BIT_OF: Readonly<Record<AdFormat, number>> = {
  banner: FORMAT_BANNER,
  video: FORMAT_VIDEO,
  native: FORMAT_NATIVE,
};

const SIZE = /^(\d+)x(\d+)$/;

/**
 * What targeting was asked about the impressions of an auction, rebuilt from its records. Without a
 * trace the formats on sale are taken for those of the ad space as it is configured now.
 */
export function traitsOf(
  auction: AuctionRecord,
  trace: AuctionTrace | null,
  snapshot: Snapshot,
): ImpTraits[] {
  return auction.imps.map((imp, index) => {
    const formats = formatsOf(imp, trace?.imps[index] ?? null, snapshot);
    const sizes = imp.sizes.map(sizeOf);
    // The sizes of banners come first, the player's last.
    const hasPlayer = (formats & FORMAT_VIDEO) !== 0 && sizes.length > 0;
    return {
      adSpaceId: imp.zone_id,
      publisherId: auction.publisher_id,
      bundle: auction.app_bundle === '' ? null : auction.app_bundle,
      domain: auction.app_site_domain === '' ? null : auction.app_site_domain,
      categories: auction.categories,
      formats,
      bannerSizes: hasPlayer ? sizes.slice(0, -1) : sizes,
      videoSize: hasPlayer ? (sizes.at(-1) ?? null) : null,
      interstitial: imp.interstitial === 1,
      rewarded: imp.rewarded === 1,
      country: alpha2FromAlpha3(auction.country_code),
      hasLocation: auction.has_location === 1,
      platform: platformOf(auction.platform_demand),
      os: auction.os === '' ? null : auction.os,
      language: auction.language === '' ? null : auction.language,
      connectiontype: auction.connectiontype,
      secure: imp.secure === 1,
    };
  });
}

function formatsOf(
  imp: ImpRecord,
  traced: AuctionTrace['imps'][number] | null,
  { adSpaces }: Snapshot,
): number {
  let formats = BIT_OF[imp.ad_format];
  if (traced !== null) {
    for (const format of traced.formats) formats |= BIT_OF[format];
    return formats;
  }
  const adSpace = adSpaces.get(String(imp.zone_id));
  if (adSpace?.banner) formats |= FORMAT_BANNER;
  if (adSpace?.video) formats |= FORMAT_VIDEO;
  if (adSpace?.native) formats |= FORMAT_NATIVE;
  return formats;
}

function sizeOf(text: string): Size {
  const [, w, h] = SIZE.exec(text) ?? [];
  return { w: Number(w ?? 0), h: Number(h ?? 0) };
}

const PLATFORMS: readonly DemandPlatform[] = ['iOS', 'Android', 'Web', 'CTV', ''];

function platformOf(text: string): DemandPlatform {
  return PLATFORMS.find((platform) => platform === text) ?? '';
}
