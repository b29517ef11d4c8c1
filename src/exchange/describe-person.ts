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

export function describePerson({ device, user, signals }: Facts, effects: Effects): Person {
  const permitted = applyEffects({ device, user, signals }, effects);
  return {
    device: permitted.device,
    user: unlessEmpty(permitted.user),
    regs: unlessEmpty(regsOf(signals)),
  };
}
