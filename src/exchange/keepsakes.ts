import { isKeepable } from '../matching/match.ts';
import type { CallResult } from './call.ts';

/** What a demand partner wants kept of the user: `customdata` of its answer (spec, section 2.21). */
export interface Keepsake {
  readonly demandPartnerId: number;
  readonly customdata: string;
}

/**
 * What the answers of an auction want kept in the user's browser: of those partners alone that may
 * have an id of the user there. Of a partner that was asked twice the later answer counts.
 */
export function keepsakesOf(results: readonly CallResult[]): readonly Keepsake[] {
  let keepsakes: Map<number, Keepsake> | null = null;
  for (const { call, answer } of results) {
    const customdata = answer?.customdata;
    if (customdata === undefined || !isKeepable(customdata)) continue;
    if (!call.effects.identifiers || !call.effects.buyeruid) continue;
    const demandPartnerId = call.partner.id;
    keepsakes ??= new Map();
    keepsakes.set(demandPartnerId, { demandPartnerId, customdata });
  }
  return keepsakes === null ? NONE : [...keepsakes.values()];
}

const NONE: readonly Keepsake[] = [];
