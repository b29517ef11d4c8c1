import { unlessEmpty } from '../base/fields.ts';
import {
  applyEffects,
  regsOf,
  type BidderDevice,
  type BidderRegs,
  type BidderUser,
} from '../privacy/apply-effects.ts';
import type { Effects } from '../privacy/effects.ts';
import type { Facts } from './facts.ts';

/** Device, user and regulations as some partners may see them; undefined where nothing is left. */
export interface Person {
  readonly device: BidderDevice;
  readonly user: BidderUser | undefined;
  readonly regs: BidderRegs | undefined;
}

/** The person without the partner's own id of the user. */
export function describePerson({ device, user, signals }: Facts, effects: Effects): Person {
  const permitted = applyEffects({ device, user, signals }, effects);
  return {
    device: permitted.device,
    user: unlessEmpty(permitted.user),
    regs: unlessEmpty(regsOf(signals)),
  };
}

/** A model with its version behind it: `iPhone14,5`, `iPhone 5S`, `Watch6,1`. */
const VERSIONED_MODEL = /^(iPhone|iPad|iPod(?: touch)?|Watch|AppleTV)[ ]?([0-9][0-9A-Za-z,.+ ]*)$/i;

/**
 * The hardware version split out from the model (spec, section 2.17), where it is sure to be one:
 * Apple numbers its models, other makers' names have numbers that are part of them. 2.2 has no field
 * for it and gets the model as it came.
 */
export function withHardwareVersion(device: BidderDevice): BidderDevice {
  if (device.hwv !== undefined || device.model === undefined) return device;
  const [, model, hwv] = VERSIONED_MODEL.exec(device.model) ?? [];
  return model === undefined ? device : { ...device, model, hwv };
}
