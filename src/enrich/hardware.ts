import type { DeviceType } from '../openrtb/device-lists.ts';

/** The device itself, apart from what runs on it; null where the user agent does not say. */
export interface Hardware {
  /** OpenRTB list 5.21. */
  readonly devicetype: DeviceType | null;
  readonly make: string | null;
  readonly model: string | null;
}
