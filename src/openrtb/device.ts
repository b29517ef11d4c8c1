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
} from './fields.ts';
import { filled, overridable, requested, setHere, unsent } from './filling.ts';

/** Geo, section 2.18: where a device is, or under a user where home is. */
export const GeoSchema = filled(
  object(
    'A location.',
    {
      lat: optional(
        Type.Number({
          description: 'Latitude, south negative.',
          minimum: -90,
          maximum: 90,
          'x-only-with': { field: 'lon' },
        }),
      ),
      lon: optional(
        Type.Number({
          description: 'Longitude, west negative.',
          minimum: -180,
          maximum: 180,
          'x-only-with': { field: 'lat' },
        }),
      ),
      type: optional(listed(LOCATION_TYPES)),
      accuracy: optional(
        count('Accuracy in meters; when type is 1.', {
          'x-only-with': { field: 'type', value: LocationType.Gps },
        }),
      ),
      lastfix: optional(
        integer('Seconds since the location was found; not mapped.', { 'x-outgoing': NEVER_SENT }),
      ),
      ipservice: optional(
        listed(IP_LOCATION_SERVICES, 'IP location service; when type is 2.', {
          'x-only-with': { field: 'type', value: LocationType.IpAddress },
        }),
      ),
      country: optional(code('ISO 3166-1 alpha-3 code.', ALPHA_3_COUNTRY)),
      region: optional(
        code('ISO 3166-2 code.', {
          pattern: '^([A-Z]{2}-)?[A-Z0-9]{1,3}$',
          'x-allowed': 'an ISO 3166-2 region code, such as "CA" or "US-CA"',
        }),
      ),
      regionfips104: optional(code('FIPS 10-4 region code.')),
      metro: optional(code('Metro code.')),
      city: optional(
        text('UN location code of the city.', {
          'x-outgoing': {
            pattern: '^[A-Z]{2} ?[A-Z2-9]{3}$',
            'x-allowed': 'a UN/LOCODE, such as "USNYC"',
          },
        }),
      ),
      zip: optional(code('Postal code.')),
      utcoffset: optional(integer('Minutes from UTC.')),
      ext: ext(),
    },
    ['type'],
    advisory(
      'type',
      'accuracy',
      'lastfix',
      'ipservice',
      'country',
      'region',
      'regionfips104',
      'metro',
      'city',
      'zip',
      'utcoffset',
    ),
  ),
  {
    lat: requested(
      'As the request says, rounded or left out where privacy asks for it; never from an address.',
    ),
    lon: requested(
      'As the request says, rounded or left out where privacy asks for it; never from an address.',
    ),
    type: requested('As the request says, left out with the coordinates.'),
    ipservice: requested('As the request says, left out with the coordinates.'),
    metro: requested('As the request says, left out with the coordinates.'),
    city: requested('As the request says, left out with the coordinates.'),
    accuracy: requested('As the request says, left out where the location may not be precise.'),
    zip: requested('As the request says, left out where the location may not be precise.'),
    lastfix: unsent('Never sent: not mapped (section 2.18).'),
    country: overridable('As the request says; for a device else from its address.'),
    region: requested(),
    regionfips104: requested(),
    utcoffset: requested(),
    ext: unsent(),
  },
);
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

/** Device, section 2.17. */
export const DeviceSchema = filled(
  object(
    'The device that shows the ad.',
    {
      ua: optional(text('User agent.')),
      geo: optional(GeoSchema),
      dnt: optional(flag('1 = tracking must be limited, as the browser says.')),
      lmt: optional(flag('1 = tracking must be limited, as the platform says.')),
      ip: optional(code('IPv4 address.', IPV4)),
      devicetype: optional(listed(DEVICE_TYPES)),
      make: optional(text('Maker of the device.')),
      model: optional(text('Model of the device.')),
      os: optional(text('Operating system.')),
      osv: optional(text('Version of the operating system.')),
      hwv: optional(text('Hardware version.')),
      h: optional(count('Height of the screen in physical pixels.')),
      w: optional(count('Width of the screen in physical pixels.')),
      pxratio: optional(
        Type.Number({ description: 'Physical pixels in a device independent pixel.', minimum: 0 }),
      ),
      js: optional(
        advisoryFlag('1 = JavaScript is supported; the exchange sends 1.', {
          'x-outgoing': { enum: [1] },
        }),
      ),
      language: optional(code('ISO 639-1 code.', ALPHA_2_LANGUAGE)),
      carrier: optional(text('Carrier or provider; "WIFI" indicates high bandwidth.')),
      connectiontype: optional(listed(CONNECTION_TYPES)),
      ifa: optional(text('Advertising identifier.')),
      didsha1: optional(code('SHA-1 of the device id.', SHA1)),
      didmd5: optional(code('MD5 of the device id, in either case.', MD5)),
      dpidsha1: optional(code('SHA-1 of the platform id.', SHA1)),
      dpidmd5: optional(code('MD5 of the platform id, in either case.', MD5)),
      ext: ext(),
    },
    ['ua', 'geo', 'dnt', 'lmt', 'ip'],
    advisory(
      'devicetype',
      'make',
      'model',
      'os',
      'osv',
      'hwv',
      'h',
      'w',
      'pxratio',
      'js',
      'language',
      'carrier',
      'connectiontype',
    ),
  ),
  {
    ua: overridable('As the request says, else the header of a browser that asks itself.'),
    geo: requested('See Geo.'),
    dnt: requested('As the request says.'),
    lmt: requested('As the request says.'),
    ip: overridable(
      'As the request says, else of a browser that asks itself: IPv4 only, shortened where privacy asks for it.',
    ),
    devicetype: overridable('As the request says, else from the user agent.'),
    make: overridable('As the request says, else from the user agent.'),
    model: overridable('As the request says, else from the user agent; without the hwv in it.'),
    os: overridable('As the request says, else from the user agent.'),
    osv: overridable('As the request says, else from the user agent.'),
    hwv: requested('As the request says, else the version in the model of an Apple device.'),
    h: requested('As the request says; no database of screens has a free licence.'),
    w: requested('As the request says; no database of screens has a free licence.'),
    pxratio: requested('As the request says; no database of screens has a free licence.'),
    carrier: overridable(
      'As the request says, else of its address, where the operator has a database that tells it.',
    ),
    connectiontype: overridable(
      'As the request says, else 3 (cellular) where such a database says so of its address.',
    ),
    js: setHere('Always 1.'),
    language: overridable(
      'As the request says, its first part: en for en-US; else the first that a browser accepts which asks itself.',
    ),
    ifa: requested('As the request says, left out where privacy takes identifiers.'),
    didsha1: requested(HASHED_ID),
    didmd5: requested(HASHED_ID),
    dpidsha1: requested(HASHED_ID),
    dpidmd5: requested(HASHED_ID),
    ext: unsent(),
  },
);
export type Device = Static<typeof DeviceSchema>;
