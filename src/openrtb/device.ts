import Type, { type Static } from 'typebox';
import {
  CONNECTION_TYPES,
  DEVICE_TYPES,
  IP_LOCATION_SERVICES,
  LOCATION_TYPES,
  LocationType,
} from './device-lists.ts';
import {
  advisory,
  ALPHA_2_LANGUAGE,
  ALPHA_3_COUNTRY,
  advisoryFlag,
  code,
  count,
  ext,
  flag,
  integer,
  listed,
  NEVER_SENT,
  object,
  optional,
  text,
  recommended,
  required,
  texts,
  array,
} from './fields.ts';
import { overridable, requested, setHere, unsent } from './filling.ts';
import { since, inVersion } from './variations.ts';
import type { Surroundings } from './schema-node.ts';
import { USER_AGENT_SOURCES } from './later-lists.ts';
import { languageTag } from './later-fields.ts';

/** Geo, section 2.18: where a device is, or under a user where home is. */
export const GeoSchema = object('A location.', {
  lat: optional(
    Type.Number({
      description: 'Latitude, south negative.',
      minimum: -90,
      maximum: 90,
      'x-only-with': { field: 'lon' },
    }),
    requested(
      'As the request says, rounded or left out where privacy asks for it; never from an address.',
    ),
  ),
  lon: optional(
    Type.Number({
      description: 'Longitude, west negative.',
      minimum: -180,
      maximum: 180,
      'x-only-with': { field: 'lat' },
    }),
    requested(
      'As the request says, rounded or left out where privacy asks for it; never from an address.',
    ),
  ),
  type: optional(
    listed(LOCATION_TYPES),
    recommended,
    advisory,
    requested('As the request says, left out with the coordinates.'),
  ),
  accuracy: optional(
    count('Accuracy in meters; when type is 1.', {
      'x-only-with': { field: 'type', value: LocationType.Gps },
    }),
    advisory,
    since('2.5'),
    requested('As the request says, left out where the location may not be precise.'),
  ),
  lastfix: optional(
    integer('Seconds since the location was found; not mapped.', { 'x-outgoing': NEVER_SENT }),
    advisory,
    since('2.5'),
    unsent('Never sent: not mapped (section 2.18).'),
  ),
  ipservice: optional(
    listed(IP_LOCATION_SERVICES, 'IP location service; when type is 2.', {
      'x-only-with': { field: 'type', value: LocationType.IpAddress },
    }),
    advisory,
    since('2.5'),
    requested('As the request says, left out with the coordinates.'),
  ),
  country: optional(
    code('ISO 3166-1 alpha-3 code.', ALPHA_3_COUNTRY),
    advisory,
    overridable('As the request says; for a device else from its address.'),
  ),
  region: optional(
    code('ISO 3166-2 code.', {
      pattern: '^([A-Z]{2}-)?[A-Z0-9]{1,3}$',
      'x-allowed': 'an ISO 3166-2 region code, such as "CA" or "US-CA"',
    }),
    advisory,
    requested(),
  ),
  regionfips104: optional(code('FIPS 10-4 region code.'), advisory, requested()),
  metro: optional(
    code('Metro code.'),
    advisory,
    requested('As the request says, left out with the coordinates.'),
  ),
  city: optional(
    text('UN location code of the city.', {
      'x-outgoing': {
        pattern: '^[A-Z]{2} ?[A-Z2-9]{3}$',
        'x-allowed': 'a UN/LOCODE, such as "USNYC"',
      },
    }),
    advisory,
    requested('As the request says, left out with the coordinates.'),
  ),
  zip: optional(
    code('Postal code.'),
    advisory,
    requested('As the request says, left out where the location may not be precise.'),
  ),
  utcoffset: optional(integer('Minutes from UTC.'), advisory, since('2.5'), requested()),
  ext: ext(),
});
export type Geo = Static<typeof GeoSchema>;

const SHA1 = { pattern: '^[0-9A-Fa-f]{40}$', 'x-allowed': 'a SHA-1 in 40 hexadecimal digits' };
const MD5 = { pattern: '^[0-9A-Fa-f]{32}$', 'x-allowed': 'an MD5 in 32 hexadecimal digits' };
const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = {
  pattern: `^(${OCTET}\\.){3}${OCTET}$`,
  'x-allowed': 'an IPv4 address, such as "192.0.2.1"',
};

const HASHED_ID =
  'As the request says, if it has the form; left out where privacy takes identifiers.';

/** BrandVersion, OpenRTB 2.6 section 3.2.30. */
export const BrandVersionSchema = object('A browser or platform with its version.', {
  brand: required(text('Its name.'), requested()),
  version: optional(
    texts('The parts of its version, the first one the main one.'),
    advisory,
    requested(),
  ),
  ext: ext(),
});

/** UserAgent, OpenRTB 2.6 section 3.2.29: what a browser says of itself in client hints. */
export const UserAgentSchema = object('The user agent in parts.', {
  browsers: optional(
    array(BrandVersionSchema, 'The browser and what it is made of.'),
    recommended,
    advisory,
    requested(),
  ),
  platform: optional(BrandVersionSchema, recommended, advisory, requested()),
  mobile: optional(
    advisoryFlag('1 = a mobile form of the content is wanted.'),
    advisory,
    requested(),
  ),
  architecture: optional(text('Architecture, such as "x86".'), advisory, requested()),
  bitness: optional(text('Bitness, such as "64".'), advisory, requested()),
  model: optional(text('Model of the device.'), advisory, requested()),
  source: optional(listed(USER_AGENT_SOURCES, undefined, { default: 0 }), advisory, requested()),
  ext: ext(),
});
export type UserAgent = Static<typeof UserAgentSchema>;

/** One flag of 2.2 says what two say later: 1 if either of them is. */
function theStricter(lmt: unknown, { standing: dnt }: Surroundings): unknown {
  return lmt === 1 || dnt === 1 ? 1 : (dnt ?? lmt);
}

/** Device, section 2.17. */
export const DeviceSchema = object('The device that shows the ad.', {
  ua: optional(
    text('User agent.'),
    recommended,
    overridable('As the request says, else the header of a browser that asks itself.'),
  ),
  sua: optional(UserAgentSchema, advisory, since('2.6'), requested()),
  geo: optional(GeoSchema, recommended, requested('See Geo.')),
  dnt: optional(
    flag('1 = tracking must be limited, as the browser says.'),
    recommended,
    inVersion('2.2', requested('1 if the request says dnt or lmt 1.')),
    requested('As the request says.'),
  ),
  lmt: optional(
    flag('1 = tracking must be limited, as the platform says.'),
    recommended,
    inVersion('2.2', { at: 'dnt', write: theStricter, isLossy: true }),
    requested('As the request says.'),
  ),
  ip: optional(
    code('IPv4 address.', IPV4),
    recommended,
    overridable(
      'As the request says, else of a browser that asks itself: IPv4 only, shortened where privacy asks for it.',
    ),
  ),
  ipv6: optional(code('IPv6 address.'), advisory, since('2.6'), unsent()),
  devicetype: optional(
    listed(DEVICE_TYPES),
    advisory,
    overridable('As the request says, else from the user agent.'),
  ),
  make: optional(
    text('Maker of the device.'),
    advisory,
    overridable('As the request says, else from the user agent.'),
  ),
  model: optional(
    text('Model of the device.'),
    advisory,
    inVersion('2.2', overridable('As the request says, else from the user agent.')),
    overridable('As the request says, else from the user agent; without the hwv in it.'),
  ),
  os: optional(
    text('Operating system.'),
    advisory,
    overridable('As the request says, else from the user agent.'),
  ),
  osv: optional(
    text('Version of the operating system.'),
    advisory,
    overridable('As the request says, else from the user agent.'),
  ),
  hwv: optional(
    text('Hardware version.'),
    advisory,
    since('2.5'),
    requested('As the request says, else the version in the model of an Apple device.'),
  ),
  h: optional(
    count('Height of the screen in physical pixels.'),
    advisory,
    since('2.5'),
    requested('As the request says; no database of screens has a free licence.'),
  ),
  w: optional(
    count('Width of the screen in physical pixels.'),
    advisory,
    since('2.5'),
    requested('As the request says; no database of screens has a free licence.'),
  ),
  pxratio: optional(
    Type.Number({ description: 'Physical pixels in a device independent pixel.', minimum: 0 }),
    advisory,
    since('2.5'),
    requested('As the request says; no database of screens has a free licence.'),
  ),
  ppi: optional(count('Pixels per inch of the screen.'), advisory, since('2.6'), requested()),
  js: optional(
    advisoryFlag('1 = JavaScript is supported; the exchange sends 1.', {
      'x-outgoing': { enum: [1] },
    }),
    advisory,
    setHere('Always 1.'),
  ),
  language: optional(
    code('ISO 639-1 code.', ALPHA_2_LANGUAGE),
    advisory,
    overridable(
      'As the request says, its first part: en for en-US; else, without langb, the first that a browser accepts which asks itself.',
    ),
  ),
  langb: languageTag(),
  carrier: optional(
    text('Carrier or provider; "WIFI" indicates high bandwidth.'),
    advisory,
    overridable(
      'As the request says, else of its address, where the operator has a database that tells it.',
    ),
  ),
  mccmnc: optional(
    code('Mobile country and network code, such as "310-005".'),
    advisory,
    since('2.6'),
    requested(),
  ),
  geofetch: optional(
    advisoryFlag('1 = JavaScript can ask for the location.'),
    advisory,
    since('2.6'),
    requested(),
  ),
  connectiontype: optional(
    listed(CONNECTION_TYPES),
    advisory,
    overridable(
      'As the request says, else 3 (cellular) where such a database says so of its address.',
    ),
  ),
  ifa: optional(
    text('Advertising identifier.'),
    requested('As the request says, left out where privacy takes identifiers.'),
  ),
  didsha1: optional(code('SHA-1 of the device id.', SHA1), requested(HASHED_ID)),
  didmd5: optional(code('MD5 of the device id, in either case.', MD5), requested(HASHED_ID)),
  dpidsha1: optional(code('SHA-1 of the platform id.', SHA1), requested(HASHED_ID)),
  dpidmd5: optional(code('MD5 of the platform id, in either case.', MD5), requested(HASHED_ID)),
  ext: ext(),
});
export type Device = Static<typeof DeviceSchema>;
