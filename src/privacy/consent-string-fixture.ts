/** What a consent string made for a test says; what is left out is refused or empty. */
export interface ConsentChoices {
  readonly version?: number;
  readonly purposes?: readonly number[];
  readonly legitimateInterests?: readonly number[];
  readonly specialFeatures?: readonly number[];
  readonly vendors?: readonly number[];
  readonly vendorLegitimateInterests?: readonly number[];
  /** `vendors` holds the first and the last id of each range. */
  readonly restrictions?: readonly {
    readonly purpose: number;
    readonly type: number;
    readonly vendors: readonly (readonly [number, number])[];
  }[];
  /** When the string was made; 1970 unless said otherwise, long before vendors had to be disclosed. */
  readonly created?: Date;
  /** The vendors that the user was told of, in a segment of their own; none unless said otherwise. */
  readonly disclosed?: readonly number[];
  /** How the vendors are written; bits unless said otherwise. */
  readonly vendorsAs?: 'bits' | 'ranges';
}

/** Writes a TCF v2 string, for tests and simulated publishers. */
export function consentString(choices: ConsentChoices): string {
  const restrictions = choices.restrictions ?? [];
  const bits = [
    number(choices.version ?? 2, 6),
    number(Math.floor((choices.created?.getTime() ?? 0) / 100), 36),
    // When it was last updated, consent manager, screen, language, versions, flags: nothing decides.
    number(0, 36),
    number(31, 12) + number(1, 12) + number(1, 6),
    number(4, 6) + number(13, 6) + number(100, 12) + number(5, 6) + number(0, 2),
    set(choices.specialFeatures, 12),
    set(choices.purposes, 24),
    set(choices.legitimateInterests, 24),
    number(0, 1) + number(3, 6) + number(4, 6),
    vendorSection(choices.vendors, choices.vendorsAs),
    vendorSection(choices.vendorLegitimateInterests, choices.vendorsAs),
    number(restrictions.length, 12),
    ...restrictions.map(
      ({ purpose, type, vendors }) =>
        number(purpose, 6) + number(type, 2) + number(vendors.length, 12) + entries(vendors),
    ),
  ].join('');
  if (choices.disclosed === undefined) return base64url(bits);
  const disclosed = number(1, 3) + vendorSection(choices.disclosed, choices.vendorsAs);
  return `${base64url(bits)}.${base64url(disclosed)}`;
}

function base64url(bits: string): string {
  const padded = bits.padEnd(Math.ceil(bits.length / 24) * 24, '0');
  const bytes = padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return Buffer.from(bytes).toString('base64url');
}

function vendorSection(vendors: readonly number[] = [], as: 'bits' | 'ranges' = 'bits'): string {
  const idMax = Math.max(0, ...vendors);
  if (as === 'bits') return number(idMax, 16) + number(0, 1) + set(vendors, idMax);
  const ranges = vendors.map((id) => [id, id] as const);
  return number(idMax, 16) + number(1, 1) + number(ranges.length, 12) + entries(ranges);
}

function entries(ranges: readonly (readonly [number, number])[]): string {
  return ranges
    .map(([first, last]) =>
      first === last
        ? number(0, 1) + number(first, 16)
        : number(1, 1) + number(first, 16) + number(last, 16),
    )
    .join('');
}

function set(ids: readonly number[] = [], length: number): string {
  return Array.from({ length }, (_, index) => (ids.includes(index + 1) ? '1' : '0')).join('');
}

function number(value: number, length: number): string {
  return value.toString(2).padStart(length, '0');
}
