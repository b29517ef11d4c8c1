import { readTargeting } from './read-targeting.ts';
import type { Targeting } from './targeting.ts';

/** Servers refuse addresses of more than some thousand characters. */
const ADDRESS_MAX = 4_000;
const STORED = 'stored';
const KEY = 'rialto.targeting';

/**
 * What an address carries of a targeting: the targeting, nothing for all traffic, or that it stands in
 * this tab's storage, where it is too long for an address.
 */
export function addressed(targeting: Targeting): Targeting | typeof STORED | undefined {
  if (Object.keys(targeting).length === 0) return undefined;
  const text = JSON.stringify(targeting);
  return encodeURIComponent(text).length > ADDRESS_MAX ? STORED : targeting;
}

/** Keeps a targeting that is too long for an address where `readAddressed` finds it. */
export function keepLong(targeting: Targeting): void {
  if (addressed(targeting) !== STORED) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(targeting));
  } catch {
    // Without storage it is lost by a reload, and nothing else.
  }
}

/** The targeting that an address stands for; undefined where it has none. */
export function readAddressed(value: unknown): Targeting | undefined {
  return readTargeting(value === STORED ? stored() : value);
}

function stored(): unknown {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
