import Bowser from 'bowser';
import { DeviceType } from '../openrtb/device-lists.ts';
import { readAndroidDevice } from './android-device.ts';
import { BoundedCache } from '../base/bounded-cache.ts';
import type { Hardware } from './hardware.ts';
import { readTelevision } from './television.ts';

/** What a user agent says about its device; null where it does not say. */
export interface DetectedDevice extends Hardware {
  /** `iOS`, `Android`, `Windows`, `macOS`, `Linux`, `Chrome OS`, `tvOS`, `Tizen`, `webOS`, … */
  readonly os: string | null;
  readonly osv: string | null;
  readonly browser: string | null;
}

/** Characters of a user agent; real ones have below 600, and parsing takes time for each. */
export const UA_LENGTH_MAX = 1_024;

const UNKNOWN: DetectedDevice = Object.freeze({
  devicetype: null,
  make: null,
  model: null,
  os: null,
  osv: null,
  browser: null,
});

/** Crawlers pretend to be phones, so only their name is believed. Cubot makes phones. */
const CRAWLER = /(?<!cu)bot\b|crawler|spider|slurp/i;

/** The last of bowser's rules takes any first word for a browser; these are the ones that it knows. */
const KNOWN_BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** Bowser's names of systems that are written otherwise elsewhere, or are no system's name. */
const OS_NAMES: Readonly<Record<string, string | null>> = { WebOS: 'webOS', 'PlayStation 4': null };

/**
 * Makes a detector that remembers up to `cacheEntriesMax` user agents (an even number): reading one
 * takes tens of microseconds, and traffic repeats itself. It never throws.
 */
export function createDeviceDetector({
  cacheEntriesMax,
}: {
  cacheEntriesMax: number;
}): (ua: string) => DetectedDevice {
  const cache = new BoundedCache<DetectedDevice>(cacheEntriesMax);
  return (ua) => {
    if (ua.length === 0 || ua.length > UA_LENGTH_MAX) return UNKNOWN;
    let device = cache.get(ua);
    if (device === undefined) {
      device = Object.freeze(detect(ua));
      cache.set(ua, device);
    }
    return device;
  };
}

function detect(ua: string): DetectedDevice {
  const parser = Bowser.getParser(ua, true);
  const name = parser.getBrowserName();
  const browser = KNOWN_BROWSERS.has(name) ? name : null;
  if (CRAWLER.test(ua)) return { ...UNKNOWN, browser };
  // Before the system: a television's says Linux or Android, a console's Windows.
  const television = readTelevision(ua);
  const said = { os: osOf(parser.getOSName(), ua), osv: osvOf(parser.getOS(), ua) };
  const { devicetype, make, model } = television ?? hardwareOf(said.os, ua);
  const { os, osv } = television?.system ?? said;
  return { devicetype, make, model, os, osv, browser };
}

function osOf(name: string, ua: string): string | null {
  // KaiOS says Android on some of its phones.
  if (/\bKAIOS\/\d/.test(ua)) return 'KaiOS';
  // Apps that name themselves first say `iOS 17.4` where browsers say `CPU iPhone OS 17_4`.
  if (name === '') return /\biOS[ /]\d/.test(ua) ? 'iOS' : null;
  const known = OS_NAMES[name];
  return known === undefined ? name : known;
}

function osvOf(os: { version?: string; versionName?: string; name?: string }, ua: string) {
  // Windows says NT 6.1 for 7, and NT 10.0 for 10 and what came after: everybody reads that as 10.
  if (os.name === 'Windows') return os.versionName ?? null;
  // Chrome says "Android 10; K" on every device of every version: neither is true.
  if (os.name === 'Android' && /\bAndroid 10; K\)/.test(ua)) return null;
  if (os.version !== undefined && os.version !== '') return os.version;
  return /\b(?:iOS|KAIOS)[ /](\d+(?:\.\d+){0,3})/.exec(ua)?.[1] ?? null;
}

/** What the system tells of the device: Apple's runs on Apple's, a desktop's on a desktop. */
function hardwareOf(os: string | null, ua: string): Hardware {
  switch (os) {
    case 'Android':
      return readAndroidDevice(ua);
    case 'iOS':
      return readAppleDevice(ua);
    case 'macOS':
      // An iPad that asks for desktop pages says exactly this as well.
      return { devicetype: DeviceType.PersonalComputer, make: 'Apple', model: null };
    case 'Windows':
    case 'Chrome OS':
      return { devicetype: DeviceType.PersonalComputer, make: null, model: null };
    case 'Linux':
      // Without a window system it may be anything that is switched on.
      return { devicetype: /\bX11\b/.test(ua) ? DeviceType.PersonalComputer : null, ...UNNAMED };
    case 'Windows Phone':
      return { devicetype: DeviceType.Phone, ...UNNAMED };
    case null:
    default:
      return { devicetype: handheldType(ua), ...UNNAMED };
  }
}

const UNNAMED = { make: null, model: null } as const;

function readAppleDevice(ua: string): Hardware {
  const model = /\b(iPhone|iPad|iPod)/.exec(ua)?.[1] ?? (/ FxiOS/.test(ua) ? 'iPad' : null);
  // OpenRTB's 1 is "phone or tablet", which is all that is known of the rest.
  const devicetype =
    model === 'iPhone'
      ? DeviceType.Phone
      : model === 'iPad'
        ? DeviceType.Tablet
        : DeviceType.MobileTablet;
  return { devicetype, make: 'Apple', model };
}

function handheldType(ua: string): DeviceType | null {
  if (/\bTablet\b/.test(ua)) return DeviceType.Tablet;
  return /\b(?:Mobile|Phone)\b/.test(ua) ? DeviceType.Phone : null;
}
