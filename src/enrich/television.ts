import { DeviceType } from '../openrtb/device-lists.ts';
import type { Hardware } from './hardware.ts';

/** A television, streaming box or console. */
export interface Television extends Hardware {
  /** Its system; undefined when it is the one that the rest of the user agent names. */
  readonly system: { readonly os: string | null; readonly osv: string | null } | undefined;
}

/** How one family is recognised and what is known of it. */
interface Family {
  readonly pattern: RegExp;
  readonly devicetype: DeviceType;
  readonly make: string | null;
  /** Its name, or a pattern whose first group is the name. */
  readonly model: string | RegExp | null;
  /** Null where there is a system without a common name, undefined as above. */
  readonly os: string | null | undefined;
  /** A pattern whose groups are the version's places in different forms of the user agent. */
  readonly osv: RegExp | null;
}

const { ConnectedTv, ConnectedDevice, SetTopBox } = DeviceType;

/**
 * The families, the more particular first. Sticks and boxes that are made to stream count as
 * television, as buyers of television count them; consoles are connected devices. Televisions that
 * run Android are recognised in `android-device.ts`, by their model.
 */
const FAMILIES: readonly Family[] = [
  {
    pattern: /\bRoku\w*\/DVP/,
    devicetype: ConnectedTv,
    make: 'Roku',
    model: /\b(Roku\w+)\/DVP/,
    os: 'Roku OS',
    osv: /\/DVP-(\d+(?:\.\d+){0,3})/,
  },
  {
    pattern: /\bApple ?TV\b|\bAppleTV\d/,
    devicetype: ConnectedTv,
    make: 'Apple',
    model: 'Apple TV',
    os: 'tvOS',
    osv: /\btvOS[ /](\d+(?:\.\d+){0,3})|\bAppleTV\d+,\d+\/(\d+(?:\.\d+){0,3})|\bOS (\d+(?:_\d+){0,3}) like/,
  },
  {
    pattern: /\bPlayStation\b/i,
    devicetype: ConnectedDevice,
    make: 'Sony',
    model: /\b(PlayStation (?:\d|Vita))\b/i,
    os: null,
    osv: null,
  },
  {
    pattern: /\bXbox\b/,
    devicetype: ConnectedDevice,
    make: 'Microsoft',
    model: /\b(Xbox (?:One|Series X|Series S))\b/,
    os: null,
    osv: null,
  },
  {
    pattern: /\bNintendo (?:Switch|WiiU?|3DS)\b/,
    devicetype: ConnectedDevice,
    make: 'Nintendo',
    model: /\bNintendo (\w+)/,
    os: null,
    osv: null,
  },
  {
    // Tizen alone also runs on watches and older phones.
    pattern: /\(SMART-TV\b[^)]*\bTizen\b|\bTV Safari\b/i,
    devicetype: ConnectedTv,
    make: 'Samsung',
    model: null,
    os: undefined,
    osv: null,
  },
  {
    pattern: /\bWeb0S\b|\bwebOS\.TV\b|\bNetCast\b/,
    devicetype: ConnectedTv,
    make: 'LG',
    model: null,
    os: undefined,
    osv: null,
  },
  {
    pattern: /\bCrKey\b/,
    devicetype: ConnectedTv,
    make: 'Google',
    model: 'Chromecast',
    os: undefined,
    osv: null,
  },
  {
    pattern: /\bSTB\b|\bset-?top\b/i,
    devicetype: SetTopBox,
    make: null,
    model: null,
    os: undefined,
    osv: null,
  },
  {
    pattern: /\bHbbTV\/\d|\b(?:SMART-?TV|Smart TV|VIDAA|Viera|NETTV|PhilipsTV|VIZIO|DTV)\b/i,
    devicetype: ConnectedTv,
    make: null,
    model: null,
    os: undefined,
    osv: null,
  },
];

/** Apps for phones carry the names of televisions and consoles that they steer. */
const HANDHELD = /\b(?:iPhone|iPad|iPod|Mobile)\b/;

/** The television that a user agent describes; null if it is no television's, or an Android's. */
export function readTelevision(ua: string): Television | null {
  if (HANDHELD.test(ua)) return null;
  const family = FAMILIES.find(({ pattern }) => pattern.test(ua));
  if (family === undefined) return null;
  const { devicetype, make, model, os, osv } = family;
  return {
    devicetype,
    make,
    model: model instanceof RegExp ? firstGroup(model, ua) : model,
    system:
      os === undefined ? undefined : { os, osv: firstGroup(osv, ua)?.replaceAll('_', '.') ?? null },
  };
}

/** The first group that matched anything. */
function firstGroup(pattern: RegExp | null, ua: string): string | null {
  const groups = pattern?.exec(ua)?.slice(1) ?? [];
  return groups.find((group) => group !== undefined) ?? null;
}
