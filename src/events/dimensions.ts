import Type from 'typebox';

/** Micro-dollars CPM. */
export const Micros = Type.Integer({ minimum: 0 });
export const Flag = Type.Union([Type.Literal(0), Type.Literal(1)]);
export const AdFormatSchema = Type.Union([
  Type.Literal('banner'),
  Type.Literal('video'),
  Type.Literal('native'),
]);

/**
 * How a device appears in the `platform` column of the reports: one table for both sides, which
 * `docs/reference/reports.md` shows (reporting API, section 2, "Dimensions"). Unknown values are empty
 * strings, never dropped rows.
 */
export interface Platforms {
  readonly demand: DemandPlatform;
  readonly supply: SupplyPlatform;
}

export type DemandPlatform = 'iOS' | 'Android' | 'Web' | 'CTV' | '';
export type SupplyPlatform = 'iOS' | 'Android' | 'Mobile Web' | 'CTV' | 'Web' | '';
export type AdFormat = 'banner' | 'video' | 'native';

/** OpenRTB list 5.21: 3 connected TV, 7 set top box. */
const TELEVISIONS: ReadonlySet<number> = new Set([3, 7]);
/** OpenRTB list 5.21: 1 mobile or tablet, 4 phone, 5 tablet. */
const HANDHELDS: ReadonlySet<number> = new Set([1, 4, 5]);

/**
 * @param inApp whether the ad space belongs to an app.
 * @param os name of the operating system as enrichment writes it, null when unknown.
 * @param devicetype OpenRTB list 5.21, null when unknown.
 */
export function platformsOf(
  inApp: boolean,
  os: string | null,
  devicetype: number | null,
): Platforms {
  const television = devicetype !== null && TELEVISIONS.has(devicetype);
  if (!inApp) {
    if (television) return { demand: 'Web', supply: 'CTV' };
    const handheld = devicetype !== null && HANDHELDS.has(devicetype);
    return { demand: 'Web', supply: handheld ? 'Mobile Web' : 'Web' };
  }
  const mobile = os === 'iOS' || os === 'Android' ? os : '';
  if (!television) return { demand: mobile, supply: mobile };
  return { demand: mobile === '' ? 'CTV' : mobile, supply: 'CTV' };
}
