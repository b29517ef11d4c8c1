import { RegsSchema, type Regs } from '../openrtb/bid-request.ts';
import { DeviceSchema, type Device } from '../openrtb/device.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { UserSchema, type User } from '../openrtb/user.ts';
import { applyEffects, regsOf } from '../privacy/apply-effects.ts';
import type { Effects } from '../privacy/effects.ts';
import type { Facts } from './facts.ts';

const sendableDevice = createSendable(DeviceSchema);
const sendableUser = createSendable(UserSchema);
const sendableRegs = createSendable(RegsSchema);

/** Device, user and regulations as some partners may see them; undefined where nothing is left. */
export interface Person {
  readonly device: Device | undefined;
  readonly user: User | undefined;
  readonly regs: Regs | undefined;
}

/** A publisher's `buyeruid` and `customdata` are ours to give, so its own are not passed on. */
export function describePerson(request: IncomingRequest, facts: Facts, effects: Effects): Person {
  const { buyeruid: _b, customdata: _c, ...sent } = request.user ?? {};
  const { signals } = facts;
  const { device, user } = applyEffects({ device: facts.device, user: sent, signals }, effects);
  return {
    device: sendableDevice(device),
    user: sendableUser(user),
    regs: sendableRegs(regsOf(signals)),
  };
}
