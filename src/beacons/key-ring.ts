/** A key that tokens are sealed with from a moment on. */
export interface BeaconKey {
  /** 0 to 65,535; stands in the clear in each token. */
  readonly id: number;
  /** 32 bytes. */
  readonly secret: Uint8Array;
  /** Unix time in milliseconds. */
  readonly sealsFromMs: number;
}

/** The keys that tokens may be opened with, and the one that seals. */
export interface KeyRing {
  readonly current: BeaconKey;
  readonly byId: ReadonlyMap<number, BeaconKey>;
}

/** A new id and secret, from chance; the id may be in use. */
export type DrawKey = () => Pick<BeaconKey, 'id' | 'secret'>;

export const KEY_ID_MAX = 0xffff;
export const KEY_BYTES = 32;

/** How long a key seals. Random nonces are safe for 2^32 wins sealed by one key: 49,000 a second. */
export const KEY_SEALS_MS = 24 * 60 * 60 * 1000;

/** A key is handed out so long before it seals: every process can open a token when it comes. */
export const KEY_LEAD_MS = 60 * 60 * 1000;

/**
 * How long a key still opens tokens once it seals no more. No token lives for more than hours, but a
 * page may stay open for days, and who then clicks in it wants to get to where the click leads.
 */
export const KEY_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** The ring as it stands at a moment; `keys` has one at least. */
export function keyRingAt(keys: readonly BeaconKey[], nowMs: number): KeyRing {
  const [first, ...others] = keys;
  if (first === undefined) throw new TypeError('a key ring without a key');
  let current = first;
  for (const key of others) {
    if (isBetter(key, current, nowMs)) current = key;
  }
  return { current, byId: new Map(keys.map((key) => [key.id, key])) };
}

/**
 * The keys after what is due at a moment: a successor is drawn before the newest key's day ends, and
 * a key goes some days after every token that it sealed has expired.
 *
 * @returns the same array when nothing is due
 */
export function rotateKeys(
  keys: readonly BeaconKey[],
  nowMs: number,
  draw: DrawKey,
): readonly BeaconKey[] {
  const newestMs = Math.max(...keys.map((key) => key.sealsFromMs));
  const kept = keys.filter((key) => !isOver(key, keys, nowMs));
  if (keys.length > 0 && nowMs < newestMs + KEY_SEALS_MS - KEY_LEAD_MS) {
    return kept.length === keys.length ? keys : kept;
  }
  const sealsFromMs = keys.length === 0 ? nowMs : nowMs + KEY_LEAD_MS;
  return [...kept, { ...drawUnused(keys, draw), sealsFromMs }];
}

/** The newest that seals already; while a clock is behind all of them, the oldest. */
function isBetter(key: BeaconKey, than: BeaconKey, nowMs: number): boolean {
  if (key.sealsFromMs > nowMs) return key.sealsFromMs < than.sealsFromMs;
  return than.sealsFromMs > nowMs || key.sealsFromMs > than.sealsFromMs;
}

/** A key seals until the next one does, and is kept from then on. */
function isOver(key: BeaconKey, keys: readonly BeaconKey[], nowMs: number): boolean {
  const successors = keys.filter(({ sealsFromMs }) => sealsFromMs > key.sealsFromMs);
  if (successors.length === 0) return false;
  const sealedUntilMs = Math.min(...successors.map(({ sealsFromMs }) => sealsFromMs));
  return nowMs > sealedUntilMs + KEY_KEPT_MS;
}

const DRAWS_MAX = 100;

function drawUnused(keys: readonly BeaconKey[], draw: DrawKey): ReturnType<DrawKey> {
  for (let draws = 0; draws < DRAWS_MAX; draws += 1) {
    const drawn = draw();
    if (!keys.some(({ id }) => id === drawn.id)) return drawn;
  }
  throw new Error('no unused key id was drawn');
}
