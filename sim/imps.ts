import type { Imp } from '../src/openrtb/bid-request.ts';
import type { AdSpace, NativeTemplate, Size } from './catalogue.ts';
import type { Random } from './random.ts';

/** The impression by which a publisher offers an ad space. */
export function createImp(adSpace: AdSpace, random: Random): Imp {
  const app = adSpace.medium.kind === 'app';
  const { banner, video, native } = adSpace;
  return {
    id: '1',
    tagid: adSpace.id,
    ...(banner ? { banner: bannerOf(banner.sizes, app, random) } : {}),
    ...(video ? { video: videoOf(video, app, random) } : {}),
    ...(native ? { native: { request: nativeRequestOf(native), ver: '1.1' } } : {}),
    ...(app ? { displaymanager: 'PlanetSDK', displaymanagerver: '3.1.0' } : {}),
    ...(adSpace.interstitial ? { instl: 1 } : {}),
    ...floorOf(adSpace, random),
    // Pages are served over https; some apps still allow what is not.
    secure: !app || random.chance(0.85) ? 1 : 0,
  };
}

/** Some publishers ask for more than the ad space's floor, which the exchange knows already. */
function floorOf({ floorUsd }: AdSpace, random: Random): Pick<Imp, 'bidfloor' | 'bidfloorcur'> {
  const raised = Math.round(floorUsd * random.pick([1, 1.1, 1.25, 1.5]) * 100) / 100;
  return random.chance(0.2) ? { bidfloor: raised, bidfloorcur: 'USD' } : {};
}

/** OpenRTB list 5.6: MRAID 1, 2 and 3, and OMID. */
const MRAID = [3, 5, 6];
const OMID = 7;

function bannerOf(
  sizes: readonly Size[],
  app: boolean,
  random: Random,
): NonNullable<Imp['banner']> {
  const [first] = sizes;
  return {
    ...first,
    ...(first ? { format: sizes.map(({ w, h }) => ({ w, h })) } : {}),
    // OpenRTB list 5.4: above the fold, below it, unknown.
    pos: random.pick([1, 3, 0]),
    ...(app ? { api: MRAID } : {}),
  };
}

function videoOf({ w, h }: Size, app: boolean, random: Random): NonNullable<Imp['video']> {
  return {
    mimes: ['video/mp4', 'video/webm'],
    minduration: 5,
    maxduration: random.pick([15, 30, 60]),
    // VAST 2.0 and its wrapper, and half of the players know 3.0 as well (list 5.8).
    protocols: random.chance(0.5) ? [2, 5] : [2, 5, 3, 6],
    w,
    h,
    startdelay: 0,
    linearity: 1,
    skip: random.chance(0.3) ? 1 : 0,
    playbackmethod: [app ? 1 : 2],
    delivery: [2],
    ...(app ? { api: [OMID] } : {}),
  };
}

/** Types of native images and data (native 1.1, sections 7.4 and 7.5 of its specification). */
const IMAGE_ICON = 1;
const IMAGE_MAIN = 3;
const DATA_DESCRIPTION = 2;
const DATA_CALL_TO_ACTION = 12;

function nativeRequestOf({ title, icon, image, description, cta }: NativeTemplate): string {
  const assets = [
    ...(title === undefined ? [] : [{ title: { len: title } }]),
    ...(icon === undefined ? [] : [{ img: { type: IMAGE_ICON, ...icon } }]),
    ...(image === undefined ? [] : [{ img: { type: IMAGE_MAIN, ...image } }]),
    ...(description === undefined ? [] : [{ data: { type: DATA_DESCRIPTION, len: description } }]),
    ...(cta === undefined ? [] : [{ data: { type: DATA_CALL_TO_ACTION, len: cta } }]),
  ].map((asset, index) => ({ id: index + 1, required: 1, ...asset }));
  return JSON.stringify({ ver: '1.1', plcmttype: 1, plcmtcnt: 1, seq: 0, assets });
}
