import type { EnumeratedList } from './enumerated-list.ts';

/** List 5.20: where a location comes from. */
export const LocationType = { Gps: 1, IpAddress: 2, UserProvided: 3 } as const;
export type LocationType = (typeof LocationType)[keyof typeof LocationType];

export const LOCATION_TYPES: EnumeratedList<LocationType> = {
  section: '5.20',
  title: 'Location type',
  meanings: {
    [LocationType.Gps]: 'GPS or location services',
    [LocationType.IpAddress]: 'IP address',
    [LocationType.UserProvided]: 'User provided',
  },
};

/** List 5.21: device type. 1 is an acceptable alias of 4 and 5. */
export const DeviceType = {
  MobileTablet: 1,
  PersonalComputer: 2,
  ConnectedTv: 3,
  Phone: 4,
  Tablet: 5,
  ConnectedDevice: 6,
  SetTopBox: 7,
} as const;
export type DeviceType = (typeof DeviceType)[keyof typeof DeviceType];

export const DEVICE_TYPES: EnumeratedList<DeviceType> = {
  section: '5.21',
  title: 'Device type',
  meanings: {
    [DeviceType.MobileTablet]: 'Mobile or tablet',
    [DeviceType.PersonalComputer]: 'Personal computer',
    [DeviceType.ConnectedTv]: 'Connected TV',
    [DeviceType.Phone]: 'Phone',
    [DeviceType.Tablet]: 'Tablet',
    [DeviceType.ConnectedDevice]: 'Connected device',
    [DeviceType.SetTopBox]: 'Set top box',
  },
};

/** List 5.22: connection type. */
export const ConnectionType = {
  Unknown: 0,
  Ethernet: 1,
  Wifi: 2,
  CellularUnknown: 3,
  Cellular2G: 4,
  Cellular3G: 5,
  Cellular4G: 6,
} as const;
export type ConnectionType = (typeof ConnectionType)[keyof typeof ConnectionType];

export const CONNECTION_TYPES: EnumeratedList<ConnectionType> = {
  section: '5.22',
  title: 'Connection type',
  meanings: {
    [ConnectionType.Unknown]: 'Unknown',
    [ConnectionType.Ethernet]: 'Ethernet',
    [ConnectionType.Wifi]: 'WIFI',
    [ConnectionType.CellularUnknown]: 'Cellular, unknown generation',
    [ConnectionType.Cellular2G]: 'Cellular, 2G',
    [ConnectionType.Cellular3G]: 'Cellular, 3G',
    [ConnectionType.Cellular4G]: 'Cellular, 4G',
  },
};

/** List 5.23: IP location services. The spec numbers three providers and omits their names. */
export const IpLocationService = { ProviderOne: 1, ProviderTwo: 2, ProviderThree: 3 } as const;
export type IpLocationService = (typeof IpLocationService)[keyof typeof IpLocationService];

export const IP_LOCATION_SERVICES: EnumeratedList<IpLocationService> = {
  section: '5.23',
  title: 'IP location service',
  meanings: {
    [IpLocationService.ProviderOne]: 'IP location provider 1',
    [IpLocationService.ProviderTwo]: 'IP location provider 2',
    [IpLocationService.ProviderThree]: 'IP location provider 3',
  },
};
