/** What stands in a user's hand or room. */
export interface Device {
  /** As a browser on it says; see `inApp` for what an app's web view says. */
  readonly ua: string;
  readonly os: 'iOS' | 'Android' | 'Windows' | 'macOS' | 'Linux' | 'Tizen';
  readonly osv: string;
  readonly make: string;
  readonly model: string;
  /** OpenRTB list 5.21. */
  readonly devicetype: 2 | 3 | 4 | 5;
  /** Physical pixels. */
  readonly w: number;
  readonly h: number;
  /** Its share of the traffic, relative to the others. */
  readonly weight: number;
}

const DESKTOP = 2;
const TELEVISION = 3;
const PHONE = 4;
const TABLET = 5;

/** The devices of the simulated users. */
export const DEVICES: readonly Device[] = [
  iphone('18_5', '18.5', 'iPhone16,2', [1290, 2796, 14]),
  iphone('17_6_1', '17.6', 'iPhone15,4', [1179, 2556, 8]),
  iphone('16_7_10', '16.6', 'iPhone10,4', [750, 1334, 3]),
  ipad('18_4', '18.4', 'iPad13,18', 3),
  ipad('15_8', '15.6', 'iPad5,3', 1),
  android('15', 'SM-S938B', 'Samsung', [PHONE, 1440, 3120, 8]),
  android('14', 'SM-A546E', 'Samsung', [PHONE, 1080, 2340, 8]),
  android('15', 'Pixel 9', 'Google', [PHONE, 1080, 2424, 5]),
  android('13', '2201117TG', 'Xiaomi', [PHONE, 1080, 2400, 5]),
  android('12', 'CPH2269', 'OPPO', [PHONE, 720, 1600, 3]),
  android('10', 'moto g(8) power', 'Motorola', [PHONE, 1080, 2300, 2]),
  android('14', 'SM-X710', 'Samsung', [TABLET, 1600, 2560, 2]),
  android('11', 'Lenovo TB-X606F', 'Lenovo', [TABLET, 1200, 1920, 1]),
  desktop('Windows', '(Windows NT 10.0; Win64; x64)', chrome('137.0.0.0'), 14),
  desktop('Windows', '(Windows NT 10.0; Win64; x64)', `${chrome('136.0.0.0')} Edg/136.0.0.0`, 5),
  desktop('macOS', '(Macintosh; Intel Mac OS X 10_15_7)', chrome('137.0.0.0'), 5),
  desktop('macOS', '(Macintosh; Intel Mac OS X 10_15_7)', safari('18.5'), 5),
  desktop('Linux', '(X11; Linux x86_64)', chrome('135.0.0.0'), 1),
  desktop('Windows', '(Windows NT 10.0; Win64; x64; rv:139.0)', gecko('139.0'), 3),
  desktop('Linux', '(X11; Ubuntu; Linux x86_64; rv:138.0)', gecko('138.0'), 1),
  {
    ua:
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      '94.0.4606.31/7.0 TV Safari/537.36',
    os: 'Tizen',
    osv: '7.0',
    make: 'Samsung',
    model: 'Smart TV',
    devicetype: TELEVISION,
    w: 3840,
    h: 2160,
    weight: 2,
  },
];

/** The user agent of a web view inside of an app on the same device. */
export function inApp({ ua, os }: Device): string {
  if (os === 'Android') {
    return ua
      .replace(/\) AppleWebKit/, '; wv) AppleWebKit')
      .replace(' Chrome/', ' Version/4.0 Chrome/');
  }
  return os === 'iOS' ? ua.replace(/ Version\/\S+/, '').replace(/ Safari\/\S+$/, '') : ua;
}

function iphone(
  version: string,
  safariVersion: string,
  model: string,
  [w, h, weight]: readonly [w: number, h: number, weight: number],
): Device {
  const ua =
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 ` +
    `(KHTML, like Gecko) Version/${safariVersion} Mobile/15E148 Safari/604.1`;
  const osv = version.replaceAll('_', '.');
  return { ua, os: 'iOS', osv, make: 'Apple', model, devicetype: PHONE, w, h, weight };
}

function ipad(version: string, safariVersion: string, model: string, weight: number): Device {
  const ua =
    `Mozilla/5.0 (iPad; CPU OS ${version} like Mac OS X) AppleWebKit/605.1.15 ` +
    `(KHTML, like Gecko) Version/${safariVersion} Mobile/15E148 Safari/604.1`;
  const size = { w: 1640, h: 2360 };
  const osv = version.replaceAll('_', '.');
  return { ua, os: 'iOS', osv, make: 'Apple', model, devicetype: TABLET, ...size, weight };
}

type AndroidScreen = readonly [devicetype: 4 | 5, w: number, h: number, weight: number];

function android(osv: string, model: string, make: string, screen: AndroidScreen): Device {
  const [devicetype, w, h, weight] = screen;
  // Chrome says Mobile on phones and leaves it out on tablets.
  const mobile = devicetype === PHONE ? ' Mobile' : '';
  const ua =
    `Mozilla/5.0 (Linux; Android ${osv}; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) ` +
    `Chrome/136.0.7103.125${mobile} Safari/537.36`;
  return { ua, os: 'Android', osv, make, model, devicetype, w, h, weight };
}

function desktop(
  os: 'Windows' | 'macOS' | 'Linux',
  system: string,
  engine: string,
  weight: number,
): Device {
  const apple = os === 'macOS';
  return {
    ua: `Mozilla/5.0 ${system} ${engine}`,
    os,
    osv: os === 'Windows' ? '10' : apple ? '10.15.7' : '',
    make: apple ? 'Apple' : '',
    model: apple ? 'Macintosh' : '',
    devicetype: DESKTOP,
    w: apple ? 2560 : 1920,
    h: apple ? 1600 : 1080,
    weight,
  };
}

function chrome(version: string): string {
  return `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;
}

function safari(version: string): string {
  return `AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;
}

function gecko(version: string): string {
  return `Gecko/20100101 Firefox/${version}`;
}
