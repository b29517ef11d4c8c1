import { DeviceType } from '../openrtb/device-lists.ts';
import type { Hardware } from './hardware.ts';

/** What models whose names begin alike have in common. */
interface Series {
  readonly pattern: RegExp;
  /** Null where several makers use the name. */
  readonly make: string | null;
  /** Null where the series has phones and tablets. */
  readonly devicetype: DeviceType | null;
}

const { ConnectedTv, Phone, Tablet } = DeviceType;

/**
 * Series of models that are one maker's for sure, the more particular first. Prefixes that makers
 * share (OPPO and OnePlus: CPH) or that are mere numbers are left out: no make is better than a
 * wrong one.
 */
const SERIES: readonly Series[] = [
  { pattern: /^AFT[A-Z0-9]+$/, make: 'Amazon', devicetype: ConnectedTv },
  { pattern: /^KF[A-Z0-9]{2,8}$/, make: 'Amazon', devicetype: Tablet },
  { pattern: /^BRAVIA\b/, make: 'Sony', devicetype: ConnectedTv },
  { pattern: /^(?:MIBOX|MiTV)/i, make: 'Xiaomi', devicetype: ConnectedTv },
  { pattern: /^Chromecast\b/, make: 'Google', devicetype: ConnectedTv },
  { pattern: /^SHIELD Android TV/, make: 'NVIDIA', devicetype: ConnectedTv },
  { pattern: /^AQUOS[- ]?TV/i, make: 'Sharp', devicetype: ConnectedTv },
  { pattern: /\b(?:Android|Google|Smart) ?TV\b|\bTV\b/i, make: null, devicetype: ConnectedTv },
  { pattern: /^SM-[TXP]\d/, make: 'Samsung', devicetype: Tablet },
  { pattern: /^SM-[AGSNJMFEC]\d/, make: 'Samsung', devicetype: Phone },
  { pattern: /^(?:SM|GT|SCH|SGH|SPH|SHV)-/, make: 'Samsung', devicetype: null },
  { pattern: /^Pixel (?:C|Tablet)\b/, make: 'Google', devicetype: Tablet },
  { pattern: /^Pixel\b/, make: 'Google', devicetype: Phone },
  { pattern: /^Nexus (?:7|9|10)\b/, make: 'Google', devicetype: Tablet },
  { pattern: /^Nexus\b/, make: 'Google', devicetype: Phone },
  { pattern: /^(?:Redmi|Xiaomi|Mi) Pad\b/i, make: 'Xiaomi', devicetype: Tablet },
  { pattern: /^(?:Redmi|Xiaomi|POCO|Mi)\b/i, make: 'Xiaomi', devicetype: null },
  { pattern: /^(?:HUAWEI )?MatePad\b|^MediaPad\b/i, make: 'Huawei', devicetype: Tablet },
  { pattern: /^HUAWEI\b/i, make: 'Huawei', devicetype: null },
  { pattern: /^HONOR\b/i, make: 'Honor', devicetype: null },
  { pattern: /^(?:moto\b|motorola\b|XT\d{4})/i, make: 'Motorola', devicetype: null },
  { pattern: /^ONEPLUS\b/i, make: 'OnePlus', devicetype: null },
  { pattern: /^OPPO\b/i, make: 'OPPO', devicetype: null },
  { pattern: /^(?:realme\b|RMX\d{4})/i, make: 'realme', devicetype: null },
  { pattern: /^vivo\b/i, make: 'vivo', devicetype: null },
  { pattern: /^(?:Nokia\b|TA-\d{4})/i, make: 'Nokia', devicetype: null },
  { pattern: /^L[GM]-[A-Z0-9]/, make: 'LG', devicetype: null },
  { pattern: /^(?:Xperia\b|XQ-[A-Z]{2}\d)/, make: 'Sony', devicetype: null },
  { pattern: /^(?:ASUS_|ZenFone\b)/i, make: 'ASUS', devicetype: null },
  { pattern: /^Lenovo TB/i, make: 'Lenovo', devicetype: Tablet },
  { pattern: /^Lenovo\b/i, make: 'Lenovo', devicetype: null },
];

/** Makers that put their name in front of every model's. */
const MAKER_IN_FRONT = /^(TECNO|Infinix|itel|HTC|ZTE|TCL|Hisense|CUBOT|DOOGEE|OUKITEL|Ulefone)\b/;

/** Characters of a model's name. */
const MODEL_LENGTH_MAX = 64;

/** Parts of the parenthesis that are no model: architecture, language, form factor, marks. */
const NO_MODEL =
  /^(?:U|K|wv|Mobile|Tablet|TV|Linux|HarmonyOS|arm_64|x86_64|[a-z]{2}[-_][a-z]{2}|[a-z]{2}|rv:.*|HMSCore .*|GMSCore .*)$/i;

/** What the user agent of an Android device says about the device. */
export function readAndroidDevice(ua: string): Hardware {
  const model = androidModelOf(ua);
  if (model === null) return { devicetype: formOf(ua), make: null, model };
  const series = SERIES.find(({ pattern }) => pattern.test(model));
  const make = series?.make ?? MAKER_IN_FRONT.exec(model)?.[1] ?? null;
  return { devicetype: series?.devicetype ?? formOf(ua), make, model };
}

/**
 * The model as it stands behind the version: `(Linux; Android 14; SM-S918B Build/UP1A.231005; wv)`,
 * formerly with a language between. Chrome now says `K` for all of them, Firefox nothing.
 */
function androidModelOf(ua: string): string | null {
  const parts = platformOf(ua);
  const version = parts.findIndex((part) => /^Android\b/i.test(part));
  if (version === -1) return null;
  const found = parts.slice(version + 1).find((part) => !NO_MODEL.test(part));
  const model = (found ?? '').replace(/\s*\b(?:Build|MIUI)\/.*$/, '').replace(/^SAMSUNG /, '');
  const isName = model !== '' && model.length <= MODEL_LENGTH_MAX && !model.includes('/');
  return isName ? model : null;
}

/** The parts of the parenthesis that names Android. Models have parentheses of their own. */
function platformOf(ua: string): string[] {
  const android = ua.indexOf('Android');
  const start = ua.lastIndexOf('(', android);
  if (android === -1 || start === -1) return [];
  let depth = 0;
  for (let at = start; at < ua.length; at += 1) {
    const character = ua.charAt(at);
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return partsOf(ua.slice(start + 1, at));
  }
  return [];
}

function partsOf(platform: string): string[] {
  return platform.split(';').map((part) => part.trim());
}

/**
 * Phone or tablet by what browsers say: Chrome puts "Mobile" into a phone's, and leaves it out of a
 * tablet's. Apps run on boxes under a television as well, and the views inside them (`wv`) say
 * neither there, so that in an app the absence says nothing.
 */
function formOf(ua: string): DeviceType | null {
  if (/\bTablet\b/.test(ua)) return Tablet;
  if (/\bMobile\b/.test(ua)) return Phone;
  return /^Mozilla\/.*\bChrome\/\d/.test(ua) && !/; wv\)/.test(ua) ? Tablet : null;
}
