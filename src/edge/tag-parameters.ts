import { isIP } from 'node:net';
import { alpha2FromAlpha3, alpha3FromAlpha2 } from '../resources/country-codes.ts';
import { ApiFramework } from '../openrtb/creative-lists.ts';
import { CONNECTION_TYPES, DEVICE_TYPES } from '../openrtb/device-lists.ts';
import { listedValues, type EnumeratedList } from '../openrtb/enumerated-list.ts';
import {
  CODE_LENGTH_MAX,
  INTEGER_MAX,
  LONG_TEXT_LENGTH_MAX,
  TEXT_LENGTH_MAX,
} from '../openrtb/limits.ts';
import { isUsPrivacy, US_PRIVACY_ALLOWED } from '../openrtb/us-privacy.ts';
import { VideoProtocol } from '../openrtb/video-lists.ts';

/** What a parameter of a tag may be: how it is read, and what is right in words. */
export interface ParameterType {
  /** Follows "is …; give" in an error, and stands in the reference. */
  readonly right: string;
  /** The value as the request has it; undefined for what is not right. */
  readonly read: (text: string) => unknown;
}

/** One query parameter of the tags. */
export interface TagParameter {
  readonly name: string;
  readonly type: ParameterType;
  /**
   * JSON pointers into the OpenRTB request. Those into a format, a site or an app apply where the
   * request has it. Empty for what says how to answer.
   */
  readonly places: readonly string[];
  readonly meaning: string;
}

const FLAG = choice({ '0': 0, '1': 1 });
const MRAID_1 = [ApiFramework.Mraid1];
const MRAID_2 = [...MRAID_1, ApiFramework.Mraid2];
const MRAID_3 = [...MRAID_2, ApiFramework.Mraid3];
const VAST_2 = [VideoProtocol.Vast2, VideoProtocol.Vast2Wrapper];
const VAST_3 = [...VAST_2, VideoProtocol.Vast3, VideoProtocol.Vast3Wrapper];

/** Every parameter; `docs/reference/tags.md` lists the same rows. */
export const TAG_PARAMETERS: readonly TagParameter[] = [
  row(
    'format',
    choice({ html: 'html', json: 'json', banner: 'banner' }, 'html, json or banner'),
    [],
    'How `/ad` answers: html (the default) is a document for a frame or a web view, json data, banner data of a banner only.',
  ),
  row('w', integer(1), media('w', 'banner', 'video'), 'Width of the place in CSS pixels.'),
  row('h', integer(1), media('h', 'banner', 'video'), 'Height of the place in CSS pixels.'),
  row('ua', text(), ['/device/ua'], 'User agent; without it the header of the request.'),
  row(
    'ip',
    { right: 'an IPv4 or IPv6 address', read: (found) => (isIP(found) === 0 ? undefined : found) },
    ['/device/ip'],
    'Address of the user. A request with it comes from a server: nothing is taken from its own address and headers.',
  ),
  row('ifa', text(), ['/device/ifa'], 'Advertising identifier of the device.'),
  row('lmt', FLAG, ['/device/lmt'], '1: tracking must be limited, as the platform says.'),
  row('dnt', FLAG, ['/device/dnt'], '1: tracking must be limited, as the browser says.'),
  row('lat', decimal(-90, 90), ['/device/geo/lat'], 'Latitude, with `lon`.'),
  row('lon', decimal(-180, 180), ['/device/geo/lon'], 'Longitude, with `lat`.'),
  row(
    'country',
    { right: 'an ISO 3166-1 code of three or two letters, such as USA or US', read: readCountry },
    ['/device/geo/country'],
    'Country of the device; without it that of its address.',
  ),
  row('os', text(), ['/device/os'], 'Operating system; without it from the user agent.'),
  row('osv', text(), ['/device/osv'], 'Its version.'),
  row('make', text(), ['/device/make'], 'Maker of the device.'),
  row('model', text(), ['/device/model'], 'Model of the device.'),
  row('devicetype', listed(DEVICE_TYPES), ['/device/devicetype'], 'Type of the device, list 5.21.'),
  row(
    'language',
    text(CODE_LENGTH_MAX),
    ['/device/language'],
    'Language of the device, such as en or en-US.',
  ),
  row(
    'connectiontype',
    listed(CONNECTION_TYPES),
    ['/device/connectiontype'],
    'Connection, list 5.22.',
  ),
  row('yob', integer(1900, 2100), ['/user/yob'], 'Year of birth.'),
  row(
    'gender',
    choice({ M: 'M', F: 'F', O: 'O', m: 'M', f: 'F', o: 'O' }, 'M, F or O'),
    ['/user/gender'],
    'Gender.',
  ),
  row('keywords', text(LONG_TEXT_LENGTH_MAX), ['/user/keywords'], 'Keywords with commas.'),
  row(
    'page',
    text(LONG_TEXT_LENGTH_MAX),
    ['/site/page'],
    'Address of the page, for sites; without it the referer of the request.',
  ),
  row('ref', text(LONG_TEXT_LENGTH_MAX), ['/site/ref'], 'What led to the page, for sites.'),
  row('coppa', FLAG, ['/regs/coppa'], '1: for children, as COPPA says.'),
  row('gdpr', FLAG, ['/regs/ext/gdpr'], '1: GDPR applies.'),
  row('consent', text(LONG_TEXT_LENGTH_MAX), ['/user/ext/consent'], 'TCF consent string.'),
  row(
    'us_privacy',
    { right: US_PRIVACY_ALLOWED, read: (found) => (isUsPrivacy(found) ? found : undefined) },
    ['/regs/ext/us_privacy'],
    'US privacy string.',
  ),
  row('gpp', text(LONG_TEXT_LENGTH_MAX), ['/regs/ext/gpp'], 'GPP string.'),
  row(
    'gpp_sid',
    { right: 'whole numbers with commas between them', read: readSections },
    ['/regs/ext/gpp_sid'],
    'Sections of the GPP string that apply.',
  ),
  row('tmax', integer(1), ['/tmax'], 'Time for the answer in milliseconds.'),
  row('test', FLAG, ['/test'], '1: a real auction that nobody pays for and no report counts.'),
  row('minduration', integer(0), media('minduration', 'video'), 'Shortest spot in seconds.'),
  row('maxduration', integer(0), media('maxduration', 'video'), 'Longest spot in seconds.'),
  row('minbitrate', integer(0), media('minbitrate', 'video'), 'Lowest bit rate in kbps.'),
  row('maxbitrate', integer(0), media('maxbitrate', 'video'), 'Highest bit rate in kbps.'),
  row(
    'linearity',
    choice({ '1': 1, '2': 2 }),
    media('linearity', 'video'),
    '1 in the stream (linear), 2 above it, list 5.7.',
  ),
  row(
    'vastver',
    choice({ '2': VAST_2, '2.0': VAST_2, '3': VAST_3, '3.0': VAST_3 }, '2 or 3'),
    media('protocols', 'video'),
    'Version of VAST that the player takes and `/vast` answers in; 2 is the default, and 3 takes both.',
  ),
  row(
    'mraidver',
    choice(
      { '1': MRAID_1, '1.0': MRAID_1, '2': MRAID_2, '2.0': MRAID_2, '3': MRAID_3, '3.0': MRAID_3 },
      '1, 2 or 3',
    ),
    media('api', 'banner', 'native'),
    'Version of MRAID that the web view of an app has; the document then loads mraid.js.',
  ),
  row(
    'sdkver',
    text(),
    ['/imp/0/displaymanagerver'],
    'Version of the SDK that asks; leave it out without one.',
  ),
];

function row(
  name: string,
  type: ParameterType,
  places: readonly string[],
  meaning: string,
): TagParameter {
  return { name, type, places, meaning };
}

/** The same field of several formats. */
function media(field: string, ...formats: readonly string[]): string[] {
  return formats.map((format) => `/imp/0/${format}/${field}`);
}

function text(lengthMax = TEXT_LENGTH_MAX): ParameterType {
  return {
    right: `a text of at most ${lengthMax} characters`,
    read: (found) => (found.length <= lengthMax ? found : undefined),
  };
}

function integer(minimum: number, maximum = INTEGER_MAX): ParameterType {
  return {
    right: `a whole number from ${minimum} to ${maximum}`,
    read: (found) => {
      const value = /^\d{1,10}$/.test(found) ? Number(found) : Number.NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

function decimal(minimum: number, maximum: number): ParameterType {
  return {
    right: `a number from ${minimum} to ${maximum}, such as 51.5`,
    read: (found) => {
      const value = /^[+-]?\d{1,3}(?:\.\d{0,20})?$/.test(found) ? Number(found) : Number.NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** @param right what is right, where the spellings say it less well. */
function choice(values: Readonly<Record<string, unknown>>, right?: string): ParameterType {
  const known = new Map(Object.entries(values));
  return { right: right ?? [...known.keys()].join(' or '), read: (found) => known.get(found) };
}

function listed(list: EnumeratedList): ParameterType {
  const values = listedValues(list).map(String);
  return {
    right: `one of ${values.join(', ')}`,
    read: (found) => (values.includes(found) ? Number(found) : undefined),
  };
}

/** As OpenRTB has it, in three letters; two are understood. */
function readCountry(found: string): string | undefined {
  const code = found.toUpperCase();
  const alpha3 = alpha2FromAlpha3(code) === null ? alpha3FromAlpha2(code) : code;
  return alpha3 ?? undefined;
}

/**
 * Ad servers write lists with commas or, where those mean something to them, with underscores. -1 says that
 * no section applies.
 */
function readSections(found: string): number[] | undefined {
  return /^(?:-1|\d{1,5}(?:[,_]\d{1,5}){0,63})$/.test(found)
    ? found.split(/[,_]/).map(Number)
    : undefined;
}
