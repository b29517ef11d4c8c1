import type { LossReason } from '../openrtb/loss-reason.ts';

/** Why a creative may not be shown. */
export interface Objection {
  readonly reason: LossReason;
  readonly detail: string;
}
